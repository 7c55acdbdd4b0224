// What a live player shows: state and message, derived from its session and stream, and its own part of the control bar.
// - In the table below the first match counts. The state of the session comes before that of the player (SEMANTICS.md, Live player
//   states), except that the end of a stream is shown before the service reports it.
// - Delays are shown in tenths of a second; a screen reader does not announce each change.
// - The Go live button shows while playback is paused or more than 2 s late. With `sync-with` it never shows, because the sync
//   would move playback back at once.
//
// | state          | when                                                              | text             |
// |----------------|-------------------------------------------------------------------|------------------|
// | `idle`         | there is neither `session` nor `src`                              | none             |
// | `failed`       | it ended with an error, cannot be looked up, or cannot be played  | by its code      |
// | `ended`        | the session has ended, or the stream of a `src` is over           | it has ended     |
// | `finalizing`   | the session is being stopped, or its stream is over               | it is ending     |
// | `reconnecting` | frames stop arriving, or none has come and the look-up failed     | connecting again |
// | `connecting`   | no frame yet; another text while the session has not begun        | waiting          |
// | `ready`        | a frame is on screen: paused, or playback was refused             | none             |
// | `signing`      | it plays                                                          | none             |
import type { LiveSession } from '../protocol/live-session.ts';
import type { SignError } from '../protocol/sign-error.ts';
import type { Strings } from '../strings/en.ts';
import { liveEn, type LiveStrings } from '../strings/live.ts';
import { errorMessage } from '../strings/errors.ts';
import { button, type Message } from './controls.ts';
import type { SignState } from './sign-events.ts';
import { html, nothing, type TemplateResult } from 'lit';

export interface LiveCondition {
  /** True when there is a `session` or a `src`. */
  readonly wanted: boolean;
  /** The session as last looked up; null before that, and for a `src`. */
  readonly session: LiveSession | null;
  /** The final error, after which nothing is tried again. */
  readonly fault: SignError | null;
  /** A frame has been on screen. */
  readonly painted: boolean;
  /** Its media does not arrive. */
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

const sentences: Readonly<Record<string, keyof LiveStrings>> = {
  session_failed: 'failed',
  not_found: 'notFound',
};

const liveStrings = (strings: Strings): LiveStrings => ({ ...liveEn, ...strings.live });

/** The message in the box; null for none. */
export function messageOf(is: LiveCondition, strings: Strings): Message | null {
  switch (stateOf(is)) {
    case 'failed':
      return faultMessage(is, strings);
    case 'ended':
      return { text: liveStrings(strings).ended, soft: false };
    case 'finalizing':
      return { text: liveStrings(strings).ending, soft: false };
    case 'reconnecting':
      return { text: strings.reconnecting, soft: true };
    case 'connecting':
      return is.session && is.session.startedAt === null
        ? { text: liveStrings(strings).waiting, soft: false }
        : { text: strings.preparing, soft: true };
    case 'idle':
    case 'ready':
    case 'signing':
      return null;
  }
}

function faultMessage({ fault, session }: LiveCondition, strings: Strings): Message {
  const { code = '', severity = 'message' } = fault ?? {};
  const own = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  const isNoVideo = code === 'media_error' && session !== null && !hasStreams(session);
  const key = isNoVideo ? 'noVideo' : own;
  if (key !== undefined) return { text: liveStrings(strings)[key], soft: false };
  // An attribute of the page is wrong, which a visitor cannot change.
  return errorMessage(
    { code: code === 'invalid_request' ? 'origin_refused' : code, severity },
    strings,
    'media',
  );
}

/** False for a session with another output than HLS: a page can never play it. */
export const hasStreams = ({ outputType }: LiveSession): boolean =>
  outputType === null || outputType.toUpperCase() === 'HLS';

const LATE_SECONDS = 2;

interface LiveControls {
  readonly strings: Strings;
  readonly paused: boolean;
  /** Seconds behind live; null while that is not known or there is no live. */
  readonly latency: number | null;
  /** Seconds behind the live position; NaN when nothing is live, or when the sync decides the position. */
  readonly late: number;
  /** Seconds behind the page's own video, negative ahead of it; null while that is not known or there is none. */
  readonly lag: number | null;
  goLive(): void;
}

const readout = (part: string, name: string, value: number | null): unknown =>
  value === null ? nothing : html`<span part=${part} class="message">${name} ${tenths(value)} s</span>`;

const tenths = (seconds: number): string => Math.abs(seconds).toFixed(1);

export function liveControls(live: LiveControls): TemplateResult {
  const { paused, latency, late, lag } = live;
  const strings = liveStrings(live.strings);
  const isLate = paused ? !Number.isNaN(late) : late > LATE_SECONDS;
  return html`
    ${isLate ? button('live', strings.goLive, strings.goLive, live.goLive) : nothing}
    ${readout('latency', strings.delay, latency)}
    ${readout('lag', Number(lag) <= -0.05 ? strings.aheadOfVideo : strings.behindVideo, lag)}
  `;
}
