// What an element draws with and without its control bar: the outline, its label, its message, a button, and full screen.
// - The element becomes full screen, with its messages and buttons. The video alone does so only where the browser refuses the
//   element, or where a phone allows full screen for videos only.
// - Icons are our own drawings on a 24 by 24 grid, filled with the text colour. A page puts its own into the slot `icon-NAME`.
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Strings } from '../strings/en.ts';
import type { MediaElement } from './media-element.ts';

export const icon = (name: string, path: string): TemplateResult =>
  html`<slot name="icon-${name}"
    ><svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg
  ></slot>`;

export const playPath = 'M7 4v16l13-8z';
/** Its slot has a name of its own, because a browser fills only the first of two slots with one name. */
export const startIcon = icon('start', playPath);

/** The outline before the first frame: head, shoulders, two raised hands. */
export const signerOutline = svg`<svg class="outline" viewBox="0 0 160 90" aria-hidden="true">
  <circle cx="80" cy="26" r="13" />
  <path d="M52 90c0-30 10-46 28-46s28 16 28 46z" />
  <path d="M54 84 34 60l12-18M106 84l20-24-12-18" />
  <circle cx="47" cy="39" r="6" />
  <circle cx="113" cy="39" r="6" />
</svg>`;

/** Hidden from screen readers, because the name of the element says it. */
export const generatedLabel = ({ generated }: Strings): TemplateResult =>
  html`<span part="label" class="generated" aria-hidden="true">${generated}</span>`;

/** A button of the bar. */
export function button(
  part: string,
  label: string,
  content: unknown,
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
    ${content}
  </button>`;
}

/** A message at the lower edge of the box. */
export interface Message {
  readonly text: string;
  /** What a screen reader says in its place. */
  readonly spoken?: string;
  /** It appears only when its cause lasts longer than 0.6 s. */
  readonly soft: boolean;
  /** A visitor can try again what failed. */
  readonly retry?: boolean;
}

/** The content of the box besides the video. */
export interface ViewState {
  readonly message: Message | null;
  /** The one big button, when playback waits for the visitor. */
  readonly start: string | null;
  /** A text for screen readers (`aria-live` polite). */
  readonly spoken: string;
  readonly replayable: boolean;
}

/** Hidden from screen readers, because the status says it. */
export const messageView = (
  { text, soft, retry }: Message,
  strings: Strings,
  tryAgain: () => void,
): TemplateResult =>
  html`<p part="message" class="message ${soft ? 'soft' : ''}" aria-hidden="true">${text}</p>
    ${retry ? button('retry', strings.retry, strings.retry, tryAgain) : nothing}`;

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
