// The utterances that a queue knows: those that wait, those that are over, and the credits that their parts hold.
// - A ref names one text only. An utterance that failed gives its credits back.
// - The last 64 that are over are remembered for renewals, and those that still hold a credit.
import { ownError, type SignError } from '../protocol/sign-error.ts';
import { abortError } from './promises.ts';
import type { UtterancePart } from './utterance-part.ts';
import type { Utterance } from './utterance.ts';

const REMEMBERED = 64;

export class KnownUtterances {
  /** By ref, in call order. */
  readonly waiting = new Map<string, Utterance>();
  /** Parts that are unanswered or unplayed. */
  readonly credits = new Set<UtterancePart>();
  readonly #past = new Map<string, Utterance>();

  find(ref: string): Utterance | undefined {
    return this.waiting.get(ref) ?? this.#past.get(ref);
  }

  /** Why a new utterance cannot be one of them; null when it can. */
  refusal({ text, ref }: Utterance): SignError | null {
    if (!text.trim()) return ownError('empty_text');
    if (!ref || this.find(ref)) {
      return ownError('invalid_request', 'a ref is not empty and names one text only');
    }
    return null;
  }

  /** An utterance is over. @returns false when it was not one that waited */
  settle(utterance: Utterance): boolean {
    const { ref, state, parts } = utterance;
    if (this.waiting.get(ref) !== utterance) return false;
    this.waiting.delete(ref);
    if (state === 'failed') for (const part of parts) this.credits.delete(part);
    if (parts.length > 0) this.#remember(utterance);
    return true;
  }

  /** Gives back the credit of a part that was answered. @returns false when it holds none */
  played(ref: string, index: number): boolean {
    const part = this.find(ref)?.parts[index];
    return part?.answeredAs ? this.credits.delete(part) : false;
  }

  /** Rejects the texts of which nothing was sent yet. */
  clear(): void {
    const unsent = [...this.waiting.values()].filter(({ parts }) => parts.length === 0);
    for (const utterance of unsent) utterance.fail(abortError('the text was cleared before it was sent'));
  }

  #remember(utterance: Utterance): void {
    this.#past.set(utterance.ref, utterance);
    for (const { ref, parts } of this.#past.values()) {
      if (this.#past.size <= REMEMBERED) return;
      if (!parts.some((part) => this.credits.has(part))) this.#past.delete(ref);
    }
  }
}
