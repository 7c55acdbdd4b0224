// Recovers a live stream whose engine has failed (ErrorController), or from which nothing more comes (GapController).
// - New media resets the count of tries after a network error. After a media error, only 30 s without an error reset it, because
//   media that is buffered may still fail to decode.
// - A stream with an end fails a minute after its first error without new media, also while its engine tries again by itself (a
//   key that is too short). A live one may be switched off for a while, so its silence ends it only after 5 minutes.
import { isFinalStatus, ownError } from '../../protocol/own-errors.ts';
import { SignError } from '../../protocol/sign-error.ts';
import type { Engine, EngineError } from './engine.ts';

const TRIES = 4;
const LONGEST_DELAY_MS = 8000;
const RESET_MS = 30_000;
/** How long network errors are retried. */
const FAILING_MS = 60_000;

export interface ErrorControllerOptions {
  readonly engine: Pick<Engine, 'isLive' | 'start' | 'repair'>;
  /** The service has just given its address, and may not have written its playlist yet. */
  readonly isFresh?: boolean;
  /** Asks the owner for another address; true when the owner plays that one instead, and this stream does nothing more. */
  readonly renew?: (signal: AbortSignal) => Promise<boolean>;
  /** True from an error until new media is buffered. */
  recovering?(on: boolean): void;
  /** Nothing more is tried: it aborts the signal. */
  failed(error: SignError): void;
}

/**
 * Decides what follows after an engine has failed: wait and retry, rebuild, look up a new address, or give up.
 * - 4xx is final (`media_refused`), except 408, 425 and 429, or when the owner has another address, because a signed address may
 *   expire. A refusal without CORS headers has no status: after the second such error the owner is asked for another address.
 * - Other network errors are retried after 1, 2, 4, 8 and each 8 s (each 25 % more or less, so that viewers do not all come back
 *   at once), and at once on `online`. After four tries and a minute: `media_error`.
 * - Where the owner looks up no addresses, a 404 is retried in that minute: a playlist is polled as segments land (document 2,
 *   Generate response), and may be missing before the first of them, or while an encoder starts again; then `media_refused` has
 *   the cause `network`, because it may come later. A playlist that has an end gets no segments, so its 404 is final. Stores
 *   such as S3 answer 403 for what is missing: before the first playlist of a fresh stream it counts as a 404.
 * - A media error is repaired at once. Once media was buffered, the next repairs wait 2, 4 and 8 s: right after a repair the
 *   stream is still at the segment that failed, and live passes that segment only with time.
 */
export class ErrorController {
  readonly #options: ErrorControllerOptions;
  readonly #signal: AbortSignal;
  /** Time of the first error since the last media or `online`; null when there was none. */
  #failingSince: number | null = null;
  #hasMedia = false;
  #tries = 0;
  #lastErrorAt = 0;
  #cause: EngineError['cause'] = 'network';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRecovering = false;

  /** Runs until the signal aborts. */
  constructor(options: ErrorControllerOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    const onOnline = (): void => {
      this.#tries = 0;
      this.#failingSince = null;
      if (this.#timer === undefined) return;
      this.#resume();
    };
    addEventListener('online', onOnline, { signal });
    signal.addEventListener('abort', () => this.#clearTimer(), { once: true });
  }

  /** New media was buffered. */
  mediaBuffered(): void {
    this.#hasMedia = true;
    this.#failingSince = null;
    this.#setRecovering(false);
    if (this.#cause === 'network' && this.#timer === undefined) this.#tries = 0;
  }

  engineFailed({ cause, status, message, isRetried }: EngineError): void {
    if (this.#signal.aborted) return;
    const now = performance.now();
    const { renew, engine, failed, isFresh } = this.#options;
    const hasEnd = engine.isLive === false;
    const isOver = now - (this.#failingSince ??= now) >= FAILING_MS;
    const isLost = hasEnd && isOver;
    if (isRetried && !isLost) return;
    if (now - this.#lastErrorAt > RESET_MS) this.#tries = 0;
    this.#lastErrorAt = now;
    this.#cause = cause;
    this.#setRecovering(true);
    const isMissing = status === 404 || (status === 403 && isFresh && engine.isLive === null);
    const mayCome = isMissing && !renew && !hasEnd;
    if (isFinalStatus(status) && !(mayCome && !isOver)) return void this.#renew(status, mayCome);
    const tries = this.#tries++;
    if (cause === 'network' && status === 0 && tries === 1) renew?.(this.#signal).catch(() => {});
    if (isLost || (tries >= TRIES && (isOver || cause === 'media')))
      return failed(ownError('media_error', message, { cause }));
    const isAtOnce = cause === 'media' && (tries === 0 || !this.#hasMedia);
    if (isAtOnce) return this.#resume();
    const delay = Math.min(LONGEST_DELAY_MS, 1000 * 2 ** tries);
    this.#clearTimer();
    this.#timer = setTimeout(() => this.#resume(), delay * (0.75 + Math.random() / 2));
  }

  #resume(): void {
    this.#clearTimer();
    if (this.#cause === 'media') this.#options.engine.repair();
    else this.#options.engine.start();
  }

  async #renew(status: number, mayCome: boolean | undefined): Promise<void> {
    const { renew, failed } = this.#options;
    const outcome: unknown = await renew?.(this.#signal).catch((error: unknown) => error);
    if (outcome === true || this.#signal.aborted) return;
    const cause = mayCome ? { cause: 'network' } : undefined;
    const refused = ownError('media_refused', `the media server answered ${status}`, cause);
    failed(outcome instanceof SignError ? outcome : refused);
  }

  #setRecovering(on: boolean): void {
    if (on === this.#isRecovering) return;
    this.#isRecovering = on;
    this.#options.recovering?.(on);
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const INTERVAL_MS = 1000;
/** Counted in checks, one each second. */
const SILENT_CHECKS = 20;
const GAP_CHECKS = 2;
const MAX_TRIES = 2;
const MAX_TRIES_OF_LIVE_PICTURE = 15;
/** With this much buffered ahead, playback should go on. */
const ENOUGH_SECONDS = 0.5;
/** A decoder keeps the last frames of the buffer until it gets more. */
export const KEPT_SECONDS = 0.2;
/** How many checks a live stream may have sound and no picture. */
const SOUND_CHECKS = 20;
/** Seconds after the start of a buffered range, because a decoder may round the start. */
const INSIDE_SECONDS = 0.05;

export type WatchedVideo = Pick<
  HTMLVideoElement,
  | 'buffered'
  | 'currentTime'
  | 'ended'
  | 'paused'
  | 'readyState'
  | 'seeking'
  | 'videoWidth'
  | 'addEventListener'
>;

interface GapControllerOptions {
  readonly engine: Pick<Engine, 'edge' | 'isLive' | 'isSoundAlone' | 'received' | 'repair' | 'start'>;
  readonly video: WatchedVideo;
  /** True while the viewer waits for something that the source was told to show. Absent: never. */
  isAwaited?(): boolean;
  /** Nothing more is tried: it aborts the signal. */
  failed(error: SignError): void;
}

/**
 * Jumps gaps in the buffer of a live stream, and restarts an engine that is silent.
 * - Silence (no frame, no bytes, no error) is checked once a second while playback is wanted; not while the network is offline.
 *   Bytes do not break it where there is media to show: WebKitGTK can hang in a first seek (bug 262193) while more arrives.
 *   After 20 s the engine rebuilds its source when media is buffered ahead, else it loads again.
 * - The stream fails after two such tries (a minute) before its first frame and where it has an end, else after fifteen (5 min).
 *   A try does not count while the manifest is read again and does not grow: the source is there and may pause for any time. Where
 *   the viewer waits for something from the source (`isAwaited`), it may not pause: each try counts, and there are only two.
 * - A live stream that has stalled for 2 s before buffered media seeks there: hls.js jumps a gap at the start only in a video that
 *   plays, and a video without a first frame does not play.
 * - A stream of sound alone fails as soon as it is loaded. A live one whose manifest does not say that it has no picture fails
 *   after 20 s: its encoder may have started before its camera.
 */
export class GapController {
  readonly #options: GapControllerOptions;
  #hasPicture = false;
  /** State at the last check. */
  #lastProgress = '';
  #lastTime = NaN;
  #lastReceived = 0;
  /** Checks since the picture moved, and since anything was received. */
  #stalledChecks = 0;
  #silentChecks = 0;
  #soundChecks = 0;
  #tries = 0;
  /** The manifest was read since the last try; its end at the last try. */
  #isRead = false;
  #lastEdge: number | null = null;

  /** Runs until the signal aborts. */
  constructor(options: GapControllerOptions, signal: AbortSignal) {
    this.#options = options;
    const timer = setInterval(() => this.#check(), INTERVAL_MS);
    const onLoadedData = (): void => {
      this.#hasPicture = true;
      this.#tries = 0;
      this.#checkPicture();
    };
    options.video.addEventListener('loadeddata', onLoadedData, { signal });
    signal.addEventListener('abort', () => clearInterval(timer));
  }

  /** The manifest was read, for the first time or again. */
  playlistRead(): void {
    this.#isRead = true;
  }

  /** There is enough media at the position for playback to go on. */
  get #isBuffered(): boolean {
    const { video } = this.#options;
    return bufferedAhead(video, video.currentTime) > ENOUGH_SECONDS;
  }

  #checkPicture(): void {
    const { engine, video, failed } = this.#options;
    const isMissing = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !video.videoWidth;
    this.#soundChecks = isMissing ? this.#soundChecks + 1 : 0;
    const mayCome = engine.isLive && !engine.isSoundAlone && this.#soundChecks <= SOUND_CHECKS;
    if (isMissing && !mayCome) failed(ownError('media_error', 'it has no picture'));
  }

  #check(): void {
    this.#checkPicture();
    const { engine, video } = this.#options;
    const { received } = engine;
    const progress = `${video.currentTime} ${video.readyState} ${engine.isLive}`;
    const isWanted = this.#hasPicture ? !video.paused && !video.ended : true;
    const hasMoved = video.currentTime !== this.#lastTime;
    const hasReceived = received !== this.#lastReceived && !this.#isBuffered;
    const hasProgress = hasReceived || progress !== this.#lastProgress;
    this.#lastTime = video.currentTime;
    this.#lastProgress = progress;
    this.#lastReceived = received;
    if (hasMoved && this.#hasPicture) this.#tries = 0;
    this.#stalledChecks = isWanted && !hasMoved ? this.#stalledChecks + 1 : 0;
    this.#silentChecks = isWanted && !hasProgress && navigator.onLine !== false ? this.#silentChecks + 1 : 0;
    if (this.#stalledChecks >= GAP_CHECKS) this.#jumpGap();
    if (this.#silentChecks < SILENT_CHECKS) return;
    this.#silentChecks = 0;
    this.#restart();
  }

  #jumpGap(): void {
    const { engine, video } = this.#options;
    const { buffered, currentTime } = video;
    // After a seek the video waits for what is loaded there.
    if (!engine.isLive || (this.#hasPicture && video.seeking)) return;
    for (let i = 0; i < buffered.length; i++) {
      if (buffered.end(i) - currentTime < KEPT_SECONDS) continue;
      const start = buffered.start(i);
      if (start > currentTime) video.currentTime = start + INSIDE_SECONDS;
      return;
    }
  }

  #restart(): void {
    const { engine, failed } = this.#options;
    const mayPause = this.#hasPicture && !this.#options.isAwaited?.();
    const maxTries = mayPause && engine.isLive ? MAX_TRIES_OF_LIVE_PICTURE : MAX_TRIES;
    const isBuffered = this.#isBuffered;
    const sourcePauses = mayPause && !isBuffered && this.#isRead && engine.edge === this.#lastEdge;
    this.#isRead = false;
    this.#lastEdge = engine.edge;
    if (sourcePauses) this.#tries = 0;
    else if (this.#tries++ === maxTries)
      return failed(ownError('media_error', 'nothing more came', { cause: 'network' }));
    // The media source may be stuck although the manifest was read: every second try rebuilds it.
    const isSourceStuck = !this.#hasPicture && engine.isLive !== null && this.#tries % 2 === 0;
    if (isBuffered || isSourceStuck) engine.repair();
    else engine.start();
  }
}

/** Seconds that are buffered beyond this second of the video; 0 when this second is not buffered. */
export function bufferedAhead({ buffered }: Pick<HTMLVideoElement, 'buffered'>, second: number): number {
  for (let i = 0; i < buffered.length; i++) {
    if (buffered.start(i) <= second && second < buffered.end(i)) return buffered.end(i) - second;
  }
  return 0;
}

/** The second at which the buffer ends; -Infinity when nothing is buffered. */
export const bufferEnd = ({ buffered }: Pick<HTMLVideoElement, 'buffered'>): number =>
  buffered.length > 0 ? buffered.end(buffered.length - 1) : -Infinity;

/** The buffered second nearest to this one, at or before it, with `ahead` seconds buffered after it; null when there is none. */
export function bufferedSecond(
  { buffered }: Pick<HTMLVideoElement, 'buffered'>,
  second: number,
  ahead: number,
): number | null {
  for (let i = buffered.length - 1; i >= 0; i--) {
    const start = buffered.start(i);
    if (start <= second) return Math.max(start, Math.min(second, buffered.end(i) - ahead));
  }
  return null;
}
