// Where live is, from a manifest that comes late now and then. Policy: of all that was told within the last ten to twenty
// seconds the earliest counts, because what comes later than that came late: live has not waited for the network, and a
// distance that is measured from what came last would swing with it. A manifest that has not grown tells nothing. One that
// ends three of its target durations before where live was thought to be is another timeline, or a source that has stood:
// there it begins anew.

const WINDOW_MS = 10_000;
const MOST_LATE = 3;

export class LiveClock {
  #edge = NaN;
  /** The greatest of what edges were ahead of the clock, in seconds: in the window that runs, and in the one before. */
  #ahead = { since: -Infinity, now: -Infinity, before: -Infinity };

  /**
   * A manifest was read.
   * @param edge second at which it ends
   * @param targetDuration its longest segment, in seconds
   * @param now milliseconds of `performance.now()`
   */
  told(edge: number, targetDuration: number, now: number): void {
    if (edge === this.#edge) return;
    this.#edge = edge;
    const ahead = edge - now / 1000;
    const { since, now: running, before } = this.#ahead;
    const isOther = ahead < Math.max(running, before) - MOST_LATE * targetDuration;
    if (isOther) this.#ahead = { since: now, now: ahead, before: -Infinity };
    else if (now - since > WINDOW_MS) this.#ahead = { since: now, now: ahead, before: running };
    else this.#ahead.now = Math.max(running, ahead);
  }

  /** The second that is live now; null before anything was told. */
  at(now: number): number | null {
    const ahead = Math.max(this.#ahead.now, this.#ahead.before);
    return ahead === -Infinity ? null : ahead + now / 1000;
  }
}
