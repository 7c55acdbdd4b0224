// One call of sign(): its pieces, its two promises, its events (SEMANTICS, One call). Policy: split at the moment of
// sending; `sign-accepted` once, `sign-result` once a piece; one piece that fails rejects the whole and closes the rest.
import { errorFromFrame } from '../protocol/service-errors.ts';
import type { ResultFrame } from '../protocol/server-frames.ts';
import { whenAborted } from './abort.ts';
import { deferred } from './deferred.ts';
import { Piece, type PieceOwner } from './piece.ts';
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

  constructor({ text, ref, signal, emit, settled }: CallOptions) {
    this.text = text;
    this.ref = ref;
    this.#emit = emit;
    this.#settled = settled;
    this.#unlisten = whenAborted(signal, (reason) => this.fail(reason));
  }

  /** Cuts the text by the limit in force; when no cut is short enough it fails with `text_too_long`. */
  split(maxBytes: number, sessionId: string): void {
    const texts = splitText(this.text, maxBytes);
    if (!texts) {
      const message = `no piece of the text fits in ${maxBytes} bytes`;
      const error = errorFromFrame({ type: 'error', code: 'text_too_long', message }, sessionId);
      this.fail(error);
      return this.#emit('sign-error', { error, ref: this.ref });
    }
    this.pieces = texts.map(
      (text, index) =>
        new Piece(this, { text, index, count: texts.length }, index === 0 ? this.ref : undefined),
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

  fail(reason: unknown): void {
    if (this.outcome !== 'open') return;
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
    this.result.resolve({ ...first, text: this.text, durationSeconds, parts: this.#parts });
  }

  #settle(outcome: 'done' | 'failed'): void {
    this.outcome = outcome;
    this.#unlisten();
    this.#settled(this);
  }
}
