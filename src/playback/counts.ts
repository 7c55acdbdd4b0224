// The counts of all players of an element, from its first use on: its property `stats`.
// - A clip that starts more than 0.6 s after the end of the clip before counts as a stall. The longest intended pause is 0.3 s.

const LATE_MS = 600;

export class Counts {
  /** Texts or announcements signed to their last frame; one that is signed again counts again. */
  texts = 0;
  /** How often playback had started and then waited for media. */
  stalls = 0;
  /** Clips that started without a wait after the clip before. */
  joins = 0;
  /** Bytes of the clips and segments that were loaded completely. */
  bytes = 0;
  /**
   * Seconds from the request to the first frame, for the last text or stream that did not have to wait for the end of another one;
   * null before the first.
   */
  timeToFirstFrame: number | null = null;
  /** Seconds behind live; null while unknown, and for what is not live. */
  latency: number | null = null;

  /** The first frame is on screen. `asked`, in milliseconds of `performance.now()`, is set to 0, so that it is counted once. */
  started(request: { asked: number }): void {
    if (request.asked) this.timeToFirstFrame = (performance.now() - request.asked) / 1000;
    request.asked = 0;
  }

  /** A clip starts. `endedAt`, the end of the clip before, is 0 when there was none, and is set to 0 once it is counted. */
  joined(playlist: { endedAt: number }): void {
    if (playlist.endedAt) this[performance.now() - playlist.endedAt > LATE_MS ? 'stalls' : 'joins'] += 1;
    playlist.endedAt = 0;
  }
}

/** The numbers as they are now. */
export type SignStats = Readonly<Omit<Counts, 'started' | 'joined'>>;
