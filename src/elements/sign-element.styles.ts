// The styles of every element.
// - The signer is not cropped, unless the page asks for it (`--sign-fit: cover`). Only a message at the lower edge covers a part
//   of the video, and one button while playback waits for the visitor; a page's own controls over the video are not covered.
//   In a host that is lower than its content the picture becomes smaller; the buttons keep their size.
// - Targets are 44 px. The place of the control bar is kept while it loads. In a container that is as wide as its content (a
//   float, a flex item), the column of the grid makes the element 32rem wide. Where a page has made the rem small, the text still
//   has 16 px and the usual width is 512 px.
// - Colours are the system's, so that light, dark and forced colours work without more rules. The focus ring has the colour of the
//   text, with the colour of the background on both of its sides, so that it shows on any page.
// - In a narrow box a message has smaller letters and more room than its button, and the label has several lines, so that most of
//   the signer stays in sight. A text has the direction of its own language: a page in Hebrew or Persian shows our English.
// - A page changes the look by `--sign-*` and parts.
import { unsafeCSS } from 'lit';
import { addStyles } from '../internal/add-styles.ts';

// Without the tag `css` of lit, which also checks inserted values: this sheet has none, and a page loads 100 bytes less.
export const signElementStyles = unsafeCSS(`
  :host {
    display: flex;
    flex-direction: column;
    box-sizing: border-box;
    writing-mode: horizontal-tb;
    white-space: normal;
    letter-spacing: normal;
    text-indent: 0;
    text-transform: none;
    inline-size: var(--sign-width, min(100%, max(32rem, 512px)));
    color: CanvasText;
    font:
      max(1rem, 16px)/1.4 system-ui,
      sans-serif;
  }
  :host([hidden]) {
    display: none;
  }
  :host(:focus-visible),
  .box:focus-visible,
  button:focus-visible {
    outline: 3px solid var(--sign-focus, CanvasText);
    outline-offset: 2px;
    box-shadow: 0 0 0 7px Canvas;
  }
  :host(
    :is(
      [placement~='bottom-right' i],
      [placement~='bottom-left' i],
      [placement~='top-right' i],
      [placement~='top-left' i]
    )
  ) {
    position: fixed;
    visibility: hidden;
  }
  :host(:fullscreen) {
    display: grid;
    grid-template-rows: 1fr auto;
    inline-size: 100%;
    background: Canvas;
  }
  .box {
    position: relative;
    isolation: isolate;
    aspect-ratio: var(--sign-aspect-ratio, 16 / 9);
    overflow: hidden;
    display: grid;
    grid-template-columns: minmax(0, max(32rem, 512px));
    min-block-size: 0;
    border-radius: var(--sign-radius, 0.5rem);
    background: var(--sign-backdrop, #dbe4ec);
  }
  :host(:fullscreen) .box {
    aspect-ratio: auto;
    border-radius: 0;
  }
  video,
  canvas {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    object-fit: var(--sign-fit, contain);
  }
  canvas {
    z-index: 1;
    pointer-events: none;
  }
  [keyed] > .videos {
    opacity: 0;
  }
  video.shown {
    z-index: 1;
  }
  .idle {
    display: grid;
    position: absolute;
    inset: 0;
  }
  .outline {
    inline-size: 100%;
    block-size: 100%;
    fill: #9db0c1;
    stroke: #9db0c1;
    stroke-width: 7;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .outline path:last-of-type {
    fill: none;
  }
  .over {
    display: grid;
    position: absolute;
    z-index: 2;
    inset: auto 0 0;
    grid-template-columns: minmax(55%, 1fr) auto;
    container-type: inline-size;
  }
  .message {
    margin: 0;
    padding: 0.5rem 0.75rem;
    background: color-mix(in srgb, Canvas 92%, transparent);
    color: CanvasText;
    text-align: center;
    unicode-bidi: plaintext;
  }
  @container (max-width: 20rem) {
    .message {
      padding: 0.1rem 0.4rem;
      font-size: 0.8125em;
    }
  }
  .generated {
    position: absolute;
    z-index: 2;
    /* Off the corner, which a page may have rounded. */
    inset: 0.5em 0.5em auto auto;
    padding: 0.1em 0.4em;
    max-inline-size: 42%;
    border-radius: 0.3em;
    background: color-mix(in srgb, Canvas 80%, transparent);
    font-size: 0.75em;
  }
  .message.soft {
    animation: appear 0.2s 0.6s backwards;
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  button {
    display: inline-grid;
    grid-auto-flow: column;
    gap: 0.5rem;
    place-content: center;
    place-items: center;
    min-inline-size: 44px;
    min-block-size: 44px;
    margin: 0;
    padding: 0 0.5rem;
    border: 1px solid transparent;
    border-radius: 0.4rem;
    background: ButtonFace;
    color: ButtonText;
    font: inherit;
    cursor: pointer;
  }
  button:hover {
    border-color: currentcolor;
  }
  @media (prefers-contrast: more) {
    button,
    select {
      border-color: currentcolor !important;
    }
  }
  button:disabled {
    opacity: 0.5;
    cursor: default;
  }
  button svg,
  ::slotted([slot^='icon-']) {
    inline-size: 1.25em;
    block-size: 1.25em;
  }
  button svg {
    fill: currentcolor;
  }
  .start {
    grid-column: 1 / -1;
    justify-self: start;
    min-block-size: 56px;
    margin: 0.5rem;
    padding-inline: 1.25rem;
    border-color: currentcolor;
  }
  .coming {
    min-block-size: calc(44px + 0.5rem);
  }
  :host(:is(sign-translate, sign-announcement):is([controls=''], [controls='true'], [controls~='seek']))
    .coming {
    min-block-size: calc(72px + 0.75rem);
  }
  .spoken {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media print {
    * {
      display: none !important;
    }
  }
`);

/** A page's `* { all: unset }` wins over the rules of a host, so on such a page they become important. */
export function outlastReset(host: HTMLElement): void {
  const root = host.shadowRoot;
  if (!root || getComputedStyle(host).display !== 'inline') return;
  const rules = signElementStyles.cssText.match(/:host[^}]*}/g)!;
  // A minified rule has no semicolon at its end.
  addStyles(root, rules.join('').replaceAll(/;?\s*}|;/g, '!important$&'));
}
