// One call of sign(): its parts, promises and events (SEMANTICS, One call of sign). An element's utterance is a subclass.
// - The text is cut into parts when it is sent. `sign-accepted` fires once, `sign-result` once for each part.
// - When a part fails, the whole utterance rejects and the other parts are closed.
// - In stream mode an utterance is open until it has started, also after its result: until then it is sent again after a lost
//   session, and `sign-dropped` reports when it fails.
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

interface UtteranceOptions {
  readonly text: string;
  /** Never used before. Default a fresh one. */
  readonly ref?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How it reaches its queue. */
interface UtteranceEvents {
  readonly emit: Emit;
  /** Called once, when it is done or has failed. */
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
    // Plain JavaScript may pass anything; null and undefined are an empty text.
    this.text = wellFormed(String(text ?? ''));
    this.ref = ref;
    this.#unlisten = whenAborted(signal, (reason) => this.abort(reason));
  }

  /** Unsent parts are not sent; answers to sent parts are ignored. */
  abort(reason: unknown): void {
    this.isAborted = true;
    if (this.state === 'open') this.#giveUp(reason);
  }

  /** Seconds of its signs in a stream, as far as they can be estimated: no document tells how long a sign is. */
  get estimate(): number {
    return 1 + 0.6 * this.text.trim().split(/\s+/).length;
  }

  /** No part is sent, or all of them are to be sent again. */
  get #isUntouched(): boolean {
    return this.parts.every(({ state, asks }) => state === 'waiting' && asks === 'text');
  }

  /**
   * Cuts the text by the limit in force. When a later session lowers the limit, the text is cut again, unless some of it was
   * signed. Fails with `text_too_long` when no cut is short enough, or when it must not be cut.
   */
  fit(maxBytes: number, sessionId: string | null, splits: boolean): void {
    if (this.parts.length > 0 && !this.parts.some((part) => part.isTooLong(maxBytes))) return;
    const texts = this.#isUntouched ? splitText(this.text, maxBytes) : null;
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
    // A result also counts as the acknowledgement, which may have been lost.
    this.accepted(part);
    if (this.state !== 'open') return;
    const result = part.toResult(video);
    this.#results[part.index] = result;
    if (this.parts.every(({ open }) => !open)) this.#finish();
    this.events?.emit('sign-result', result);
  }

  appended(part: UtterancePart, entry: StreamEntry): void {
    // The stream shows its start now, without waiting for later parts, which may themselves wait for that start.
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
    // The result has named the first stream of the text; only a second one needs the event.
    if (!manifests || this.#wasAppended) this.events?.emit('sign-appended', { ref, acceptedAt: at, ...own });
    this.#wasAppended = true;
  }

  /**
   * Stream mode: its first frame is on screen. Acknowledged parts are never sent again, nor is the first part, even if it was
   * only sent, or waits to be sent again while the rest of a lost stream plays.
   */
  started(): void {
    if (this.parts.length === 0) return;
    this.#hasStarted = true;
    for (const part of this.parts)
      if (part.index === 0 || part.state === 'acknowledged') part.state = 'closed';
    this.#settleWhenClosed();
  }

  #settleWhenClosed(): void {
    if (this.state === 'open' && this.parts.every(({ open }) => !open)) this.#settle('done');
  }

  fail(reason: unknown): void {
    if (this.state !== 'open') return;
    this.#giveUp(reason);
    // Deferred, as a rejection is.
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
