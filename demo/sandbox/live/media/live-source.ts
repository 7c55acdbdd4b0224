// Opens, reads and decodes a session's source, and opens it again after it has gone.
// - There is no limit before a pushed source comes; later, and always for a pulled one, it may be away for
//   `maxAwayMs`: then a pushed session ends normally and a pulled one fails.
// - A pulled source that was read to its end has ended normally.
// - Input that is no video fails at once.
// - Pictures are decoded at most 0.5 s ahead of their time, which keeps a recorded source to its clock.
// - More than 0.5 s behind, only key frames are decoded, where there are enough of them.
import { setTimeout as delay } from 'node:timers/promises';
import type { Frame } from 'node-av/lib';
import { now } from './live-messages.ts';
import { PictureDecoder, type Decoded } from './picture-decoder.ts';
import { PictureQueue } from './picture-queue.ts';
import type { Moment } from './sentences.ts';
import type { SourceAddress } from './source-address.ts';
import { SourceClock } from './source-clock.ts';
import { SourceGone, SourceInput } from './source-input.ts';

const AHEAD_MS = 500;
const BEHIND_MS = 500;
const PAUSE_MS = 200;

interface SourceParts {
  readonly address: SourceAddress;
  readonly maxAwayMs: number;
  /** Each time that the source has come, with its first picture, which is among those that are shown. */
  readonly came: (picture: Frame) => void;
  /** Each time that it has gone and may return. */
  readonly left: () => void;
  /** Its clock began anew, with this picture. */
  readonly jumped: (first: Moment) => void;
}

export class LiveSource {
  readonly pictures = new PictureQueue<Frame>((frame) => frame.free());
  /** Its port is bound, once `run` has been called; of a pulled one, at once. @throws LiveProblem when it cannot be had */
  readonly listening: Promise<void>;
  readonly #parts: SourceParts;
  readonly #isPulled: boolean;
  readonly #never = new AbortController().signal;
  #isThere = false;
  #wasLive = false;
  #isListening: () => void = () => {};
  #cannotListen: (error: unknown) => void = () => {};
  /** Since when it is away, when the time until its return is bounded. */
  #away: number | null;

  constructor(parts: SourceParts) {
    this.#parts = parts;
    this.#isPulled = parts.address.ingestUrl === null;
    this.#away = this.#isPulled ? now() : null;
    this.listening = new Promise((resolve, reject) => {
      this.#isListening = resolve;
      this.#cannotListen = reject;
    });
    // `run` fails of it as well.
    this.listening.catch(() => {});
  }

  /**
   * Runs until the source has ended for good.
   * @returns null when that is as it should be, else what went wrong, for the session's `error`
   * @throws LiveProblem
   */
  async run(): Promise<string | null> {
    for (;;) {
      const left = this.#away === null ? null : this.#away + this.#parts.maxAwayMs - now();
      if (left !== null && left <= 0) {
        // Where there was no time for a first visit there is no port to wait for.
        this.#isListening();
        return this.#isPulled ? 'the source cannot be read' : null;
      }
      const began = now();
      if (await this.#visit(left)) return null;
      this.#leave();
      // The port is closed for as short a time as possible, and a visit that fails at once is not repeated without a pause.
      await delay(Math.max(0, began + PAUSE_MS - now()));
    }
  }

  /** One connection. @returns true when a source has come to its end and will not return */
  async #visit(timeLeft: number | null): Promise<boolean> {
    const signal = timeLeft === null ? this.#never : AbortSignal.timeout(Math.ceil(timeLeft));
    try {
      const input = await this.#open(signal);
      try {
        // What was live and has an end now has ended.
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
      const jumped = clock.came(seconds, now());
      const due = clock.dueOf(seconds);
      if (jumped) this.pictures.clear();
      if (jumped || !this.#isThere) this.#parts.jumped({ seconds, due });
      decoder.isBehind = due < now() - BEHIND_MS;
      this.pictures.add({ seconds, due, bytes, content: frame });
      if (this.#isThere) return;
      this.#isThere = true;
      this.#wasLive = !input.isRecorded;
      this.#away = null;
      this.#parts.came(frame);
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
    const { listening, input } = SourceInput.open(this.#parts.address, signal);
    void listening.then(this.#isListening, this.#cannotListen);
    return input;
  }

  #leave(): void {
    if (!this.#isThere) return;
    this.#isThere = false;
    this.#away = now();
    this.#parts.left();
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
