// The styles of what a reading adds to an element: two buttons on the page, notes below the bar and the list of sentences.
// - The button at a paragraph is out of sight until it has a place, and stays a Tab stop.
// - A caption of many lines scrolls, so that it leaves the buttons and the page in sight.
// - On an upright phone the signer stays on screen while a page is read, at the top or the bottom; `--sign-sticky: relative`
//   leaves it in its place. With the list open it covers less than two thirds of the screen: the list scrolls.

export const readingStyles = `
  .pick, .rejoin { position: fixed; inset: auto; box-sizing: border-box; border-color: currentcolor; overflow: visible; z-index: 1; }
  .pick { display: inline-grid; min-inline-size: 0; min-block-size: 0; padding: 3px; }
  .pick[hidden], .rejoin:not(.shown) { display: none; }
  .pick:not(.shown) { inset: auto; inline-size: 1px; block-size: 1px; padding: 0; border: 0; clip-path: inset(50%); pointer-events: none; }
  .rejoin { display: inline-grid; left: 50%; transform: translateX(-50%); max-inline-size: calc(100vw - 2rem); }
  .notes { flex: none; background: Canvas; unicode-bidi: plaintext; }
  .notes p { margin: 0; padding: 0 4px 4px; max-block-size: min(25vh, 8rem); overflow: auto; }
  .list { margin: 0; padding: 0; max-block-size: min(40vh, 20rem); overflow: auto; list-style: none; background: Canvas; }
  .list li { display: flex; gap: 0.25rem; align-items: center; border-block-start: 1px solid; }
  .list .jump { flex: 1; justify-content: start; text-align: start; background: none; color: inherit; }
  .list .jump:hover { text-decoration: underline; }
  .list [aria-current] { font-weight: bold; }
  .list small { flex: none; }
  .list li > :last-child { margin-inline-end: 0.25rem; }
`;

export const stickyStyles = `
  @media (max-width: 560px) and (orientation: portrait) {
    :host(:not([placement], :fullscreen)) { position: var(--sign-sticky, sticky); inset-block: 0; z-index: var(--sign-z-index, 1000); background: Canvas; }
    :host(:not([placement], :fullscreen)) .list { max-block-size: max(100px, calc(60vh - 56.25vw - 140px)); }
  }
`;
