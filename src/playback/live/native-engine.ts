// HLS by the browser itself, where there is no MediaSource (an old iPhone). Policy: the last resort; the browser loads,
// retries and buffers as it likes, so what can be told is the range that can be sought in and the date of second 0. Safari
// says of a live stream that it has no end; WebKitGTK that it ends where the picture is, so there nothing tells where live is.
import type { Engine, EngineOptions } from './engine.ts';

const HLS_TYPE = 'application/vnd.apple.mpegurl';
/** What such a player keeps of distance by itself: three segments of 2 s. */
const HOLD_BACK_SECONDS = 6;
/** No stream that has an end is as short as this. */
const SHORTEST_SECONDS = 1;

/** Safari tells the date of second 0, an invalid one when the playlist has none. */
export type DatedVideo = HTMLVideoElement & { getStartDate?(): Date };

export const playsNatively = (): boolean => document.createElement('video').canPlayType(HLS_TYPE) !== '';

export function openNative({ video, events }: EngineOptions): Engine {
  const listening = new AbortController();
  const { signal } = listening;
  let url = '';
  /** Its end goes along with the picture. */
  let grows = false;
  const onMetadata = (): void => {
    grows = video.duration < SHORTEST_SECONDS;
    events.read();
  };
  video.addEventListener('loadedmetadata', onMetadata, { signal });
  video.addEventListener('durationchange', () => events.read(), { signal });
  video.addEventListener('progress', () => events.fed(), { signal });
  const broken = (): void => {
    const { code = 0, message = '' } = video.error ?? {};
    const cause = code === MediaError.MEDIA_ERR_DECODE ? 'media' : 'network';
    events.broken({ cause, status: 0, message: message || 'the stream does not play' });
  };
  video.addEventListener('error', broken, { signal });
  const startDate = (): number => (video as DatedVideo).getStartDate?.().getTime() ?? NaN;
  const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

  return {
    load(address) {
      url = address;
      video.src = address;
    },
    get isLive() {
      const { duration, currentTime, ended } = video;
      if (Number.isNaN(duration)) return null;
      return duration === Infinity || (grows && !ended && duration < currentTime + SHORTEST_SECONDS);
    },
    get edge() {
      const { seekable } = video;
      return seekable.length > 0 ? seekable.end(seekable.length - 1) : null;
    },
    get liveEdge() {
      return video.duration === Infinity ? this.edge : null;
    },
    get holdBack() {
      return this.isLive ? HOLD_BACK_SECONDS : null;
    },
    get received() {
      const { buffered } = video;
      return buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
    },
    // The browser begins where it likes; catching up brings playback where it is to be.
    aimAt() {},
    timeOf: (moment) => orNull((moment - startDate()) / 1000),
    momentOf: (time) => orNull(startDate() + time * 1000),
    stop: () => video.pause(),
    start: () => {
      video.src = url;
    },
    repair: () => {
      video.src = url;
    },
    destroy() {
      listening.abort();
    },
  };
}
