// The icons of the control bar: own drawings on a 24 by 24 grid, filled with the text colour.
import { svg, type SVGTemplateResult } from 'lit';

const icon = (path: string): SVGTemplateResult =>
  svg`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;

export const playIcon = icon('M7 4v16l13-8z');
export const pauseIcon = icon('M6 4h4v16H6zM14 4h4v16h-4z');
export const replayIcon = icon('M12 4V0L6 5l6 5V6a6 6 0 1 1-6 6H4a8 8 0 1 0 8-8z');
export const fullscreenIcon = icon('M3 3h7v2H5v5H3zM14 3h7v7h-2V5h-5zM3 14h2v5h5v2H3zM19 14h2v7h-7v-2h5z');

/** Stands where the signer will be: head, shoulders, two raised hands. */
export const signerOutline = svg`<svg class="outline" viewBox="0 0 160 90" aria-hidden="true">
  <circle cx="80" cy="26" r="13" />
  <path d="M52 90c0-30 10-46 28-46s28 16 28 46z" />
  <path d="M54 84 34 60l12-18M106 84l20-24-12-18" />
  <circle cx="47" cy="39" r="6" />
  <circle cx="113" cy="39" r="6" />
</svg>`;
