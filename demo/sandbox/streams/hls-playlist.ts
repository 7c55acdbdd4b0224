// Writes the HLS playlists of a stream (RFC 8216bis; document 2, manifests.hls; document 3, session.ready), and decides when a
// blocking request for one is answered.
// - Low latency: parts of 0.2 s in the newest three target durations, a hint at the next part while the stream grows,
//   blocking reload, and delta updates that skip segments older than six target durations.
// - A blocking request (6.2.5.2) is answered at once when the requested segment or part is listed or the stream has ended. It is
//   answered with 400 when it asks for more than two segments ahead, or for a part that is more than 3 s ahead.
// - Every address carries the stream's signature. A job is an EVENT playlist that is played from its start. Every stream ends with
//   EXT-X-ENDLIST.
import {
  type ManifestView,
  peakRate,
  secondsOf,
  type Segment,
  targetDuration,
  dateTime,
} from './segment-window.ts';
import { hasParts, PART_FRAMES, type StreamSpec } from './stream-spec.ts';
import { FRAMES_PER_SECOND } from '../painter/script.ts';

export const MEDIA_PLAYLIST = 'stream.m3u8';
export const INIT_SEGMENT = 'init.mp4';

/** File name of a segment in HLS. */
const segmentName = ({ segmentType }: StreamSpec, segment: number): string =>
  `${segment}.${segmentType === 'ts' ? 'ts' : 'm4s'}`;

const partName = (segment: number, part: number): string => `${segment}.${part}.m4s`;

const seconds = (frames: number): string => secondsOf(frames).toFixed(5);
const framesOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { frames }) => sum + frames, 0);

/** `EXT-X-SKIP` needs 9, `EXT-X-MAP` 6, fractions of seconds 3. */
const versionOf = (spec: StreamSpec): number => (hasParts(spec) ? 9 : spec.segmentType === 'ts' ? 3 : 6);

function serverControl(spec: StreamSpec): string[] {
  const target = targetDuration(spec);
  const holdBack = `HOLD-BACK=${3 * target}`;
  if (!hasParts(spec)) return [`#EXT-X-SERVER-CONTROL:${holdBack}`];
  const part = secondsOf(PART_FRAMES);
  return [
    `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=${6 * target},${holdBack},PART-HOLD-BACK=${(3 * part).toFixed(2)}`,
    `#EXT-X-PART-INF:PART-TARGET=${part.toFixed(2)}`,
  ];
}

/** How many of the oldest segments a delta update leaves out: complete ones that end before the skip boundary. */
function skippedOf({ spec, segments }: ManifestView): number {
  const boundary = 6 * targetDuration(spec) * FRAMES_PER_SECOND;
  let skipped = 0;
  let left = framesOf(segments);
  for (const { frames } of segments) {
    left -= frames;
    if (left < boundary) break;
    skipped += 1;
  }
  return skipped;
}

function* partLines({ number, parts }: Segment, query: string): Generator<string> {
  for (const [i, { frames, independent }] of parts.entries()) {
    const mark = independent ? ',INDEPENDENT=YES' : '';
    yield `#EXT-X-PART:DURATION=${seconds(frames)},URI="${partName(number, i)}${query}"${mark}`;
  }
}

function* segmentLines(view: ManifestView, segment: Segment, withParts: boolean): Generator<string> {
  const { spec, query } = view;
  if (!withParts && !segment.isComplete) return;
  if (segment.discontinuity) yield '#EXT-X-DISCONTINUITY';
  yield `#EXT-X-PROGRAM-DATE-TIME:${dateTime(view, segment.from)}`;
  if (withParts) yield* partLines(segment, query);
  if (!segment.isComplete) return;
  yield `#EXTINF:${seconds(segment.frames)},`;
  yield segmentName(spec, segment.number) + query;
}

/** The part that comes next, which a growing stream announces with a preload hint. */
export function nextPart(segments: readonly Segment[]): { readonly segment: number; readonly part: number } {
  const newest = segments.at(-1);
  if (!newest) return { segment: 0, part: 0 };
  if (newest.isComplete) return { segment: newest.number + 1, part: 0 };
  return { segment: newest.number, part: newest.parts.length };
}

/** @param delta true to leave out old segments that the client has already (`_HLS_skip=YES`) */
export function mediaPlaylist(view: ManifestView, delta = false): string {
  const { spec, segments, query, hasAll, hasEnded } = view;
  const parted = hasParts(spec);
  const skipped = parted && delta ? skippedOf(view) : 0;
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${versionOf(spec)}`,
    `#EXT-X-TARGETDURATION:${targetDuration(spec)}`,
    ...serverControl(spec),
    `#EXT-X-MEDIA-SEQUENCE:${segments[0]?.number ?? 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${view.discontinuitySequence}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  if (spec.kind === 'job') lines.push('#EXT-X-PLAYLIST-TYPE:EVENT', '#EXT-X-START:TIME-OFFSET=0');
  if (skipped > 0) lines.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`);
  if (spec.segmentType === 'fmp4') lines.push(`#EXT-X-MAP:URI="${INIT_SEGMENT}${query}"`);
  let left = framesOf(segments.slice(skipped));
  for (const segment of segments.slice(skipped)) {
    const isNew = left <= 3 * targetDuration(spec) * FRAMES_PER_SECOND;
    lines.push(...segmentLines(view, segment, parted && (isNew || !segment.isComplete)));
    left -= segment.frames;
  }
  if (hasEnded) lines.push('#EXT-X-ENDLIST');
  else if (parted && !hasAll) {
    const { segment, part } = nextPart(segments);
    lines.push(`#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${partName(segment, part)}${query}"`);
  }
  return `${lines.join('\n')}\n`;
}

/** A playlist with the one rendition and its codec, for players that choose before they load. */
export function multivariantPlaylist(view: ManifestView): string {
  const { spec, codec, query } = view;
  const { width, height } = spec.style;
  const attributes = [
    `BANDWIDTH=${peakRate(view)}`,
    `CODECS="${codec}"`,
    `RESOLUTION=${width}x${height}`,
    `FRAME-RATE=${FRAMES_PER_SECOND.toFixed(3)}`,
  ];
  return [
    '#EXTM3U',
    `#EXT-X-VERSION:${versionOf(spec)}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-STREAM-INF:${attributes.join(',')}`,
    `${MEDIA_PLAYLIST}${query}`,
    '',
  ].join('\n');
}

const FURTHEST_SEGMENT = 2;
/** As many parts as last 3 s: the advance part limit of 6.2.5.2 for parts shorter than a second. */
const FURTHEST_PART = Math.ceil(3 / secondsOf(PART_FRAMES));

/** `_HLS_msn` and `_HLS_part`. */
interface ReloadRequest {
  readonly segment: number;
  /** Null for the whole segment. */
  readonly part: number | null;
}

const whole = /^\d{1,9}$/;

/** The segment or part that a request waits for: null for none, `wrong` when it cannot be read. */
export function reloadRequest(query: URLSearchParams): ReloadRequest | null | 'wrong' {
  const [segment, part] = [query.get('_HLS_msn'), query.get('_HLS_part')];
  if (segment === null) return part === null ? null : 'wrong';
  if (!whole.test(segment) || (part !== null && !whole.test(part))) return 'wrong';
  return { segment: Number(segment), part: part === null ? null : Number(part) };
}

/** True when the newest segment contains the requested part, or is a later one. */
export function isListed(newest: Segment | undefined, { segment, part }: ReloadRequest): boolean {
  if (!newest || newest.number < segment) return false;
  // The part after the last one of a segment is the first of the next segment, and is there as soon as that segment.
  if (newest.number > segment) return true;
  return part === null ? newest.isComplete : newest.parts.length > part;
}

export function isTooFar(newest: Segment | undefined, { segment, part }: ReloadRequest): boolean {
  const lastWhole = newest ? newest.number - (newest.isComplete ? 0 : 1) : -1;
  if (segment > lastWhole + FURTHEST_SEGMENT) return true;
  const lastPart = newest?.number === segment ? newest.parts.length - 1 : -1;
  return part !== null && part > lastPart + FURTHEST_PART;
}
