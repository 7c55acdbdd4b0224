// A signer kept in step with a page's own `<video>` (attribute `sync-with`). Policy: where both name the moment of their
// pictures (EXT-X-PROGRAM-DATE-TIME; `getStartDate` of the video) they are at the same one; else they are taken to be in
// step as they are when both first play at their live edges, and a stream with an end begins with the video. Looked at
// four times a second; what is done about it is live-step.ts's. A pause of the video, by the visitor or because it waits,
// holds the signer; a pause of the signer's own is the visitor's, and lasts. The signer never goes beyond where live
// playback is. A video that loads something else is a new one.
import type { LivePlayer } from '../../playback/live/live-player.ts';
import type { DatedVideo } from '../../playback/live/native-engine.ts';
import { stepFor } from './live-step.ts';

const LOOK_MS = 250;
/** A video this near to its end counts as live: players of segments stay three of them behind it. */
const AT_EDGE_SECONDS = 30;
/** What browsers play; beyond it setting a speed throws. */
const SLOWEST = 0.0625;
const FASTEST = 16;

/** Where the two were when they were in step. */
interface Meeting {
  readonly theirs: number;
  /** The second of our video; a moment where it has dates, because another video has other seconds. */
  readonly ours: number;
  readonly moment: number | null;
  readonly media: HTMLVideoElement | null;
}

export class LiveInStep {
  readonly #picture: LivePlayer;
  readonly #find: () => HTMLVideoElement | null;
  readonly #ending = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  #video: HTMLVideoElement | null = null;
  #source = '';
  #meeting: Meeting | null = null;
  #seekedAt = -Infinity;
  #ran: boolean | null = null;
  /** We have paused it, not the visitor. */
  #holding = false;
  #lag: number | null = null;

  /** @param find the page's video; null while it is not there */
  constructor(picture: LivePlayer, find: () => HTMLVideoElement | null) {
    this.#picture = picture;
    this.#find = find;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    const { signal } = this.#ending;
    picture.addEventListener('play', () => (this.#holding = false), { signal });
    // Another stream is to run, or to stand, as the video does, however soon it is there.
    picture.addEventListener('emptied', () => (this.#ran = null), { signal });
  }

  /** Seconds that the signer is behind the video, negative when ahead; null while that cannot be told. */
  get lag(): number | null {
    return this.#lag;
  }

  /** True while the video says where the signer is to be, or holds it. */
  get leads(): boolean {
    return this.#lag !== null || this.#holding;
  }

  end(): void {
    clearInterval(this.#timer);
    this.#ending.abort();
    this.#leave();
  }

  /** There is no video any more to be in step with, or to wait for. */
  #leave(): void {
    this.#letGo();
    if (this.#holding) void this.#picture.play();
    this.#holding = false;
  }

  /** Nothing tells where it should be. */
  #letGo(): void {
    this.#picture.steered = null;
    this.#lag = null;
  }

  #look(): void {
    const picture = this.#picture;
    const video = this.#find();
    if (video !== this.#video || (video?.currentSrc ?? '') !== this.#source) {
      this.#video = video;
      this.#source = video?.currentSrc ?? '';
      this.#meeting = this.#ran = null;
    }
    if (!video) return this.#leave();
    if (!picture.media) return this.#letGo();
    const runs = !video.paused && !video.ended && video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA;
    if (runs !== this.#ran) this.#follow(runs);
    const target = this.#targetFor(video);
    if (target === null) return this.#letGo();
    this.#lag = target - picture.currentTime;
    if (!runs || picture.paused || picture.seeking) return;
    this.#step(this.#within(target) - picture.currentTime, video.playbackRate);
  }

  /** Pauses and plays with the video. */
  #follow(runs: boolean): void {
    this.#ran = runs;
    if (runs && this.#holding) void this.#picture.play();
    else if (!runs && !this.#picture.paused) {
      this.#picture.pause();
      this.#holding = true;
    }
  }

  #step(lag: number, rate: number): void {
    const picture = this.#picture;
    const step = stepFor(lag, performance.now() - this.#seekedAt);
    picture.steered = Math.min(FASTEST, Math.max(SLOWEST, step.rate * rate));
    if (!step.seek) return;
    this.#seekedAt = performance.now();
    picture.currentTime += lag;
  }

  /** The second that should be on screen now; null while nothing tells. */
  #targetFor(video: HTMLVideoElement): number | null {
    const picture = this.#picture;
    const start = (video as DatedVideo).getStartDate?.().getTime() ?? NaN;
    const dated = Number.isNaN(start) ? null : picture.timeOf(start + video.currentTime * 1000);
    if (dated !== null) return dated;
    if (picture.streamType === 'on-demand') return video.currentTime;
    const { media, currentTime } = picture;
    if (this.#meeting && this.#meeting.moment === null && this.#meeting.media !== media) this.#meeting = null;
    if (!this.#meeting && !picture.paused && picture.isAtLive && isAtEdge(video)) {
      const moment = picture.momentOf(currentTime);
      this.#meeting = { theirs: video.currentTime, ours: currentTime, moment, media };
    }
    if (!this.#meeting) return null;
    const { theirs, ours, moment } = this.#meeting;
    const passed = video.currentTime - theirs;
    return moment === null ? ours + passed : picture.timeOf(moment + passed * 1000);
  }

  /** As near as there is something to show. */
  #within(target: number): number {
    const { seekable, currentTime } = this.#picture;
    if (seekable.length === 0) return currentTime;
    return Math.min(seekable.end(seekable.length - 1), Math.max(seekable.start(0), target));
  }
}

const isAtEdge = ({ paused, readyState, seekable, currentTime }: HTMLVideoElement): boolean =>
  !paused &&
  readyState >= HTMLMediaElement.HAVE_FUTURE_DATA &&
  seekable.length > 0 &&
  seekable.end(seekable.length - 1) - currentTime <= AT_EDGE_SECONDS;
