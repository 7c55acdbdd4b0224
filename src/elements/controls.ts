// The control bar, its icons and full screen. The bar is below the video, because it would hide the hands.
// - Real buttons with names; a button shows what it will do.
// - The speed button steps through the slower speeds first, which learners want, then the faster ones and back to normal.
// - The element becomes full screen, with its messages and buttons. The video alone does so only where the element is refused,
//   or where a phone allows full screen for videos only.
// - Icons are our own drawings on a 24 by 24 grid, filled with the text colour.
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { Strings } from '../strings/en.ts';
import type { MediaElement } from './media-element.ts';

const icon = (path: string): SVGTemplateResult =>
  svg`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;

export const playIcon = icon('M7 4v16l13-8z');
export const pauseIcon = icon('M6 4h4v16H6zM14 4h4v16h-4z');
export const replayIcon = icon('M12 4V0L6 5l6 5V6a6 6 0 1 1-6 6H4a8 8 0 1 0 8-8z');
export const fullscreenIcon = icon('M3 3h7v2H5v5H3zM14 3h7v7h-2V5h-5zM3 14h2v5h5v2H3zM19 14h2v7h-7v-2h5z');

/** The outline before the first frame: head, shoulders, two raised hands. */
export const signerOutline = svg`<svg class="outline" viewBox="0 0 160 90" aria-hidden="true">
  <circle cx="80" cy="26" r="13" />
  <path d="M52 90c0-30 10-46 28-46s28 16 28 46z" />
  <path d="M54 84 34 60l12-18M106 84l20-24-12-18" />
  <circle cx="47" cy="39" r="6" />
  <circle cx="113" cy="39" r="6" />
</svg>`;

/** For screen readers the name of the element says it. */
export const generatedLabel = ({ generated }: Strings): TemplateResult =>
  html`<span part="label" class="generated" aria-hidden="true">${generated}</span>`;

const SPEEDS = [1, 0.75, 0.5, 1.25, 1.5, 2];

export interface Controls {
  readonly strings: Strings;
  readonly paused: boolean;
  /** True when a text can be signed again. */
  readonly replayable: boolean;
  readonly speed: number;
  toggle(): void;
  replay(): void;
  setSpeed(speed: number): void;
  readonly isFullscreen: boolean;
  fullscreen(): void;
}

/** A button of the bar. */
export function button(
  part: string,
  label: string,
  face: unknown,
  press: () => void,
  disabled = false,
): TemplateResult {
  return html`<button
    type="button"
    part="button ${part}"
    aria-label=${label}
    title=${label}
    ?disabled=${disabled}
    @click=${press}
  >
    ${face}
  </button>`;
}

/** At the lower edge of the box. */
export interface Message {
  readonly text: string;
  /** What a screen reader says in its place. */
  readonly spoken?: string;
  /** It appears only when it lasts. */
  readonly soft: boolean;
  /** A visitor can try again what failed. */
  readonly retry?: boolean;
}

/** For screen readers the status says it. */
export const messageView = (
  { text, soft, retry }: Message,
  strings: Strings,
  tryAgain: () => void,
): TemplateResult =>
  html`<p part="message" class="message ${soft ? 'soft' : ''}" aria-hidden="true">${text}</p>
    ${retry ? button('retry', strings.retry, strings.retry, tryAgain) : nothing}`;

/** `own` is the element's own part beside play and pause; by default the button that signs the last text again. */
export function controlBar(
  controls: Controls,
  own: unknown = button('replay', controls.strings.replay, replayIcon, controls.replay, !controls.replayable),
): TemplateResult {
  const { strings, paused, speed } = controls;
  const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
  return html`<div part="controls" class="controls" role="group" lang=${strings.lang}>
    ${button('toggle', paused ? strings.play : strings.pause, paused ? playIcon : pauseIcon, controls.toggle)}
    ${own} ${button('speed', `${strings.speed} ${speed}×`, `${speed}×`, () => controls.setSpeed(next))}
    ${button('fullscreen', controls.isFullscreen ? strings.exitFullscreen : strings.fullscreen, fullscreenIcon, controls.fullscreen)}
  </div>`;
}

/** Never rejects: after a refusal nothing has changed, which the visitor sees. */
export async function toggleFullscreen(element: MediaElement): Promise<void> {
  try {
    // Another element of the page may be full screen, with this one inside.
    if (element.matches(':fullscreen')) await document.exitFullscreen();
    else await element.requestFullscreen();
  } catch {
    (element.media as { webkitEnterFullscreen?(): void } | null)?.webkitEnterFullscreen?.();
  }
}
