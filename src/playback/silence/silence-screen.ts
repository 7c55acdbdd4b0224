// One `<video>` that plays one loop at a time: on an endless tape where the loop can be joined, else as the browser
// loops a file.
// - A loop of the same kind takes over on the same video.
// - One of another kind needs another screen, which is brought to the front with its first picture.
import { type SignError, ownError } from '../../protocol/sign-error.ts';
import { VideoSlot } from '../clips/video-slot.ts';
import { isJoined, type SilenceLoop } from './silence-loop.ts';
import { SilenceTape } from './silence-tape.ts';
import { mediaSourceClass, SourceBufferQueue } from '../source-buffer-queue.ts';

export class SilenceScreen {
  readonly #slot = new VideoSlot();
  readonly #tape: SilenceTape | null;
  readonly #first: SilenceLoop;

  /** `failed` is told once, when the loop cannot be played. */
  constructor(loop: SilenceLoop, failed: (error: SignError) => void) {
    this.#first = loop;
    let told = false;
    const fail = (cause: unknown): void => {
      if (told) return;
      told = true;
      failed(ownError('media_error', this.video.error?.message || undefined, { cause }));
    };
    this.video.addEventListener('error', fail);
    // Where there is only sound, or pictures in a coding that is not known here, browsers play the sound without a word.
    this.video.addEventListener('loadeddata', () => {
      if (this.video.videoWidth === 0) fail('there is no picture in it that plays here');
    });
    const Source = isJoined(loop) ? mediaSourceClass() : null;
    if (isJoined(loop) && Source) {
      this.#tape = new SilenceTape(this.video, new SourceBufferQueue(this.video, Source), loop, fail);
      for (const type of ['timeupdate', 'play', 'seeked']) {
        this.video.addEventListener(type, () => this.#tape?.keepUp());
      }
      this.video.addEventListener('waiting', () => this.#tape?.wait());
    } else {
      this.#tape = null;
      this.video.loop = true;
      if (!isJoined(loop)) this.#slot.load(loop, 0);
    }
  }

  get video(): HTMLVideoElement {
    return this.#slot.video;
  }

  /** On screen, or about to be. */
  get loop(): SilenceLoop {
    return this.#tape?.round?.loop ?? this.#first;
  }

  /** Second of the video at which the loop on screen began. */
  get start(): number {
    return this.#tape?.round?.start ?? 0;
  }

  /** Seconds of the loop on screen; NaN before it is known. */
  get duration(): number {
    return this.#tape ? (this.#tape.round?.loop.durationSeconds ?? NaN) : this.video.duration;
  }

  /** Goes on with this loop from the next rest point on; false when that takes another screen. */
  take(loop: SilenceLoop): boolean {
    if (!this.#tape || !isJoined(loop)) return false;
    this.#tape.change(loop);
    return true;
  }

  /** Takes the video off the page and lets all it holds go. */
  destroy(): void {
    this.#tape?.end();
    this.video.pause();
    this.#slot.clear();
    this.video.remove();
  }
}
