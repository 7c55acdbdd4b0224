// Where live is, from manifests that may arrive late, and how much of a stream comes at once.
// - The live edge is the earliest of the last 10 to 20 s of manifests: a later one was late on the network. A manifest that has
//   not grown does not count. One that ends more than three target durations before the live edge starts a new timeline.

const WINDOW_MS = 10_000;
const MAX_LATE_DURATIONS = 3;

/** Estimates the live edge from manifests that may arrive late. */
export class LiveEdge {
  #edge = NaN;
  /** Seconds that the last manifests have added. */
  #growths = [0, 0, 0];
  /** The largest difference between edge and clock, in seconds: in the current window, and in the one before. */
  #ahead = { since: -Infinity, now: -Infinity, before: -Infinity };

  /**
   * A manifest was read.
   * @param edge the second at which it ends
   * @param targetDuration seconds of its longest segment
   * @param now milliseconds of `performance.now()`
   */
  update(edge: number, targetDuration: number, now: number): void {
    if (edge === this.#edge) return;
    this.#growths = [edge - this.#edge || 0, ...this.#growths.slice(0, 2)];
    this.#edge = edge;
    const ahead = edge - now / 1000;
    const { since, now: running, before } = this.#ahead;
    const isNewTimeline = ahead < Math.max(running, before) - MAX_LATE_DURATIONS * targetDuration;
    if (isNewTimeline) this.#ahead = { since: now, now: ahead, before: -Infinity };
    else if (now - since > WINDOW_MS) this.#ahead = { since: now, now: ahead, before: running };
    else this.#ahead.now = Math.max(running, ahead);
  }

  /** Seconds that at least two of the last three manifests have added. */
  get burst(): number {
    return [...this.#growths].sort((a, b) => a - b)[1]!;
  }

  /** The second that is live now; null before the first manifest. */
  at(now: number): number | null {
    const ahead = Math.max(this.#ahead.now, this.#ahead.before);
    return ahead === -Infinity ? null : ahead + now / 1000;
  }
}
