// A fresh result for a piece that has one already, because its URL is refused or too old (SEMANTICS, media fails).
// Policy: `result.fetch` under the id that the result came with, which costs nothing; else, and when what was fetched so
// before has to be renewed too, the text again under a new id. Fires no `sign-result`: the piece had its own.
import type { ResultFrame } from '../protocol/server-frames.ts';
import { whenAborted } from './abort.ts';
import { deferred } from './deferred.ts';
import { Piece, tooLong, type PieceOwner } from './piece.ts';
import type { SignResult } from './session-events.ts';

export class Renewal implements PieceOwner {
  readonly ref: string;
  readonly piece: Piece;
  readonly result = deferred<SignResult>();
  readonly #original: Piece;
  readonly #settled: (renewal: Renewal) => void;
  readonly #unlisten: () => void = () => {};

  /** `answeredAs` is the wire id that the original's result came under. */
  constructor(
    original: Piece,
    answeredAs: string,
    signal: AbortSignal | undefined,
    settled: (renewal: Renewal) => void,
  ) {
    this.ref = original.owner.ref;
    this.#original = original;
    this.#settled = settled;
    this.piece = original.fetchedAgain ? new Piece(this, original) : new Piece(this, original, answeredAs);
    this.piece.asks = original.fetchedAgain ? 'text' : 'fetch';
    this.#unlisten = whenAborted(signal, (reason) => this.fail(reason));
  }

  fit(maxBytes: number, sessionId: string): void {
    if (this.piece.isTooLong(maxBytes)) this.fail(tooLong(maxBytes, sessionId));
  }

  accepted(): void {}

  /** Stream mode has no results, and so none to renew. */
  appended(): void {}

  answered(piece: Piece, frame: ResultFrame): void {
    this.#original.fetchedAgain = frame.ref === this.#original.answeredAs;
    this.#original.answeredAs = frame.ref;
    this.#settle();
    this.result.resolve(piece.toResult(frame));
  }

  fail(reason: unknown): void {
    this.#settle();
    this.result.reject(reason);
  }

  #settle(): void {
    this.piece.state = 'closed';
    this.#unlisten();
    this.#settled(this);
  }
}
