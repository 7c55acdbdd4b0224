// When a blocking request for a playlist is answered (RFC 8216bis, 6.2.5.2). Policy: at once when what it asks for is listed
// or the stream has ended; 400 for what is further ahead than a client may ask: two segments, or as many parts as are in
// three part durations or seconds, whichever is more; else when it is there.
import type { Segment } from './segment-window.ts';
import { PART_FRAMES } from './stream-spec.ts';
import { secondsOf } from './manifest-view.ts';

const FURTHEST_SEGMENT = 2;
/** Parts: three of them where they last a second or more, else as many as make three seconds. */
const FURTHEST_PART = Math.ceil(3 / secondsOf(PART_FRAMES));

/** `_HLS_msn` and `_HLS_part`. */
export interface ReloadRequest {
  readonly segment: number;
  /** Null for the whole segment. */
  readonly part: number | null;
}

const whole = /^\d{1,9}$/;

/** What a request asks to wait for: null for nothing, `wrong` when it cannot be read. */
export function reloadRequest(query: URLSearchParams): ReloadRequest | null | 'wrong' {
  const [segment, part] = [query.get('_HLS_msn'), query.get('_HLS_part')];
  if (segment === null) return part === null ? null : 'wrong';
  if (!whole.test(segment) || (part !== null && !whole.test(part))) return 'wrong';
  return { segment: Number(segment), part: part === null ? null : Number(part) };
}

/** Whether the newest of the row is what was asked for, or past it. */
export function isListed(newest: Segment | undefined, { segment, part }: ReloadRequest): boolean {
  if (!newest || newest.number < segment) return false;
  // A part behind the last of its segment is the first of the next, which is there as soon as that segment is.
  if (newest.number > segment) return true;
  return part === null ? newest.isComplete : newest.parts.length > part;
}

export function isTooFar(newest: Segment | undefined, { segment, part }: ReloadRequest): boolean {
  const lastWhole = newest ? newest.number - (newest.isComplete ? 0 : 1) : -1;
  if (segment > lastWhole + FURTHEST_SEGMENT) return true;
  const lastPart = newest?.number === segment ? newest.parts.length - 1 : -1;
  return part !== null && part > lastPart + FURTHEST_PART;
}
