// What the players of an element count together, from its first use on: its property `stats`.
// - A clip that begins more than 0.6 s after the one before is a stall; the longest pause between two sentences is 0.3 s.

const LATE_MS = 600;

export class Counts {
  /** Texts or announcements signed to their last frame, each time that they were. */
  texts = 0;
  /** How often the visitor had to wait for media between its first frame and its last. */
  stalls = 0;
  /** Clips that followed on the one before without a wait. */
  joins = 0;
  /** Bytes of media that arrived whole. */
  bytes = 0;
  /** Seconds until its first frame, of the last text or stream that had not to wait for another one; null before that. */
  timeToFirstFrame: number | null = null;
  /** Seconds behind live; null for all that is not live, and while it is not known. */
  latency: number | null = null;

  /** Its first frame is on screen; `asked` in milliseconds of `performance.now()`, and 0 once it is counted. */
  started(wish: { asked: number }): void {
    if (wish.asked) this.timeToFirstFrame = (performance.now() - wish.asked) / 1000;
    wish.asked = 0;
  }

  /** A clip begins; `endedAt`, of the one before, is 0 where none was before it, and once it is counted. */
  joined(row: { endedAt: number }): void {
    if (row.endedAt) this[performance.now() - row.endedAt > LATE_MS ? 'stalls' : 'joins'] += 1;
    row.endedAt = 0;
  }
}

/** The numbers as they are now. */
export type SignStats = Readonly<Omit<Counts, 'started' | 'joined'>>;
