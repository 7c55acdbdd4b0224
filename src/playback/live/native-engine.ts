// HLS by the browser itself, where there is no MediaSource (iOS before 17.1). Loaded there only.
// - The browser loads, retries and buffers; only the seekable range and the date of second 0 are known.
// - Safari reports a live stream as endless. WebKitGTK reports a duration that grows with playback: no live edge is known.
import type { Engine, EngineOptions } from './engine.ts';

const HLS_TYPE = 'application/vnd.apple.mpegurl';
/** The distance that such a player keeps by itself: three segments of 2 s. */
const HOLD_BACK_SECONDS = 6;
/** No stream with an end is as short as this. */
const SHORTEST_SECONDS = 1;
/** A stream with an end becomes longer a few times at most; in WebKitGTK a live one grows many times a second. */
const GROWTHS = 9;

/** Safari: the date of second 0; an invalid date when the playlist has none. */
export type DatedVideo = HTMLVideoElement & { getStartDate?(): Date };

export const playsNatively = (): boolean => document.createElement('video').canPlayType(HLS_TYPE) !== '';

export function openNative({ video, events }: EngineOptions): Engine {
  const listening = new AbortController();
  const { signal } = listening;
  let url = '';
  /** The duration grows with playback (WebKitGTK). */
  let grows = false;
  let growths = 0;
  let longest = Infinity;
  const onMetadata = (): void => {
    grows = video.duration < SHORTEST_SECONDS;
    events.onPlaylist();
  };
  // On a busy page the event of the metadata may come when the stream has already played for a while.
  const onDuration = (): void => {
    if (video.duration > longest) growths += 1;
    longest = video.duration;
    grows ||= growths > GROWTHS;
    events.onPlaylist();
  };
  video.addEventListener('loadedmetadata', onMetadata, { signal });
  video.addEventListener('durationchange', onDuration, { signal });
  video.addEventListener('progress', () => events.onBuffered(0), { signal });
  const onError = (): void => {
    const { code = 0, message = '' } = video.error ?? {};
    const cause = code === MediaError.MEDIA_ERR_DECODE ? 'media' : 'network';
    events.onError({ cause, status: 0, message: message || 'the stream does not play' });
  };
  video.addEventListener('error', onError, { signal });
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
    isStarting: false,
    get received() {
      const { buffered } = video;
      return buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
    },
    // The browser chooses where it starts; the playback rate then leads to the target latency.
    setTargetLatency() {},
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
