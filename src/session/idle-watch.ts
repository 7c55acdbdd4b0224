// How long a session is kept that nobody needs (SEMANTICS, connect()): 120 s in which no text waited or was unanswered.
// Policy: being told again that there is nothing to do begins nothing anew, and the loss of a session does not either: who
// has nothing to sign needs no other one.
import type { Clock } from './clock.ts';

const IDLE_MS = 120_000;

export class IdleWatch {
  readonly #clock: Clock;
  readonly #over: () => void;
  #timer: unknown = null;

  /** `over` hears that there was nothing to do for all of that time. */
  constructor(clock: Clock, over: () => void) {
    this.#clock = clock;
    this.#over = over;
  }

  /** There is nothing to do. */
  begin(): void {
    this.#timer ??= this.#clock.setTimeout(this.#over, IDLE_MS);
  }

  /** There is something to do, or no session any more. */
  end(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
  }
}
