// Opens, reads and decodes a session's source, and opens it again after it has gone.
// - A pushed source may come at any time, a pulled one within four times `maxAwayMs`, because a busy machine opens it late. Once
//   it has come, a source may be away for `maxAwayMs`. After that a pushed session ends normally and a pulled one fails.
// - A pulled source that was read to its end has ended normally.
// - Input that is no video fails at once.
// - Pictures are decoded at most 0.5 s ahead of their time, so that a recorded source is played at its own pace.
// - When the decoder is more than 0.5 s behind, it decodes key frames only, if there are enough of them.
import { setTimeout as delay } from 'node:timers/promises';
import type { Frame } from 'node-av/lib';
import { now } from '../../clock.ts';
import { PictureDecoder, type Decoded } from './picture-decoder.ts';
import { PictureQueue } from './picture-queue.ts';
import type { Moment } from './sentences.ts';
import type { SourceAddress } from './source-address.ts';
import { SourceClock } from './source-clock.ts';
import { SourceGone, SourceInput } from './source-input.ts';

const TO_COME = 4;
const AHEAD_MS = 500;
const BEHIND_MS = 500;
const PAUSE_MS = 200;

interface SourceDeps {
  readonly address: SourceAddress;
  readonly maxAwayMs: number;
  /** Called each time that the source has come, with its first picture, which `pictures` owns. */
  readonly arrived: (picture: Frame) => void;
  /** Called each time that the source has gone and may return. */
  readonly left: () => void;
  /** Called each time that the source's clock began anew, with the first picture. */
  readonly jumped: (first: Moment) => void;
}

export class LiveSource {
  readonly pictures = new PictureQueue<Frame>((frame) => frame.free());
  /** Resolves after `run` was called: when a pushed source's port is bound, for a pulled one at once. @throws LiveProblem */
  readonly listening: Promise<void>;
  readonly #deps: SourceDeps;
  readonly #isPulled: boolean;
  readonly #never = new AbortController().signal;
  #isThere = false;
  #wasLive = false;
  #resolveListening: () => void = () => {};
  #rejectListening: (error: unknown) => void = () => {};
  /** When the source must have come; null while it is there, and before a pushed source first comes. */
  #due: number | null;

  constructor(deps: SourceDeps) {
    this.#deps = deps;
    this.#isPulled = deps.address.ingestUrl === null;
    this.#due = this.#isPulled ? now() + TO_COME * deps.maxAwayMs : null;
    this.listening = new Promise((resolve, reject) => {
      this.#resolveListening = resolve;
      this.#rejectListening = reject;
    });
    // `run` rejects with the same error.
    this.listening.catch(() => {});
  }

  /**
   * Runs until the source has ended and will not return.
   * @returns null for a normal end, else what went wrong, for the session's `error`
   * @throws LiveProblem
   */
  async run(): Promise<string | null> {
    for (;;) {
      const left = this.#due === null ? null : this.#due - now();
      if (left !== null && left <= 0) {
        // When there is no time for a first connection, no port is ever bound, and callers must not wait for it.
        this.#resolveListening();
        return this.#isPulled ? 'the source cannot be read' : null;
      }
      const began = now();
      if (await this.#connectOnce(left)) return null;
      this.#leave();
      // The port is opened again as soon as possible, but a connection that fails at once is not repeated without a pause.
      await delay(Math.max(0, began + PAUSE_MS - now()));
    }
  }

  /** One connection. @returns true when a source has come to its end and will not return */
  async #connectOnce(timeLeft: number | null): Promise<boolean> {
    const signal = timeLeft === null ? this.#never : AbortSignal.timeout(Math.ceil(timeLeft));
    try {
      const input = await this.#open(signal);
      try {
        // A live playlist that now has an end is over.
        if (this.#wasLive && input.isRecorded) return true;
        await this.#play(input);
      } finally {
        await input.close();
      }
      return true;
    } catch (error) {
      if (!(error instanceof SourceGone)) throw error;
      return false;
    }
  }

  async #play(input: SourceInput): Promise<void> {
    const clock = new SourceClock(this.#isPulled ? 'pulled' : 'pushed');
    const decoder = new PictureDecoder(input.video);
    const show = ({ seconds, bytes, frame }: Decoded): void => {
      const jumped = clock.arrived(seconds, now());
      const due = clock.dueOf(seconds);
      if (jumped) this.pictures.clear();
      if (jumped || !this.#isThere) this.#deps.jumped({ seconds, due });
      decoder.isBehind = due < now() - BEHIND_MS;
      this.pictures.add({ seconds, due, bytes, content: frame });
      if (this.#isThere) return;
      this.#isThere = true;
      this.#wasLive = !input.isRecorded;
      this.#due = null;
      this.#deps.arrived(frame);
    };
    try {
      for (;;) {
        const packet = await input.read(this.#never);
        if (!packet) break;
        decoder.decode(packet).forEach(show);
        await this.#keepPace();
      }
      decoder.flush().forEach(show);
      await this.#untilShown();
    } finally {
      decoder.close();
    }
  }

  #open(signal: AbortSignal): Promise<SourceInput> {
    const { listening, input } = SourceInput.open(this.#deps.address, signal);
    void listening.then(this.#resolveListening, this.#rejectListening);
    return input;
  }

  #leave(): void {
    if (!this.#isThere) return;
    this.#isThere = false;
    this.#due = now() + this.#deps.maxAwayMs;
    this.#deps.left();
  }

  async #keepPace(): Promise<void> {
    const early = (this.pictures.newestDue ?? 0) - now() - AHEAD_MS;
    if (early > 0) await delay(early);
  }

  async #untilShown(): Promise<void> {
    const left = (this.pictures.newestDue ?? 0) - now();
    if (left > 0) await delay(left + PAUSE_MS);
  }
}
