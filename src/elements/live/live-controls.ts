// What a live player has in its control bar: the way back to live, how far behind live the picture is, and, beside a
// page's own video, how far behind that. Policy: delays are told in words and tenths of a second, not hurried away, for
// whoever reads signs beside something else must know; a screen reader is not told of every tenth. The button is there
// while the picture stands or is more than 2 s later than it should be, and never beside a video that says where the
// picture is to be: what it did would be undone at once.
import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../../strings/en.ts';
import { button } from '../controls.ts';

const LATE_SECONDS = 2;

export interface LiveControls {
  readonly strings: Strings;
  readonly paused: boolean;
  /** Seconds behind live; null while that is not known or there is no live. */
  readonly latency: number | null;
  /** Seconds behind where live playback is to be; NaN where nothing is live, or something else says where to be. */
  readonly late: number;
  /** Seconds behind the page's own video; null while that is not known or there is none. */
  readonly lag: number | null;
  goLive(): void;
}

const told = (part: string, name: string, value: number | null): unknown =>
  value === null ? nothing : html`<span part=${part} class="message">${name} ${tenths(value)} s</span>`;

/** Nothing is never less than nothing: what rounds to -0 is 0. */
const tenths = (seconds: number): string => (Math.round(seconds * 10) / 10 + 0).toFixed(1);

export function liveControls(live: LiveControls): TemplateResult {
  const { strings, paused, latency, late, lag } = live;
  const isLate = paused ? !Number.isNaN(late) : late > LATE_SECONDS;
  return html`
    ${isLate ? button('live', strings.goLive, strings.goLive, live.goLive) : nothing}
    ${told('latency', strings.delay, latency)} ${told('lag', strings.behindVideo, lag)}
  `;
}
