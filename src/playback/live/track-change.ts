// Plays an HLS stream over a change of its tracks: from MPEG-TS to fragmented MP4 with sound and back, or where sound comes or goes.
// - Such a segment fits none of the source buffers. hls.js (1.7.4) fails on it, and fails again in a new media source as long as
//   playback begins before the change.
// - What is buffered is played to its end. Then a new media source begins at that segment. Nothing is loaded meanwhile.
// - A seek to where nothing is buffered makes the new media source at once.
import type Hls from 'hls.js';
import type { ErrorData } from 'hls.js';

/** hls.js: it has no source buffer for these bytes. */
const NO_SOURCE_BUFFER = 'HlsJsTrackRemovedError';
/** Nearer to the end of the buffer than this, in seconds, all that is buffered was played. */
const END_SECONDS = 0.5;

/** @returns what takes each error of hls.js, and returns true for one after which playback goes on */
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
    // Else hls.js begins at its live position, which may be before what has played.
    video.currentTime = second;
    hls.startLoad(second);
  };
  hls.on(Events.DESTROYING, () => waiting.abort());
  return ({ details, error }) => {
    const isChange = details === ErrorDetails.BUFFER_APPEND_ERROR && error.name === NO_SOURCE_BUFFER;
    if (!isChange || video.buffered.length === 0) return false;
    hls.stopLoad();
    const onWaiting = (): void => {
      const { buffered, currentTime } = video;
      const end = buffered.length > 0 ? buffered.end(buffered.length - 1) : -Infinity;
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
