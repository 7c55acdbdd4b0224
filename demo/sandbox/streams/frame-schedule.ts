// When each frame of a stream is due: frame n at origin + n * 40 ms, so that errors of timers do not add up.
// Policy: a stream that is more than 1 s behind (an overloaded or suspended machine) does not pile frames up: its timeline
// jumps to what is due now, and stays what it was, the wall's time.
import { FRAMES_PER_SECOND } from '../painter/script.ts';

const FRAME_MS = 1000 / FRAMES_PER_SECOND;
const MOST_BEHIND = FRAMES_PER_SECOND;

export class FrameSchedule {
  /** When frame 0 is due, milliseconds since 1970. */
  readonly origin: number;
  #next = 0;

  constructor(origin: number) {
    this.origin = origin;
  }

  /** The next frame to be painted. */
  get next(): number {
    return this.#next;
  }

  /** When the last of the next `count` frames is due, milliseconds since 1970. */
  dueOf(count: number): number {
    return this.origin + (this.#next + count - 1) * FRAME_MS;
  }

  isLate(now: number): boolean {
    return this.#newest(now) - this.#next >= MOST_BEHIND;
  }

  /** The next frame is painted. */
  advance(): void {
    this.#next += 1;
  }

  /** Leaves out what was due before `now`. */
  skipTo(now: number): void {
    this.#next = Math.max(this.#next, this.#newest(now));
  }

  #newest(now: number): number {
    return Math.floor((now - this.origin) / FRAME_MS);
  }
}
