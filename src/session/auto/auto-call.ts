// One text of an AutoSession, which may change its way once: from the socket to REST. Policy: its promises are its own and
// settle once, whichever way brings the end; an abort ends both it and what a way still has of it.
import { whenAborted } from '../abort.ts';
import { deferred } from '../deferred.ts';
import type { SignOptions } from '../session-options.ts';
import type { TextCall, TextResult, TextSession } from '../text-session.ts';

export interface AutoCallOptions extends SignOptions {
  readonly ref: string;
  readonly text: string;
  /** Told once, when the call needs no way any more. */
  readonly settled: (call: AutoCall) => void;
  /** The way it is on has its result. */
  readonly answered: (call: AutoCall, result: TextResult) => void;
  /** The way it was on gave it up for this reason. True when it is to wait for another. */
  readonly stranded: (call: AutoCall, reason: unknown) => boolean;
  /** It fails although its result is known. */
  readonly dropped: (call: AutoCall, reason: unknown) => void;
}

export class AutoCall {
  readonly ref: string;
  readonly text: string;
  readonly accepts = deferred<void>();
  readonly result = deferred<TextResult>();
  /** The session that has it; null while it waits for one. */
  way: TextSession | null = null;
  /** `sign-accepted` was told. */
  wasAccepted = false;
  /** Some of it has a video, so it stays with the session that made it. */
  isPartlySigned = false;
  /** Its result is known; in stream mode it may change its way all the same, until it has started. */
  wasAnswered = false;
  readonly #options: AutoCallOptions;
  readonly #unlisten: () => void = () => {};
  #attempt = new AbortController();
  #over = false;

  constructor(options: AutoCallOptions) {
    this.#options = options;
    this.ref = options.ref;
    this.text = options.text;
    this.#unlisten = whenAborted(options.signal, (reason) => this.fail(reason));
  }

  get over(): boolean {
    return this.#over;
  }

  /** What whoever asked for it is given. */
  get promises(): TextCall {
    return { ref: this.ref, accepted: this.accepts.promise, result: this.result.promise };
  }

  /** Takes it from the way it was on and puts it on this one. */
  handTo(way: TextSession): void {
    if (this.#over) return;
    this.leave();
    this.way = way;
    const { signal } = this.#attempt;
    const { accepted, result } = way.sign(this.text, { ref: this.ref, signal });
    accepted.then(this.accepts.resolve, () => {});
    result.then(
      (value) => {
        if (signal.aborted) return;
        this.result.resolve(value);
        this.#options.answered(this, value);
      },
      (reason: unknown) => {
        if (!signal.aborted) this.givenUpBy(way, reason);
      },
    );
  }

  /** This way will not sign it, or not to its end. */
  givenUpBy(way: TextSession, reason: unknown): void {
    if (this.way !== way) return;
    this.way = null;
    if (!this.#options.stranded(this, reason)) this.fail(reason);
  }

  /** Takes it back from the way it is on. */
  leave(): void {
    this.#attempt.abort();
    this.#attempt = new AbortController();
    this.way = null;
  }

  /** It has all it wanted. */
  done(): void {
    if (this.#over) return;
    this.#over = true;
    this.#unlisten();
    this.#options.settled(this);
  }

  fail(reason: unknown): void {
    if (this.#over) return;
    this.leave();
    this.done();
    this.accepts.reject(reason);
    this.result.reject(reason);
    if (this.wasAnswered) this.#options.dropped(this, reason);
  }
}
