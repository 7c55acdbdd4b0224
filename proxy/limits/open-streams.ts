// The seconds of the streams of a site that are open in this process and that were not yet added to a sum.
import type { Clock } from '../clock.ts';

export class OpenStreams {
  readonly #clock: Pick<Clock, 'now'>;
  #count = 0;
  /** The sum of the times from which the open streams count. */
  #begun = 0;
  /** The time of the last `take()`, from which the streams that were open then count. */
  #countedTo = -Infinity;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Of all open streams together. */
  get seconds(): number {
    return this.#count === 0 ? 0 : (this.#count * this.#clock.now() - this.#begun) / 1000;
  }

  /** Opens a stream. The returned function ends it, and gives the seconds of it that `take()` has given. */
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

  /** Gives the seconds until now; from then on the streams count from 0. */
  take(): number {
    const { seconds } = this;
    const now = this.#clock.now();
    this.#begun = this.#count * now;
    this.#countedTo = now;
    return seconds;
  }
}
