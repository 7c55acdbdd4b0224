// What a live player shows: its state and message, from what is known of the session and of its stream, and its own part of
// the control bar.
// - One table, the first match wins. What the service says of the session goes before what the player does (SEMANTICS.md,
//   Live player states), except that a stream which is over is shown before the service says so.
// - Delays are shown in words and tenths of a second; a screen reader is not told of every tenth.
// - The button that goes live is there while playback is paused or more than 2 s late, and never beside a video that says
//   where playback is to be: it would be moved back at once.
//
// | state          | when                                                              | text             |
// |----------------|-------------------------------------------------------------------|------------------|
// | `idle`         | there is neither `session` nor `src`                              | none             |
// | `failed`       | it ended with an error, cannot be looked up, or cannot be played  | by its code      |
// | `ended`        | the session has ended, or the stream of a `src` is over           | it has ended     |
// | `finalizing`   | the session is being stopped, or its stream is over               | it is ending     |
// | `reconnecting` | frames do not come; or none has come and the look-up failed       | connecting again |
// | `connecting`   | no frame yet; where the session has not begun, that is said       | waiting          |
// | `ready`        | a frame is on screen: paused, or playback was refused             | none             |
// | `signing`      | it plays                                                          | none             |
import type { LiveSession } from '../protocol/live-session.ts';
import type { SignError } from '../protocol/sign-error.ts';
import type { Strings } from '../strings/en.ts';
import { errorText } from '../strings/strings.ts';
import { button } from './controls.ts';
import type { SignState } from './sign-events.ts';
import { html, nothing, type TemplateResult } from 'lit';

export interface LiveCondition {
  /** There is something to look up or to play. */
  readonly wanted: boolean;
  /** As it was looked up last; null before that, and for a `src`. */
  readonly session: LiveSession | null;
  /** Nothing more will be tried. */
  readonly fault: SignError | null;
  /** A frame has been on screen. */
  readonly painted: boolean;
  /** Its media does not come. */
  readonly recovering: boolean;
  /** The last look-up failed and will be made again. */
  readonly unreachable: boolean;
  /** The last frame of the stream has been shown. */
  readonly over: boolean;
  readonly paused: boolean;
}

export function stateOf(is: LiveCondition): SignState {
  if (!is.wanted) return 'idle';
  if (is.fault) return 'failed';
  if (is.session?.status === 'ended') return 'ended';
  if (is.session?.status === 'finalizing') return 'finalizing';
  if (is.over) return is.session ? 'finalizing' : 'ended';
  if (is.recovering && is.painted) return 'reconnecting';
  if (!is.painted) return is.unreachable ? 'reconnecting' : 'connecting';
  return is.paused ? 'ready' : 'signing';
}

const sentences: Readonly<Record<string, keyof Strings>> = {
  session_failed: 'liveFailed',
  not_found: 'liveNotFound',
  invalid_request: 'errorRefused',
};

/** What the box says; `soft` appears only when it lasts. Null when the video says enough. */
export function messageOf(is: LiveCondition, strings: Strings): { text: string; soft: boolean } | null {
  switch (stateOf(is)) {
    case 'failed':
      return { text: faultText(is, strings), soft: false };
    case 'ended':
      return { text: strings.liveEnded, soft: false };
    case 'finalizing':
      return { text: strings.liveEnding, soft: false };
    case 'reconnecting':
      return { text: strings.reconnecting, soft: true };
    case 'connecting':
      return is.session && is.session.startedAt === null
        ? { text: strings.liveWaiting, soft: false }
        : { text: strings.preparing, soft: true };
    case 'idle':
    case 'ready':
    case 'signing':
      return null;
  }
}

function faultText({ fault, session }: LiveCondition, strings: Strings): string {
  const code = fault?.code ?? '';
  if (code === 'media_error' && session && !hasStreams(session)) return strings.liveNoVideo;
  const own = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  return own === undefined ? errorText(code, strings, 'errorMedia') : strings[own];
}

/** False for a session whose output goes elsewhere: it never has anything that a page could play. */
export const hasStreams = ({ outputType }: LiveSession): boolean =>
  outputType === null || outputType.toUpperCase() === 'HLS';

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

const readout = (part: string, name: string, value: number | null): unknown =>
  value === null ? nothing : html`<span part=${part} class="message">${name} ${tenths(value)} s</span>`;

/** Nothing is never less than nothing: what rounds to -0 is 0. */
const tenths = (seconds: number): string => (Math.round(seconds * 10) / 10 + 0).toFixed(1);

export function liveControls(live: LiveControls): TemplateResult {
  const { strings, paused, latency, late, lag } = live;
  const isLate = paused ? !Number.isNaN(late) : late > LATE_SECONDS;
  return html`
    ${isLate ? button('live', strings.goLive, strings.goLive, live.goLive) : nothing}
    ${readout('latency', strings.delay, latency)} ${readout('lag', strings.behindVideo, lag)}
  `;
}
