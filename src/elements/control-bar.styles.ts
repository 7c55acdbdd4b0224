// The styles of the control bar.
// - It wraps: the line of the position comes first, then buttons of 44 px, four of which fit 200 px.
// - A finger meets the slider on 44 px, 28 of which are its line; the buttons lie over the rest.
// - What comes and goes stands at the end, so that no button moves: delays, notes, the button for the normal speed.
// - The bar runs from left to right in every language, as on every player: its arrows say where they lead. Words keep their direction.

export const controlBarStyles = `
  .controls { direction: ltr; display: flex; flex-wrap: wrap; gap: 0.25rem; align-items: center; padding-block: 0.25rem; }
  .controls > * { unicode-bidi: plaintext; }
  .controls .message { order: 1; }
  .seek { display: flex; flex: 1 0 100%; order: -1; gap: 0.5rem; align-items: center; direction: ltr; min-inline-size: 0; }
  .seek input { flex: 1; margin-block: -8px; }
  .seek span { flex: none; font-size: 0.875em; font-variant-numeric: tabular-nums; }
  input { min-inline-size: 0; margin: 0; block-size: 44px; cursor: pointer; }
  input:disabled { cursor: default; }
  .volume { flex: 0 1 5rem; direction: ltr; }
  select { direction: ltr; appearance: none; box-sizing: border-box; min-block-size: 44px; inline-size: 56px; margin: 0; padding: 0 0.25rem; text-align: center; text-align-last: center; border: 1px solid transparent;
    border-radius: 0.4rem; background: ButtonFace; color: ButtonText; font: inherit; cursor: pointer; }
  select:hover { border-color: currentcolor; }
  [part~='reset'] { order: 1; }
  :is(input, select):focus-visible { outline: 3px solid var(--sign-focus, CanvasText); outline-offset: 2px; box-shadow: 0 0 0 7px Canvas; }
`;
