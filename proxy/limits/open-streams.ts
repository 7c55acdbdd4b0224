// The time of the streams of a site that are open in this process, as far as it is in no sum yet.
import type { Clock } from '../clock.ts';

export class OpenStreams {
  readonly #clock: Pick<Clock, 'now'>;
  #count = 0;
  /** The sum of the times from which they count. */
  #begun = 0;
  /** Since when those of earlier days count. */
  #countedTo = -Infinity;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Of all of them together. */
  get seconds(): number {
    return this.#count === 0 ? 0 : (this.#count * this.#clock.now() - this.#begun) / 1000;
  }

  /** The returned function ends the stream, and gives its seconds that were taken. */
  open(): () => number {
    const begun = this.#clock.now();
    this.#count += 1;
    this.#begun += begun;
    return () => {
      const from = Math.max(begun, this.#countedTo);
      this.#count -= 1;
      this.#begun = this.#count === 0 ? 0 : this.#begun - from;
      return (from - begun) / 1000;
    };
  }

  /** The seconds until now, which count no longer. */
  take(): number {
    const { seconds } = this;
    const now = this.#clock.now();
    this.#begun = this.#count * now;
    this.#countedTo = now;
    return seconds;
  }
}
