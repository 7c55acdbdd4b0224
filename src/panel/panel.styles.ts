// The styles of a panel, adopted beside those of the element.
// - The rules of the host are important: the panel keeps its place on a page with `* { all: unset }`. A page changes it by
//   `--sign-*`.
// - The picture is at least 280 px high on a desktop and a third of the height of a phone (5:4 at the narrowest, the middle of the
//   picture with both hands). The width follows the height of the window, so that nothing is cropped at 640 by 320. Larger letters
//   make it wider, up to half of the window, so that the text that is signed stays in sight.
// - The margin and the safe areas are in `scroll-margin`, from where panel.ts reads them in pixels.
// - Bars have the colour of the background, so that no text of the page shows through.
import { unsafeCSS } from 'lit';

// Without the tag `css` of lit, which also checks inserted values: this sheet has none, and a page loads 100 bytes less.
export const panelStyles = unsafeCSS(`
  :host {
    --panel-edge: max(1rem, 16px);
    scroll-margin: max(var(--panel-edge), env(safe-area-inset-top, 0px))
      max(var(--panel-edge), env(safe-area-inset-right, 0px))
      max(var(--panel-edge), env(safe-area-inset-bottom, 0px))
      max(var(--panel-edge), env(safe-area-inset-left, 0px)) !important;
  }
  :host([placement]) {
    visibility: visible !important;
  }
  :host(:not(:fullscreen)) {
    display: flex !important;
    flex-direction: column !important;
    position: fixed !important;
    z-index: var(--sign-z-index, 1000) !important;
    box-sizing: border-box !important;
    margin: 0 !important;
    border: 0 !important;
    padding: 0 !important;
    inline-size: min(
      var(--panel-width, var(--sign-width, clamp(512px, 32rem, 50vw))),
      100% - 2 * var(--panel-edge),
      max(288px, (100vh - 164px) * 16 / 9)
    ) !important;
    max-block-size: calc(100vh - 2 * var(--panel-edge)) !important;
    border-radius: var(--sign-radius, 0.5rem);
    box-shadow:
      0 0 0 1px GrayText,
      0 4px 20px rgb(0 0 0 / 30%);
    overflow: clip;
  }
  @supports (height: 1dvh) {
    :host(:not(:fullscreen)) {
      inline-size: min(
        var(--panel-width, var(--sign-width, clamp(512px, 32rem, 50vw))),
        100% - 2 * var(--panel-edge),
        max(288px, (100dvh - 164px) * 16 / 9)
      ) !important;
      max-block-size: calc(100dvh - 2 * var(--panel-edge)) !important;
    }
  }
  :host([placement][hidden]) {
    display: none !important;
  }
  :host(:fullscreen) {
    grid-template-rows: auto 1fr auto !important;
  }
  .box {
    border-radius: 0;
    outline-offset: -3px !important;
  }
  .controls {
    box-sizing: border-box;
    background: Canvas;
    padding: 4px;
  }
  .controls [part~='fullscreen'] {
    display: none;
  }
  .head {
    display: flex;
    flex: none;
    align-items: center;
    background: Canvas;
    user-select: none;
    -webkit-user-select: none;
  }
  .head button {
    flex: none;
    background: none;
    color: inherit;
    padding: 0;
    outline-offset: -3px;
    box-shadow: none;
  }
  .grip,
  .title,
  .edge {
    touch-action: none;
    cursor: move;
  }
  .title {
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    line-height: 44px;
  }
  .edge {
    position: absolute;
    z-index: 3;
    inset-block: 44px 0;
    inline-size: 12px;
    cursor: ew-resize;
  }
  .edge.left {
    left: 0;
  }
  .edge.right {
    right: 0;
  }
  .minimised.head ~ :is(.box, .controls, .notes),
  .minimised.head ~ .reading > div,
  .minimised .edge,
  .minimised .size,
  .whole :is(.grip, .size, .edge, .minimise, .close) {
    display: none;
  }
  .whole .title {
    cursor: default;
    padding-inline: 1rem;
  }
  /* A list of sentences shrinks before the picture does. */
  .reading,
  .reading > div {
    display: flex;
    flex-direction: column;
    flex: 0 1000 auto;
    align-items: start;
    min-block-size: 0;
    inline-size: 100%;
    background: Canvas;
  }
  .reading .list {
    inline-size: 100%;
    min-block-size: 0;
  }
  .reading .list + button {
    flex: none;
  }
  @media (max-width: 560px) {
    :host {
      --panel-edge: 0px;
    }
    :host(:not(:fullscreen)) {
      border-radius: 0;
    }
  }
  @media (max-width: 560px) and (orientation: portrait) {
    :host(:not(:fullscreen)) {
      inline-size: 100% !important;
    }
    :host(:not(:fullscreen)) .box {
      flex: none;
      aspect-ratio: auto;
      block-size: min(80vw, max(34vh, 56.25vw));
      grid-template-columns: minmax(0, 1fr);
    }
    /* The sentence that is signed can be read beside it. */
    .reading > div {
      max-block-size: max(144px, 22vh);
    }
    /* In 360 px one row has all buttons of a reading. */
    .head ~ .controls {
      column-gap: 0;
    }
    .edge,
    .head .size {
      display: none;
    }
    :host(:fullscreen) .box {
      align-self: center;
      block-size: 80vw;
    }
    :is(video, canvas) {
      object-fit: var(--sign-fit, cover);
    }
  }
  /* And in 320 px, where they are a little narrower. */
  @media (max-width: 356px) and (orientation: portrait) {
    .head ~ .controls > button:not([part~='queue']) {
      min-inline-size: 38px;
      padding-inline: 4px;
    }
    .head ~ .controls .room {
      inline-size: max(38px, 1.25em + 10px);
    }
    .head ~ .controls select {
      inline-size: max(48px, 3em);
      padding: 0;
    }
  }
  /* In so low a window (400 % zoom, a phone on its side) the bar is one row, so that the picture has room. */
  @media (max-height: 420px) {
    .head ~ .controls {
      order: 1;
      flex: none;
      flex-wrap: nowrap;
      overflow: auto hidden;
    }
    .controls > * {
      flex: none;
    }
    .controls .seek {
      display: none;
    }
    /* Three lines, above the bar: the picture keeps one size from sentence to sentence, and while thanks are said. */
    .notes p {
      font-size: 0.875em;
      line-height: 1.3;
    }
    .notes [part='caption'] {
      block-size: 3.9em;
    }
    .notes [role='status']:has(p) + [part='caption'] {
      block-size: calc(2.6em - 4px);
    }
    /* There is no room for the list beside the picture: while it is open it covers the picture. */
    .reading.listed {
      position: absolute;
      z-index: 2;
      inset: 44px 0 auto;
      block-size: calc(100% - 44px - 52px);
      overflow: auto;
    }
    /* The button after the list scrolls with it: with the button outside, there is room for two sentences only. */
    .listed > div,
    .listed .list {
      flex: none;
      max-block-size: none;
    }
  }
  /* The panel has its smallest width. */
  @media (max-height: 326px) {
    .edge,
    .head .size {
      display: none;
    }
  }
  /* Without shadows, which forced colours take away, the page's text would run on into the panel. */
  @media (forced-colors: active) {
    :host(:not(:fullscreen, :focus-visible)) {
      outline: 2px solid CanvasText;
    }
  }
  /* As in the launcher: until the element is in the top layer, the page is laid out without it. */
  :host([popover]:not(:popover-open)) {
    display: none !important;
  }
  @media print {
    :host([placement]) {
      display: none !important;
    }
  }
`);
