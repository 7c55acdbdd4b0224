// The frames of one session that went to the service and have no answer yet, with the seconds that are expected of each. The
// spending of the site counts them while they are under way.
import type { Spending } from '../limits/spending.ts';

/** Whether an answer fits a frame better than another of the same id, by the seconds that are expected of both. */
type FitsBetter = (seconds: number, other: number) => boolean;

/** An error answers the shortest, because an id that is used twice is refused (document 3, Errors). */
export const fitsError: FitsBetter = (seconds, other) => seconds < other;

/**
 * A result first answers a frame that is no text, because result.fetch may get the result of an earlier session; without such a
 * frame it answers the longest text.
 */
export const fitsResult: FitsBetter = (seconds, other) =>
  seconds > 0 && other > 0 ? seconds > other : seconds < other;

export class Unanswered {
  readonly #spending: Pick<Spending, 'expect'>;
  /**
   * The ids (keyOf) of the frames, in no order, and the estimated seconds of each, which are 0 when it is no text. Lists, because
   * few frames of a session are under way, and a Map is rebuilt every few texts.
   */
  readonly #keys: number[] = [];
  readonly #seconds: number[] = [];

  constructor(spending: Pick<Spending, 'expect'>) {
    this.#spending = spending;
  }

  get length(): number {
    return this.#keys.length;
  }

  add(key: number, seconds: number): void {
    this.#spending.expect(seconds, 0);
    this.#keys.push(key);
    this.#seconds.push(seconds);
  }

  /**
   * Returns the seconds that were expected of the frame that is answered; null when none was waiting. Several frames may have one
   * id: `fitsBetter` chooses among them.
   */
  answered(key: number, fitsBetter: FitsBetter): number | null {
    const keys = this.#keys;
    const expected = this.#seconds;
    let found = keys.indexOf(key);
    if (found < 0) return null;
    for (let at = keys.indexOf(key, found + 1); at >= 0; at = keys.indexOf(key, at + 1)) {
      if (fitsBetter(expected[at] ?? 0, expected[found] ?? 0)) found = at;
    }
    const seconds = expected[found] ?? 0;
    const lastKey = keys.pop() ?? 0;
    const last = expected.pop() ?? 0;
    if (found < keys.length) {
      keys[found] = lastKey;
      expected[found] = last;
    }
    this.#spending.expect(-seconds, 0);
    return seconds;
  }

  /** Ends the wait for all answers. Returns what was expected of each frame. */
  forget(): readonly number[] {
    for (const seconds of this.#seconds) this.#spending.expect(-seconds, 0);
    this.#keys.length = 0;
    return this.#seconds.splice(0);
  }
}
