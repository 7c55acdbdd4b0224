// A stream of which nothing more is heard: no picture, no bytes, and an engine that says nothing is wrong. Policy: looked at
// once a second while a picture is wanted; where media is loaded behind a hole, a live picture that has stood there for 2 s
// goes on behind it, for hls.js leaves a hole at the start to a video that plays, which one that has no picture yet does not.
// After 20 s without a frame or a byte the engine is told to go on: to build anew what decodes where it is that which stands,
// else to load again. A stream that has come to no picture is given up after four such times, one that had a picture, whose
// source may have been switched off for a while, after fifteen (5 min). A network that is known to be away is waited for.
import type { SignError } from '../../protocol/sign-error.ts';
import { ownError } from '../../protocol/sign-error.ts';
import type { Engine } from './engine.ts';
import { loadedBeyond } from './live-edge.ts';

const LOOK_MS = 1000;
/** In looks. */
const PATIENCE = 20;
const HOLE_PATIENCE = 2;
const MOST_WITHOUT_PICTURE = 4;
const MOST_WITH_PICTURE = 15;
/** So much beyond the picture should play. */
const ENOUGH_SECONDS = 0.5;
/** Decoders keep the last frames of what is loaded to themselves until they get more. */
const KEPT_SECONDS = 0.2;
/** Past the beginning of what is loaded, which a decoder may round. */
const INSIDE_SECONDS = 0.05;

export type WatchedVideo = Pick<
  HTMLVideoElement,
  'buffered' | 'currentTime' | 'ended' | 'paused' | 'readyState' | 'seeking' | 'addEventListener'
>;

export interface StandstillOrders {
  readonly engine: Pick<Engine, 'isLive' | 'received' | 'repair' | 'start'>;
  readonly video: WatchedVideo;
  /** Told once; nothing more is tried. */
  failed(error: SignError): void;
}

export class Standstill {
  readonly #orders: StandstillOrders;
  #hasPicture = false;
  /** What was there at the last look. */
  #seen = '';
  #at = NaN;
  /** Looks since the picture moved, and since anything came. */
  #stood = 0;
  #silent = 0;
  #tries = 0;

  /** Works until the signal aborts. */
  constructor(orders: StandstillOrders, signal: AbortSignal) {
    this.#orders = orders;
    const timer = setInterval(() => this.#look(), LOOK_MS);
    const shown = (): void => {
      this.#hasPicture = true;
      this.#tries = 0;
    };
    orders.video.addEventListener('loadeddata', shown, { signal });
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  #look(): void {
    const { engine, video } = this.#orders;
    const seen = `${video.readyState} ${engine.isLive} ${engine.received}`;
    const isWanted = this.#hasPicture ? !video.paused && !video.ended : true;
    const hasMoved = video.currentTime !== this.#at;
    const hasCome = hasMoved || seen !== this.#seen;
    this.#at = video.currentTime;
    this.#seen = seen;
    if (hasMoved && this.#hasPicture) this.#tries = 0;
    this.#stood = isWanted && !hasMoved ? this.#stood + 1 : 0;
    this.#silent = isWanted && !hasCome && navigator.onLine !== false ? this.#silent + 1 : 0;
    if (this.#stood === HOLE_PATIENCE) this.#leaveHole();
    if (this.#silent < PATIENCE) return;
    this.#silent = 0;
    this.#goOn();
  }

  #leaveHole(): void {
    const { engine, video } = this.#orders;
    const { buffered, currentTime } = video;
    // Who has sought waits for what is there.
    if (!engine.isLive || (this.#hasPicture && video.seeking)) return;
    for (let i = 0; i < buffered.length; i++) {
      if (buffered.end(i) - currentTime < KEPT_SECONDS) continue;
      const start = buffered.start(i);
      if (start > currentTime) video.currentTime = start + INSIDE_SECONDS;
      return;
    }
  }

  #goOn(): void {
    const { engine, video, failed } = this.#orders;
    const most = this.#hasPicture ? MOST_WITH_PICTURE : MOST_WITHOUT_PICTURE;
    if (this.#tries > most) return;
    if (this.#tries++ === most) return failed(ownError('media_error', 'nothing more has come of the stream'));
    const isLoaded = loadedBeyond(video, video.currentTime) > ENOUGH_SECONDS;
    // What was read and brings nothing may not have been given to the video.
    const isUnseen = !this.#hasPicture && engine.isLive !== null && this.#tries % 2 === 0;
    if (isLoaded || isUnseen) engine.repair();
    else engine.start();
  }
}
