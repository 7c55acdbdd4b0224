// The styles of the control bar.
// - It wraps: the line of the position comes first, then buttons of 44 px, four of which fit 200 px. The slider's target is 44 px
//   high. Its line has 28 px; the buttons cover the rest.
// - Delays, notes and the button for the normal speed appear and disappear. They are last, so that no other button moves. No
//   style changes the order of what gets the focus (WCAG 2.2 SC 2.4.3).
// - A panel that reads a page keeps room for the buttons of a reading and for a count of three digits, so that it keeps its
//   height.
// - On a phone the buttons touch each other, so that those of a reading fit one line of 376 px and none is alone in a second line.
//   Elsewhere gaps are narrow, so that the ten buttons of a reading fit one line of 512 px.
// - The bar runs from left to right in every language, as its arrows point. Words keep their own direction.

export const controlBarStyles = `
  .controls { direction: ltr; display: flex; flex-wrap: wrap; gap: 4px 2px; align-items: center; padding-block: 0.25rem; }
  .controls > * { unicode-bidi: plaintext; }
  .controls .message { order: 1; }
  .seek { display: flex; flex: 1 0 100%; gap: 0.5rem; align-items: center; min-inline-size: 0; }
  .seek input { flex: 1; margin-block: -8px; }
  .seek span { flex: none; font-size: 0.875em; font-variant-numeric: tabular-nums; }
  input { min-inline-size: 0; margin: 0; block-size: 44px; cursor: pointer; }
  input:disabled { cursor: default; }
  .volume { flex: 0 1 5rem; direction: ltr; }
  select { direction: ltr; appearance: none; box-sizing: border-box; min-block-size: 44px; inline-size: max(56px, 3.5em); margin: 0; padding: 0 0.25rem; text-align: center; text-align-last: center; border: 1px solid transparent;
    border-radius: 0.4rem; background: ButtonFace; color: ButtonText; font: inherit; cursor: pointer; }
  select:hover { border-color: currentcolor; }
  .room { inline-size: max(44px, 1.25em + 1rem + 2px); block-size: 44px; }
  .queue, [part~='queue'] { box-sizing: border-box; min-inline-size: max(44px, 5.2em); padding: 0; font-size: 0.875em; }
  @media (max-width: 440px) {
    :host(:not([placement])) .controls { column-gap: 0; }
    :host(:not([placement])) [part~='queue'] { min-inline-size: max(44px, 4.2em); }
    :host(:not([placement])) select { inline-size: max(52px, 3.25em); }
  }
  :is(input, select):focus-visible { outline: 3px solid var(--sign-focus, CanvasText); outline-offset: 2px; box-shadow: 0 0 0 7px Canvas; }
`;
