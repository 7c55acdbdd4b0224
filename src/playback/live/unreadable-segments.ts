// Leaves out the segments of an HLS stream in which hls.js finds no media, as it does itself when it has a worker.
// - Without a worker hls.js 1.7 loads such a segment seven times and stops, if it is the newest of a live stream or the stream
//   has ended.
// - The fourth in a row is an error, and so is the last one of a stream of which nothing could be read.
// - Loading starts again after it: hls.js would load the first segment of a playlist again although it was left out, and would
//   show the first frame after a segment that was left out in place of it, so that the picture would freeze.
// - hls.js does not end a stream whose last segment was left out: here it ends after its last segment with media.
import type Hls from 'hls.js';
import type { Fragment } from 'hls.js';

/** Segments in a row that are left out. */
const MAX_LEFT_OUT = 3;

const hasMedia = ({ elementaryStreams }: Fragment): boolean => Object.values(elementaryStreams).some(Boolean);

/** @param onError is called when no more segments are left out */
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
  // The last moment before hls.js decides that a segment without media has to be loaded again.
  hls.on(Events.FRAG_PARSED, (_, { frag, part }) => {
    if (part || hasMedia(frag)) return;
    // For this error hls.js does nothing but mark the segment as a gap.
    hls.trigger(Events.ERROR, {
      type: ErrorTypes.MEDIA_ERROR,
      details: ErrorDetails.BUFFER_APPEND_NO_PROGRESS,
      fatal: false,
      error: new Error('the segment has no media'),
      parent: frag.type,
      frag,
      appendsWithoutProgress: hls.config.appendErrorMaxRetry,
    });
    leftOut += 1;
    if (leftOut > MAX_LEFT_OUT || (isLast(frag) && !isBuffered())) onError(ErrorDetails.FRAG_PARSING_ERROR);
    else if (isLast(frag)) endAfter(frag);
    // So hls.js forgets where the segment before ended, and does not show the next frame from there on.
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
