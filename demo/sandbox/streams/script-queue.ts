// What a stream paints frame by frame: its texts one after the other, and the signer at rest where there is none.
// Policy: a text begins with the very next frame; rest begins anew after each text, since both join in the rest pose.
import { idleScript, type Script } from '../painter/script.ts';

/** One frame to paint. */
export interface FrameRequest {
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

  /** Forgets what is being signed and what waits. */
  clear(): void {
    this.#waiting.length = 0;
    this.#begin(idleScript);
  }

  /** Nothing is being signed and nothing waits. */
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
