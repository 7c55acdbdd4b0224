// The styles of what a reading adds to an element: two buttons on the page and notes below the bar.
// - The button at a paragraph is out of sight until it has a place, and stays a Tab stop.
// - A caption of many lines scrolls, so that it leaves the buttons and the page in sight.
// - On an upright phone the signer stays on screen while a page is read, at the top or the bottom; `--sign-sticky: relative`
//   leaves it in its place. With the list open it covers less than two thirds of the screen: the list scrolls.

export const readingStyles = `
  .pick, .rejoin { position: fixed; inset: auto; box-sizing: border-box; border-color: currentcolor; overflow: visible; z-index: 1; }
  .pick { display: inline-grid; min-inline-size: 0; min-block-size: 0; padding: 3px; }
  .pick[hidden], .rejoin:not(.shown) { display: none; }
  .pick:not(.shown) { inline-size: 1px; block-size: 1px; padding: 0; border: 0; clip-path: inset(50%); pointer-events: none; }
  .rejoin { display: inline-grid; left: 50%; transform: translateX(-50%); max-inline-size: calc(100vw - 2rem); }
  .notes { flex: none; background: Canvas; unicode-bidi: plaintext; }
  .notes p { margin: 0; padding: 0 4px 4px; max-block-size: min(25vh, 8rem); overflow: auto; }
`;

export const stickyStyles = `
  @media (max-width: 560px) and (orientation: portrait) {
    :host(:not([placement], :fullscreen)) { position: var(--sign-sticky, sticky); inset-block: 0; z-index: var(--sign-z-index, 1000); background: Canvas; }
    :host(:not([placement], :fullscreen)) .list { max-block-size: max(100px, calc(60vh - 56.25vw - 140px)); }
  }
`;
