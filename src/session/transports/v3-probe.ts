// Decides when V3 is tried again while REST serves.
// - Only while REST has nothing to do: first 30 s after the change of transport; then each wait is twice the one before, up to
//   5 minutes.
// - Each wait is up to half shorter at random, so that the pages of a site do not ask at the same moment.
import type { Clock } from '../clock.ts';

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 300_000;

export interface V3ProbeOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** It is time to ask for a session; failed() or stop() ends it. */
  readonly ask: () => void;
}

export class V3Probe {
  underWay = false;
  readonly #options: V3ProbeOptions;
  #waitMs = FIRST_WAIT_MS;
  /** When the next try is due, on the clock; Infinity while none is planned. */
  #dueAt = Infinity;
  #timer: unknown;

  constructor(options: V3ProbeOptions) {
    this.#options = options;
  }

  start(): void {
    this.#waitMs = FIRST_WAIT_MS;
    this.#plan();
  }

  /** Plans the next try if V3 may be asked now; the wait is at least `hintMs`. */
  watch(mayAsk: boolean, hintMs: number): void {
    const { clock, ask } = this.#options;
    clock.clearTimeout(this.#timer);
    if (!mayAsk || this.underWay || this.#dueAt === Infinity) return;
    const delayMs = Math.max(0, this.#dueAt - clock.now(), hintMs);
    this.#timer = clock.setTimeout(() => {
      this.underWay = true;
      ask();
    }, delayMs);
  }

  /** No session came. */
  failed(): void {
    this.underWay = false;
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
    this.#plan();
  }

  stop(): void {
    this.underWay = false;
    this.#dueAt = Infinity;
    this.#options.clock.clearTimeout(this.#timer);
  }

  #plan(): void {
    const { clock, random } = this.#options;
    this.#dueAt = clock.now() + this.#waitMs * (1 - random() / 2);
  }
}
