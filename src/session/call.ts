// One call of sign(): its pieces, its two promises, its events (SEMANTICS, One call). Policy: split at the moment of
// sending; `sign-accepted` once, `sign-result` once a piece; one piece that fails rejects the whole and closes the rest.
// In stream mode the call goes on after its result, until it has started: so long a lost session has it sent again, and
// when it fails all the same an event says so.
import type { ResultFrame } from '../protocol/server-frames.ts';
import { whenAborted } from './abort.ts';
import { deferred } from './deferred.ts';
import { Piece, tooLong, type PieceOwner } from './piece.ts';
import type { CallResult, Emit, SignResult } from './session-events.ts';
import { splitText } from './split-text.ts';

export interface CallOptions {
  /** Well-formed. */
  readonly text: string;
  readonly ref: string;
  readonly signal: AbortSignal | undefined;
  readonly emit: Emit;
  /** Told once, when the call is over, one way or the other. */
  readonly settled: (call: Call) => void;
}

export class Call implements PieceOwner {
  readonly ref: string;
  readonly text: string;
  readonly accepts = deferred<void>();
  readonly result = deferred<CallResult>();
  /** Empty until the first piece is about to be sent. */
  pieces: readonly Piece[] = [];
  outcome: 'open' | 'done' | 'failed' = 'open';
  readonly #parts: SignResult[] = [];
  readonly #emit: Emit;
  readonly #settled: (call: Call) => void;
  readonly #unlisten: () => void = () => {};
  #wasAccepted = false;
  #wasAppended = false;
  #hasStarted = false;

  constructor({ text, ref, signal, emit, settled }: CallOptions) {
    this.text = text;
    this.ref = ref;
    this.#emit = emit;
    this.#settled = settled;
    this.#unlisten = whenAborted(signal, (reason) => this.#giveUp(reason));
  }

  /**
   * Cuts the text by the limit in force, which a later session may lower: then it is cut anew, unless some of it has been
   * signed. When no cut is short enough it fails with `text_too_long`.
   */
  fit(maxBytes: number, sessionId: string): void {
    if (this.pieces.length > 0 && !this.pieces.some((piece) => piece.isTooLong(maxBytes))) return;
    const isUntouched = this.pieces.every(({ state, asks }) => state === 'waiting' && asks === 'text');
    const texts = isUntouched ? splitText(this.text, maxBytes) : null;
    if (!texts) {
      const error = tooLong(maxBytes, sessionId);
      this.fail(error);
      return this.#emit('sign-error', { error, ref: this.ref });
    }
    // The ref is the first wire id; a cut that comes later needs others.
    const firstId = this.pieces.length > 0 ? undefined : this.ref;
    this.pieces = texts.map(
      (text, index) =>
        new Piece(this, { text, index, count: texts.length }, index === 0 ? firstId : undefined),
    );
  }

  accepted(piece: Piece): void {
    if (piece.index > 0 || this.#wasAccepted) return;
    this.#wasAccepted = true;
    this.accepts.resolve();
    this.#emit('sign-accepted', { ref: this.ref, text: this.text });
  }

  answered(piece: Piece, frame: ResultFrame): void {
    // A result says as much as an acknowledgement that was lost.
    this.accepted(piece);
    if (this.outcome !== 'open') return;
    const result = piece.toResult(frame);
    this.#parts[piece.index] = result;
    if (this.pieces.every(({ open }) => !open)) this.#finish();
    this.#emit('sign-result', result);
  }

  appended(piece: Piece, at: number | null): void {
    // Who shows the stream sees it start now, and need not wait for pieces that may have to wait for that.
    if (piece.index === 0) this.#begun(at);
    if (this.#hasStarted) piece.state = 'closed';
    this.#settleWhenClosed();
  }

  #begun(acceptedAt: number | null): void {
    const { ref, text } = this;
    this.#wasAppended = true;
    const none = { url: null, expiresAt: null, durationSeconds: null, pipelineMs: null, parts: [] };
    this.result.resolve({ ref, text, ...none, piece: 0, pieces: this.pieces.length, acceptedAt });
    this.#emit('sign-appended', { ref, acceptedAt });
  }

  /**
   * Stream mode: its first frame is on screen, so that what was taken of it is never sent again; nor is its first piece,
   * were it only sent, or waiting to be sent again while the last of a lost stream plays.
   */
  started(): void {
    if (this.pieces.length === 0) return;
    this.#hasStarted = true;
    for (const piece of this.pieces) if (piece.index === 0 || piece.state === 'taken') piece.state = 'closed';
    this.#settleWhenClosed();
  }

  #settleWhenClosed(): void {
    if (this.outcome === 'open' && this.pieces.every(({ open }) => !open)) this.#settle('done');
  }

  fail(reason: unknown): void {
    if (this.outcome !== 'open') return;
    this.#giveUp(reason);
    // Heard when a rejection would be.
    if (this.#wasAppended) queueMicrotask(() => this.#emit('sign-dropped', { ref: this.ref, reason }));
  }

  #giveUp(reason: unknown): void {
    for (const piece of this.pieces) piece.state = 'closed';
    this.#settle('failed');
    this.accepts.reject(reason);
    this.result.reject(reason);
  }

  #finish(): void {
    const [first] = this.#parts;
    if (!first) return;
    const durationSeconds = this.#parts.reduce<number | null>(
      (sum, part) => (sum === null || part.durationSeconds === null ? null : sum + part.durationSeconds),
      0,
    );
    this.#settle('done');
    this.result.resolve({ ...first, text: this.text, durationSeconds, acceptedAt: null, parts: this.#parts });
  }

  #settle(outcome: 'done' | 'failed'): void {
    this.outcome = outcome;
    this.#unlisten();
    this.#settled(this);
  }
}
