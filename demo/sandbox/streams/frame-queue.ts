// Decides which frame of a stream is painted next, when it is due and what it shows.
// - Frame n is due at origin + n * 40 ms, so that errors of timers do not add up. A stream that is more than 1 s behind, because
//   the machine is overloaded or was suspended, skips frames: its timeline jumps to the frame that is due now.
// - A stream shows its texts one after the other, and between them the signer at rest. A text begins with the next frame; the
//   rest movement starts again after each text, because both begin and end in the rest pose.
import { FRAMES_PER_SECOND, idleScript, type Script } from '../painter/script.ts';

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

  /** Skips the frames that were due before `now`. */
  skipTo(now: number): void {
    this.#next = Math.max(this.#next, this.#newest(now));
  }

  #newest(now: number): number {
    return Math.floor((now - this.origin) / FRAME_MS);
  }
}

/** One frame to paint. */
interface FrameRequest {
  readonly script: Script;
  readonly frame: number;
  /** The first frame of a text. */
  readonly begins: boolean;
}

export class ScriptQueue {
  readonly #waiting: Script[] = [];
  #script: Script = idleScript;
  #frame = 0;

  add(script: Script): void {
    this.#waiting.push(script);
  }

  /** Drops the current text and the waiting ones. */
  clear(): void {
    this.#waiting.length = 0;
    this.#begin(idleScript);
  }

  /** True when no text is being signed and none waits. */
  get isQuiet(): boolean {
    return this.#waiting.length === 0 && (this.#script === idleScript || this.#isOver);
  }

  next(): FrameRequest {
    const waiting = this.#script === idleScript || this.#isOver ? this.#waiting.shift() : undefined;
    if (waiting) this.#begin(waiting);
    else if (this.#script !== idleScript && this.#isOver) this.#begin(idleScript);
    const frame = this.#frame++;
    return { script: this.#script, frame, begins: this.#script !== idleScript && frame === 0 };
  }

  get #isOver(): boolean {
    return this.#frame >= this.#script.gloss.frames;
  }

  #begin(script: Script): void {
    this.#script = script;
    this.#frame = 0;
  }
}
