// Repairs for streams that hls.js (1.7.4) does not play to their end.
// - Unreadable segments: a segment without media is left out, as hls.js itself does when it has a worker. Without one it loads
//   such a segment seven times and stops, if it is the newest of a live stream or the stream has ended.
// - Changed tracks: from MPEG-TS to fragmented MP4 with sound and back, or where sound comes or goes. Such a segment fits none of
//   the source buffers, not even in a new media source, as long as playback begins before the change.
// - Low latency (`keepParts`, `finishSegments`, `reloadDroppedParts`): the first segment of a new stream, which a player joins in
//   the middle, the back buffer, a segment whose parts are no longer listed, and parts after a jump back.
// - Holes of up to 0.1 s (`maxBufferHole`), as an encoder with B-frames leaves them before a discontinuity. hls.js plays over
//   them but never ends such a stream: the last frames stay in the decoder, and `ended` does not come.
// - Times that begin anew without a discontinuity: hls.js moves only the picture, and leaves out the sound until its time comes.
import type Hls from 'hls.js';
import type { ErrorData, Fragment, Part } from 'hls.js';
import { DECODED } from '../video-progress.ts';
import { bufferedAhead, bufferEnd, KEPT_SECONDS } from './stream-recovery.ts';

/** Segments in a row that are left out. */
const MAX_LEFT_OUT = 3;

const hasMedia = ({ elementaryStreams }: Fragment): boolean => Object.values(elementaryStreams).some(Boolean);

/**
 * Leaves out segments without media.
 * - The fourth in a row is an error, and so is the last one of a stream of which nothing could be read.
 * - Loading starts again after the segment that was left out. By itself hls.js loads such a segment again where it is the first
 *   of a playlist. Elsewhere it shows the next frame for as long as the segment lasts, and the picture freezes.
 * - hls.js does not end a stream whose last segment was left out: here it ends after its last segment with media.
 * @param onError is called when no more segments are left out
 */
export function leaveOutUnreadable(
  hls: Hls,
  { Events, ErrorTypes, ErrorDetails }: typeof Hls,
  onError: (message: string) => void,
): void {
  /** Since the last segment with media. */
  let leftOut = 0;
  const isLast = ({ sn }: Pick<Fragment, 'sn'>): boolean => {
    const { live = true, fragments = [] } = hls.latestLevelDetails ?? {};
    const isEndLeftOut = !live && fragments.at(-1)?.gap === true;
    return isEndLeftOut && !fragments.some((other) => other.sn > Number(sn) && !other.gap);
  };
  const isBuffered = (): boolean => (hls.media?.buffered.length ?? 0) > 0;
  const endAfter = (frag: Pick<Fragment, 'sn'>): void => {
    if (isLast(frag) && isBuffered()) hls.trigger(Events.BUFFER_EOS, { type: null });
  };
  // This event is the last one before hls.js decides that a segment without media has to be loaded again.
  hls.on(Events.FRAG_PARSED, (_, { frag, part }) => {
    if (part || hasMedia(frag)) return;
    // After this error hls.js only marks the segment as a gap.
    hls.trigger(Events.ERROR, {
      type: ErrorTypes.MEDIA_ERROR,
      details: ErrorDetails.BUFFER_APPEND_NO_PROGRESS,
      fatal: false,
      error: new Error('no media'),
      parent: frag.type,
      frag,
      appendsWithoutProgress: hls.config.appendErrorMaxRetry,
    });
    leftOut += 1;
    if (leftOut > MAX_LEFT_OUT || (isLast(frag) && !isBuffered())) onError(ErrorDetails.FRAG_PARSING_ERROR);
    else if (isLast(frag)) endAfter(frag);
    // With this call hls.js forgets where the segment before ended; otherwise it would show the next frame from there on.
    else hls.startLoad(frag.end);
  });
  hls.on(Events.FRAG_BUFFERED, (_, { frag }) => {
    if (frag.gap) return;
    leftOut = 0;
    endAfter(frag);
  });
  // The last segment may have been left out before the playlist said that it is the last one.
  hls.on(Events.LEVEL_UPDATED, (_, { details }) => endAfter({ sn: details.endSN }));
}

/** hls.js: it has no source buffer for these bytes. */
const NO_SOURCE_BUFFER = 'HlsJsTrackRemovedError';
/** Nearer to the end of the buffer than this, in seconds, all that is buffered was played. */
const END_SECONDS = 0.5;

/**
 * Plays what is buffered to its end; then a new media source begins at the segment with other tracks. Nothing is loaded
 * meanwhile. A seek to where nothing is buffered makes the new media source at once.
 * @returns what takes each error of hls.js, and returns true for one after which playback goes on
 */
export function playOverTrackChanges(
  hls: Hls,
  { Events, ErrorDetails }: typeof Hls,
  video: HTMLVideoElement,
): (error: ErrorData) => boolean {
  let waiting = new AbortController();
  const begin = (second: number): void => {
    waiting.abort();
    hls.detachMedia();
    hls.attachMedia(video);
    // Without this hls.js begins at its live position, which may be before what has played.
    video.currentTime = second;
    hls.startLoad(second);
  };
  hls.on(Events.DESTROYING, () => waiting.abort());
  return ({ details, error }) => {
    const isChange = details === ErrorDetails.BUFFER_APPEND_ERROR && error.name === NO_SOURCE_BUFFER;
    if (!isChange || video.buffered.length === 0) return false;
    hls.stopLoad();
    const onWaiting = (): void => {
      const { currentTime } = video;
      const end = bufferEnd(video);
      if (end - currentTime > END_SECONDS || currentTime > end + END_SECONDS) return begin(currentTime);
      // The fragment in the error of hls.js is the initialisation segment, whose start is that of another segment.
      const next = hls.latestLevelDetails?.fragments.find(({ start }) => start > end - END_SECONDS);
      begin(next?.start ?? end);
    };
    waiting.abort();
    waiting = new AbortController();
    video.addEventListener('waiting', onWaiting, { signal: waiting.signal });
    if (video.readyState <= HTMLMediaElement.HAVE_CURRENT_DATA) onWaiting();
    return true;
  };
}

/**
 * Ends a stream with holes once its last segment is buffered and nothing is missing before it. The middle of the segment must be
 * buffered, not only its beginning, because browsers round the times of buffered ranges.
 */
export function endOverHoles(hls: Hls, { Events }: typeof Hls): void {
  hls.on(Events.FRAG_BUFFERED, () => {
    const { media, latestLevelDetails: details, mainForwardBufferInfo: ahead } = hls;
    const last = details?.fragments.at(-1);
    if (!media || media.buffered.length < 2 || details?.live !== false || !last) return;
    if (ahead && !ahead.nextStart && ahead.end > last.start + last.duration / 2)
      hls.trigger(Events.BUFFER_EOS, { type: null });
  });
}

/** How long playback waits while segments are buffered elsewhere than at its position. */
const OUT_OF_PLACE_MS = 3000;

/**
 * Calls `reload` where playback has stopped at the end of the buffer and does not go on, although segments come. It is called
 * once for each time that something has played, because another source may have the same fault. Where the end moves on, segments
 * come in place: parts that are shorter than what a decoder keeps leave playback waiting after each of them.
 */
export function reloadOutOfPlace(hls: Hls, { Events }: typeof Hls, reload: () => void): void {
  let since = Infinity;
  let end = Infinity;
  hls.on(Events.FRAG_BUFFERED, (_, { frag }) => {
    const { media } = hls;
    // The fragments of a separate audio track may be buffered long before the picture.
    if (!media || frag.type !== 'main') return;
    const isWaiting = media.readyState < HTMLMediaElement.HAVE_FUTURE_DATA && media.played.length > 0;
    const before = end;
    end = bufferEnd(media);
    const isOut = isWaiting && end <= before && end < media.currentTime + KEPT_SECONDS;
    const now = performance.now();
    since = isOut ? Math.min(since, now) : Infinity;
    if (now - since > OUT_OF_PLACE_MS) reload();
  });
}

/** Seconds; less is a difference of rounding. */
const SHORTEST_REST = 0.02;

/** What hls.js knows of a segment. It has no `loaded` for one that is loaded in parts. */
interface TrackedSegment {
  readonly buffered: boolean;
  loaded: unknown;
}

interface Tracker {
  readonly fragments?: Record<string, TrackedSegment>;
  detectEvictedFragments(...args: unknown[]): void;
}

/**
 * Keeps the parts of segments that hls.js would forget.
 * - Parts of segment 0: hls.js reads the number 0 as no number. So at each append it forgets this segment, if its beginning is not
 *   buffered, loads the same parts again without end, and playback does not get to segment 1.
 * - Parts of a segment that grows while the back buffer is removed: hls.js forgets which of its parts were loaded. Where the media
 *   of this segment ends a little early, as sound does, hls.js then never loads the next segment, and playback waits until it
 *   seeks forward.
 */
export function keepParts(hls: Hls): void {
  // These names are private: a later hls.js may have others, and plays without this repair then.
  const { streamController } = hls as unknown as { streamController?: { fragmentTracker?: Tracker } };
  const tracker = streamController?.fragmentTracker;
  const detect = tracker?.detectEvictedFragments;
  if (!detect) return;
  tracker.detectEvictedFragments = (...args) => {
    const [, , , appended, part] = args as [unknown, unknown, unknown, unknown, Part | null | undefined];
    // hls.js takes 0 for no number. It only compares this one: 0.5 is a number, and comes before segment 1.
    if (part?.fragment.sn === 0) args[4] = { fragment: { sn: 0.5 } };
    const all = appended ? [] : Object.values(tracker.fragments ?? {});
    const kept = all.filter(({ buffered, loaded }) => !buffered && !loaded);
    for (const segment of kept) segment.loaded = {};
    detect.apply(tracker, args);
    for (const segment of kept) segment.loaded = null;
  };
}

/**
 * Loads a segment as a whole after an outage in which the playlist has dropped the parts of it that were not loaded. By itself
 * hls.js takes such a segment for loaded and begins at the next one: then it jumps the gap, and what is signed there is not seen.
 */
export function finishSegments(hls: Hls, { Events }: typeof Hls): void {
  // These names are private, as above.
  const { streamController } = hls as unknown as { streamController?: { fragPrevious?: Fragment | null } };
  let newest: Part | null = null;
  let repeated: number | null = null;
  // Of parts that are loaded in a row hls.js reports only the last as FRAG_BUFFERED.
  hls.on(Events.BUFFER_APPENDING, (_, { frag, part }) => {
    if (frag.type !== 'main') return;
    newest = part;
    // A part may come after the playlist that no longer lists it.
    if (part && frag.sn === repeated && streamController) streamController.fragPrevious = null;
  });
  hls.on(Events.FRAG_BUFFERED, (_, { frag, part }) => {
    const { media } = hls;
    if (part || frag.type !== 'main' || frag.sn !== repeated || !media) return;
    repeated = null;
    seekWhereReplaced(media, frag);
  });
  hls.on(Events.LEVEL_UPDATED, (_, { details: { fragments, partList } }) => {
    const last = newest;
    const segment = fragments.find(({ sn }) => sn === last?.fragment.sn);
    if (!last || !segment || partList?.some(({ fragment }) => fragment.sn === segment.sn)) return;
    newest = null;
    const isWhole = last.fragOffset + last.duration > segment.duration - SHORTEST_REST;
    if (!streamController || isWhole) return;
    streamController.fragPrevious = null;
    repeated = segment.sn;
  });
}

/**
 * Loads a segment again, from its beginning, where the next part of it would not get into the buffer, or did not. After other
 * media than what precedes it was appended, as after a jump back, a browser drops all frames up to the next key frame (Media
 * Source Extensions, Coded Frame Processing). hls.js takes the part for loaded and jumps the gap, so that it is not seen.
 */
export function reloadDroppedParts(hls: Hls, { Events }: typeof Hls): void {
  // These names are private, as above.
  const { streamController } = hls as unknown as { streamController?: { fragPrevious?: Fragment | null } };
  /** Seconds in the buffer after the last append. */
  let total = 0;
  let newest: Part | null = null;
  let dropped: Part | null = null;
  let repeated: number | string | null = null;
  const repeat = ({ fragment: { sn } }: Part): void => {
    if (!streamController) return;
    streamController.fragPrevious = null;
    for (const each of hls.latestLevelDetails?.partList ?? [])
      if (each.fragment.sn === sn) each.clearElementaryStreamInfo();
  };
  hls.on(Events.BUFFER_APPENDED, (_, { parent, type, part, timeRanges }) => {
    const buffered = timeRanges.video ?? timeRanges.audiovideo;
    if (parent !== 'main' || type === 'audio' || !buffered) return;
    const before = total;
    total = secondsIn(buffered);
    if (!part) return;
    newest = part;
    // A part whose times are other than its playlist says is somewhere else in the buffer, which has grown then.
    const isLost = total - before < part.duration / 4 && !isBuffered(part, buffered);
    if (isLost && dropped?.fragment.sn !== part.fragment.sn) dropped = part;
  });
  hls.on(Events.FRAG_BUFFERED, (_, { frag, part }) => {
    const { media, latestLevelDetails } = hls;
    if (frag.type !== 'main' || !media) return;
    if (!part) {
      // A jump back, at which nothing of the growing segment is on screen yet.
      const growing = Number(latestLevelDetails?.fragmentHint?.sn);
      if (newest?.fragment.sn === growing && Number(frag.sn) < growing) repeat((dropped = newest));
    } else if (dropped?.fragment.sn !== frag.sn) return;
    else if (isBuffered(dropped, media.buffered)) {
      dropped = null;
      seekWhereReplaced(media, frag);
    } else if (frag.sn !== repeated && dropped.end > media.currentTime) {
      repeated = frag.sn;
      repeat(dropped);
    }
  });
}

const secondsIn = (ranges: TimeRanges): number =>
  Array.from({ length: ranges.length }, (_, at) => ranges.end(at) - ranges.start(at)).reduce(
    (sum, seconds) => sum + seconds,
    0,
  );

const isBuffered = ({ start, duration }: Part, buffered: TimeRanges): boolean =>
  bufferedAhead({ buffered }, start + duration / 2) > 0;

/** Where frames are replaced that were decoded, Chromium shows nothing up to the next key frame, unless the video seeks. */
function seekWhereReplaced(media: HTMLMediaElement, { start, end }: Fragment): void {
  const { currentTime } = media;
  if (currentTime > start - DECODED && currentTime < end) media.currentTime = currentTime;
}
