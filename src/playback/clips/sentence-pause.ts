// The pause between two sentences, held on the last frame.
// - A clip brings its own rest, about 0.4 s after the last sign and 0.2 s before the first: the share of pauses at which
//   viewers of signing understand most (17 % of a sentence of 3.5 s).
// - At a rate above 1 that rest shrinks, so the frame is held for what was lost: 0.3 s at rate 2. At 1 and below: nothing.

/** Seconds of rest around a join at rate 1. */
const REST = 0.6;

export class SentencePause {
  readonly #over: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `over` is called when a beat has been held. */
  constructor(over: () => void) {
    this.#over = over;
  }

  /** True while a last frame is held. */
  get on(): boolean {
    return this.#timer !== undefined;
  }

  /** Seconds to hold at this rate. */
  of(rate: number): number {
    return rate > 1 ? REST - REST / rate : 0;
  }

  /** A clip has ended. */
  begin(rate: number): void {
    this.end();
    const seconds = this.of(rate);
    if (seconds === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#over();
    }, seconds * 1000);
  }

  /** Something else is shown, or nothing. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
