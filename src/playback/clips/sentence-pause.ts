// The pause between two sentences, held on the last frame.
// - A clip contains a pause of about 0.4 s after its last sign and 0.2 s before its first. With such pauses (17 % of a sentence of
//   3.5 s) viewers understand signing best.
// - A rate above 1 makes these pauses shorter, so the last frame is held for the difference: 0.3 s at rate 2. At a rate of 1 or
//   less it is not held.

/** Seconds of pause around a join at rate 1. */
const REST = 0.6;

export class SentencePause {
  readonly #over: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `over` is called at the end of each pause. */
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
