// One call of sign(): its parts, its promises and its events (SEMANTICS, One call of sign). An element's own is built on it.
// - It is cut into parts at the moment of sending. `sign-accepted` is told once, `sign-result` once a part.
// - One part that fails rejects the whole and closes the other parts.
// - In stream mode it goes on after its result, until it has started: so long it is sent again after a lost session, and
//   `sign-dropped` tells when it fails all the same.
import { newWireId } from '../internal/wire-id.ts';
import { deferred, whenAborted } from './async.ts';
import type { CallResult, Emit, SignResult, TextResult } from './session-types.ts';
import { splitText, wellFormed } from './split-text.ts';
import {
  tooLong,
  UtterancePart,
  type PartOwner,
  type PartVideo,
  type StreamEntry,
} from './utterance-part.ts';

export interface UtteranceOptions {
  readonly text: string;
  /** Never used before. Default a fresh one. */
  readonly ref?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The queue that has it, and hears of it. */
export interface UtteranceEvents {
  readonly emit: Emit;
  /** Told once, when it is over, one way or the other. */
  readonly settled: (utterance: Utterance) => void;
}

export class Utterance implements PartOwner {
  readonly ref: string;
  readonly text: string;
  readonly accepts = deferred<void>();
  readonly result = deferred<TextResult>();
  /** Empty until the first part is about to be sent. */
  parts: readonly UtterancePart[] = [];
  /** `done`: the service has answered all of it; in stream mode it has started. */
  state: 'open' | 'done' | 'failed' = 'open';
  /** Nobody wants it any more. */
  isAborted = false;
  /** Null before a queue has it. */
  events: UtteranceEvents | null = null;
  readonly #results: SignResult[] = [];
  readonly #unlisten: () => void = () => {};
  #wasAccepted = false;
  #wasAppended = false;
  #hasStarted = false;

  constructor({ text, ref = newWireId(), signal }: UtteranceOptions) {
    // Plain JavaScript may hand over anything; what is no text at all is an empty one.
    this.text = wellFormed(String(text ?? ''));
    this.ref = ref;
    this.#unlisten = whenAborted(signal, (reason) => this.abort(reason));
  }

  /** What of it is unsent is not sent, and what was sent is ignored. */
  abort(reason: unknown): void {
    this.isAborted = true;
    if (this.state === 'open') this.#giveUp(reason);
  }

  /** Nothing of it is sent, or it is to be sent anew from its beginning. */
  get untouched(): boolean {
    return this.parts.every(({ state, asks }) => state === 'waiting' && asks === 'text');
  }

  /**
   * Cuts the text by the limit in force. A later session may lower the limit: then the text is cut anew, unless some of it
   * has been signed. When no cut is short enough it fails with `text_too_long`; so it does when it may not be cut.
   */
  fit(maxBytes: number, sessionId: string | null, splits: boolean): void {
    if (this.parts.length > 0 && !this.parts.some((part) => part.isTooLong(maxBytes))) return;
    const texts = this.untouched ? splitText(this.text, maxBytes) : null;
    if (!texts || (!splits && texts.length > 1)) {
      const error = tooLong(maxBytes, sessionId);
      this.fail(error);
      return this.events?.emit('sign-error', { error, ref: this.ref });
    }
    // The ref is the first wire id; a later cut needs others.
    const firstId = this.parts.length > 0 ? undefined : this.ref;
    this.parts = texts.map(
      (text, index) =>
        new UtterancePart(this, { text, index, count: texts.length }, index === 0 ? firstId : undefined),
    );
  }

  accepted(part: UtterancePart): void {
    if (part.index > 0 || this.#wasAccepted) return;
    this.#wasAccepted = true;
    this.accepts.resolve();
    this.events?.emit('sign-accepted', { ref: this.ref, text: this.text });
  }

  answered(part: UtterancePart, video: PartVideo): void {
    // A result says as much as an acknowledgement that was lost.
    this.accepted(part);
    if (this.state !== 'open') return;
    const result = part.toResult(video);
    this.#results[part.index] = result;
    if (this.parts.every(({ open }) => !open)) this.#finish();
    this.events?.emit('sign-result', result);
  }

  appended(part: UtterancePart, entry: StreamEntry): void {
    // Whoever shows the stream sees it start now, and need not wait for parts that may have to wait for that.
    if (part.index === 0) this.#begun(entry);
    if (this.#hasStarted) part.state = 'closed';
    this.#settleWhenClosed();
  }

  #begun({ at, manifests }: StreamEntry): void {
    const { ref, text } = this;
    const none = { url: null, expiresAt: null, durationSeconds: null, pipelineMs: null, parts: [] };
    const own = manifests ? { manifests } : {};
    this.result.resolve({
      ref,
      text,
      ...none,
      partIndex: 0,
      partCount: this.parts.length,
      acceptedAt: at,
      ...own,
    });
    // The result tells of a stream of its own, unless it has told of another before.
    if (!manifests || this.#wasAppended) this.events?.emit('sign-appended', { ref, acceptedAt: at });
    this.#wasAppended = true;
  }

  /**
   * Stream mode: its first frame is on screen. What was taken of it is never sent again; nor is its first part, were it
   * only sent, or waiting to be sent again while the last of a lost stream plays.
   */
  started(): void {
    if (this.parts.length === 0) return;
    this.#hasStarted = true;
    for (const part of this.parts) if (part.index === 0 || part.state === 'taken') part.state = 'closed';
    this.#settleWhenClosed();
  }

  #settleWhenClosed(): void {
    if (this.state === 'open' && this.parts.every(({ open }) => !open)) this.#settle('done');
  }

  fail(reason: unknown): void {
    if (this.state !== 'open') return;
    this.#giveUp(reason);
    // Heard when a rejection would be.
    if (this.#wasAppended) queueMicrotask(() => this.events?.emit('sign-dropped', { ref: this.ref, reason }));
  }

  #giveUp(reason: unknown): void {
    for (const part of this.parts) part.state = 'closed';
    this.#settle('failed');
    this.accepts.reject(reason);
    this.result.reject(reason);
  }

  #finish(): void {
    const [first] = this.#results;
    if (!first) return;
    const durationSeconds = this.#results.reduce<number | null>(
      (sum, part) => (sum === null || part.durationSeconds === null ? null : sum + part.durationSeconds),
      0,
    );
    this.#settle('done');
    const whole: CallResult = {
      ...first,
      text: this.text,
      durationSeconds,
      acceptedAt: null,
      parts: this.#results,
    };
    this.result.resolve(whole);
  }

  #settle(state: 'done' | 'failed'): void {
    this.state = state;
    this.#unlisten();
    this.events?.settled(this);
  }
}
