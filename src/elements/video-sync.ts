// Keeps a signer in step with a page's own `<video>` (attribute `sync-with`).
// - When both have dates (EXT-X-PROGRAM-DATE-TIME; `getStartDate` of the video), both show the same moment. Else they keep the
//   distance that they have when both first play at their live edges. A stream with an end begins with the video.
// - A lag of up to 1 s is corrected by rate: half of it each second, between 0.9 and 1.1. More is corrected by one seek, at most
//   one in 5 s, also while the visitor drags the video. Less than two frames is ignored.
// - When the video pauses or waits for data, the signer is held. A pause of the signer itself is the visitor's, and stays. A held
//   signer goes live when the video is gone, or when the video begins nearer to live and no dates or earlier positions say where
//   the signer should be.
// - The signer never plays ahead of its live position. It plays buffered media that the playlist no longer lists, as the video
//   does, and plays again after its end. When the video loads another source, the sync starts again.
import type { LivePlayer } from '../playback/live/live-player.ts';
import type { DatedVideo } from '../playback/live/native-engine.ts';
import { bufferedAhead } from '../playback/live/stream-recovery.ts';

const SEEK_BEYOND = 1;
const SEEK_PAUSE_MS = 5_000;
const CLOSE_ENOUGH = 0.08;
const GAIN = 0.5;
const SLOWEST_STEP = 0.9;
const FASTEST_STEP = 1.1;

interface Step {
  /** Playback rate, as a multiple of the video's. */
  readonly rate: number;
  readonly seek: boolean;
}

/**
 * @param lag seconds behind where it should be; negative when ahead
 * @param sinceSeekMs milliseconds since the last seek of the sync
 */
export function stepFor(lag: number, sinceSeekMs: number): Step {
  const off = Math.abs(lag);
  if (off > SEEK_BEYOND && sinceSeekMs >= SEEK_PAUSE_MS) return { rate: 1, seek: true };
  if (off < CLOSE_ENOUGH) return { rate: 1, seek: false };
  const rate = Math.min(FASTEST_STEP, Math.max(SLOWEST_STEP, 1 + GAIN * lag));
  // In hundredths: a smaller difference is not visible.
  return { rate: Math.round(rate * 100) / 100, seek: false };
}

const UPDATE_MS = 250;
/** A video this near to its end counts as live, because players stay about three segments behind the end. */
const AT_EDGE_SECONDS = 30;
/** Rates that browsers accept; other values throw. */
const SLOWEST = 0.0625;
const FASTEST = 16;

/** Positions of the two at which they were in step. */
interface SyncPoint {
  readonly theirs: number;
  readonly ours: number;
  /** The moment of our second; null without dates. It counts before our second, because our next video has other seconds. */
  readonly moment: number | null;
  readonly media: HTMLVideoElement | null;
}

export class VideoSync {
  readonly #player: LivePlayer;
  readonly #find: () => HTMLVideoElement | null;
  readonly #ending = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  #video: HTMLVideoElement | null = null;
  #source = '';
  #syncPoint: SyncPoint | null = null;
  #seekedAt = -Infinity;
  #ran: boolean | null = null;
  /** True when the sync has paused the signer, and not the visitor. */
  #isHolding = false;
  #lag: number | null = null;

  /** @param find finds the page's video; null while there is none */
  constructor(player: LivePlayer, find: () => HTMLVideoElement | null) {
    this.#player = player;
    this.#find = find;
    this.#timer = setInterval(() => this.#update(), UPDATE_MS);
    const { signal } = this.#ending;
    player.addEventListener('play', () => (this.#isHolding = false), { signal });
    // The next stream of the signer must play or pause as the video does, from its start.
    player.addEventListener('emptied', () => (this.#ran = null), { signal });
  }

  /** Seconds that the signer is behind the video, negative when ahead; null while that is not known. */
  get lag(): number | null {
    return this.#lag;
  }

  /** True while the video decides the position of the signer, or holds it. */
  get leads(): boolean {
    return this.#lag !== null || this.#isHolding;
  }

  end(): void {
    clearInterval(this.#timer);
    this.#ending.abort();
    this.#release();
  }

  /** There is no video any more. A held signer goes live, because no visitor has chosen the second at which it was held. */
  #release(): void {
    this.#stopSteering();
    if (this.#isHolding) this.#player.goLive();
    this.#isHolding = false;
  }

  /** Ends the steering: the signer plays at its own rate. */
  #stopSteering(): void {
    this.#player.steeringRate = null;
    this.#lag = null;
  }

  #update(): void {
    const player = this.#player;
    const video = this.#find();
    if (video !== this.#video || (video?.currentSrc ?? '') !== this.#source) {
      this.#video = video;
      this.#source = video?.currentSrc ?? '';
      this.#syncPoint = this.#ran = null;
    }
    if (!video) return this.#release();
    if (!player.media) return this.#stopSteering();
    const runs = !video.paused && !video.ended && video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA;
    const target = this.#targetFor(video);
    if (runs !== this.#ran) this.#follow(runs, target === null && this.#isNearerToLive(video));
    if (target === null) return this.#stopSteering();
    this.#lag = target - player.currentTime;
    if (!runs || player.seeking) return;
    const lag = this.#within(target) - player.currentTime;
    if (player.ended) this.#playAgain(lag);
    else if (!player.paused) this.#step(lag, video.playbackRate);
  }

  /** True when the video plays nearer to its live edge than the held signer is to its own. */
  #isNearerToLive(video: HTMLVideoElement): boolean {
    const { latency, livePosition, currentTime } = this.#player;
    return latency !== null && isAtEdge(video, latency - (livePosition - currentTime) / 2);
  }

  /** The video has gone back behind the end of the signer, as one that loops does. */
  #playAgain(lag: number): void {
    if (lag > -SEEK_BEYOND) return;
    this.#player.currentTime += lag;
    this.#player.tryToPlay();
  }

  /** Pauses and plays with the video. */
  #follow(runs: boolean, atLive: boolean): void {
    this.#ran = runs;
    if (runs && this.#isHolding) {
      if (atLive) this.#player.goLive();
      else this.#player.tryToPlay();
    } else if (!runs && !this.#player.paused) {
      this.#player.pause();
      this.#isHolding = true;
    }
  }

  #step(lag: number, rate: number): void {
    const player = this.#player;
    const step = stepFor(lag, performance.now() - this.#seekedAt);
    player.steeringRate = Math.min(FASTEST, Math.max(SLOWEST, step.rate * rate));
    if (!step.seek) return;
    this.#seekedAt = performance.now();
    player.currentTime += lag;
  }

  /** The second that should be on screen now; null while it is not known. */
  #targetFor(video: HTMLVideoElement): number | null {
    const player = this.#player;
    const start = (video as DatedVideo).getStartDate?.().getTime() ?? NaN;
    const dated = Number.isNaN(start) ? null : player.timeOf(start + video.currentTime * 1000);
    if (dated !== null) return dated;
    if (player.streamType === 'on-demand') return video.currentTime;
    const { media, currentTime } = player;
    if (this.#syncPoint && this.#syncPoint.moment === null && this.#syncPoint.media !== media)
      this.#syncPoint = null;
    if (!this.#syncPoint && !player.paused && player.isAtLive && isAtEdge(video)) {
      const moment = player.momentOf(currentTime);
      this.#syncPoint = { theirs: video.currentTime, ours: currentTime, moment, media };
    }
    if (!this.#syncPoint) return null;
    const { theirs, ours, moment } = this.#syncPoint;
    const passed = video.currentTime - theirs;
    return moment === null ? ours + passed : player.timeOf(moment + passed * 1000);
  }

  /** The target, limited to the seekable range and what is buffered before it. */
  #within(target: number): number {
    const { seekable, currentTime, media } = this.#player;
    if (seekable.length === 0) return currentTime;
    const isBuffered = media !== null && bufferedAhead(media, target) > 0;
    const start = isBuffered ? target : seekable.start(0);
    // There is no frame at the very end.
    return Math.min(seekable.end(seekable.length - 1) - CLOSE_ENOUGH, Math.max(start, target));
  }
}

const isAtEdge = (
  { paused, readyState, seekable, currentTime }: HTMLVideoElement,
  seconds = AT_EDGE_SECONDS,
): boolean =>
  !paused &&
  readyState >= HTMLMediaElement.HAVE_FUTURE_DATA &&
  seekable.length > 0 &&
  seekable.end(seekable.length - 1) - currentTime <= seconds;

/** Null when there is none. Looks in the element's own tree first, as for the attribute `for`: a page may use shadow roots. */
export function videoById(host: Element, id: string): HTMLVideoElement | null {
  const root = host.getRootNode();
  const own = root instanceof ShadowRoot ? root.getElementById(id) : null;
  const found = own ?? document.getElementById(id);
  return found instanceof HTMLVideoElement ? found : null;
}
