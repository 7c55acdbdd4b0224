// The calls that a queue knows, whichever way it sends them: those that wait, those that are over, and the places that
// their pieces hold. Policy: a ref names one text only; a call that failed gives its places back; the last 64 calls that
// are over are remembered for renewals, and those that still hold a place.
import type { SignError } from '../protocol/sign-error.ts';
import { ownError } from '../protocol/sign-error.ts';
import { abortError } from './abort.ts';
import type { Call } from './call.ts';
import type { Piece } from './piece.ts';

const REMEMBERED_CALLS = 64;

export class KnownCalls {
  /** By ref, in call order. */
  readonly waiting = new Map<string, Call>();
  /** Pieces that are unanswered or unplayed. */
  readonly places = new Set<Piece>();
  readonly #past = new Map<string, Call>();

  find(ref: string): Call | undefined {
    return this.waiting.get(ref) ?? this.#past.get(ref);
  }

  /** Why a new call cannot be one of them; null when it can. */
  refusal(call: Call): SignError | null {
    if (!call.text.trim()) return ownError('empty_text');
    if (!call.ref || this.find(call.ref)) {
      return ownError('invalid_request', 'a ref is not empty and names one text only');
    }
    return null;
  }

  /** A call is over. @returns false when it was not one that waited */
  settle(call: Call): boolean {
    if (this.waiting.get(call.ref) !== call) return false;
    this.waiting.delete(call.ref);
    if (call.outcome === 'failed') for (const piece of call.pieces) this.places.delete(piece);
    if (call.pieces.length > 0) this.#remember(call);
    return true;
  }

  /** Gives back the place of a piece that was answered. @returns false when it holds none */
  played(ref: string, index: number): boolean {
    const piece = this.find(ref)?.pieces[index];
    return piece?.answeredAs ? this.places.delete(piece) : false;
  }

  /** Rejects the texts of which nothing was sent yet. */
  clear(): void {
    const unsent = [...this.waiting.values()].filter(({ pieces }) => pieces.length === 0);
    for (const call of unsent) call.fail(abortError('the text was cleared before it was sent'));
  }

  #remember(call: Call): void {
    this.#past.set(call.ref, call);
    for (const { ref, pieces } of this.#past.values()) {
      if (this.#past.size <= REMEMBERED_CALLS) return;
      if (!pieces.some((piece) => this.places.has(piece))) this.#past.delete(ref);
    }
  }
}
