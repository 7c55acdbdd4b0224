// The utterances that a queue knows: waiting ones, past ones, the credits that their parts hold, and renewals of their results.
// - A ref names one text only. An utterance that failed gives its credits back.
// - For renewals it remembers the last 1,024 past utterances, which is a long article, and older ones that still hold a credit.
// - A renewal brings a fresh result for a part whose URL is refused or too old (SEMANTICS, media fails). It fires no
//   `sign-result`.
// - Over V3 a renewal sends `result.fetch` under the id of the result, which costs nothing. By REST, and when that fails or its
//   result must be renewed again, it sends the text again under a new id.
import { ownError } from '../protocol/own-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { abortError, whenAborted, deferred } from './async.ts';
import { UtterancePart, type PartOwner, type PartVideo } from './utterance-part.ts';
import type { Utterance } from './utterance.ts';
import type { SignResult } from './session-types.ts';

const REMEMBERED = 1_024;

export class KnownUtterances {
  /** By ref, in call order. */
  readonly waiting = new Map<string, Utterance>();
  /** Parts that are unanswered or unplayed. */
  readonly credits = new Set<UtterancePart>();
  readonly #past = new Map<string, Utterance>();

  find(ref: string): Utterance | undefined {
    return this.waiting.get(ref) ?? this.#past.get(ref);
  }

  /** Why a new utterance cannot be added; null when it can. */
  refusal({ text, ref }: Utterance): SignError | null {
    if (!text.trim()) return ownError('empty_text');
    if (!ref || this.find(ref)) {
      return ownError('invalid_request', 'ref: empty or used');
    }
    return null;
  }

  /** Removes an utterance that is over from the waiting ones. @returns false when it was not waiting */
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

  /** Rejects the texts of which no part was sent yet. */
  clear(): void {
    const unsent = [...this.waiting.values()].filter(({ parts }) => parts.length === 0);
    for (const utterance of unsent) utterance.fail(abortError('not signed'));
  }

  #remember(utterance: Utterance): void {
    this.#past.set(utterance.ref, utterance);
    for (const { ref, parts } of this.#past.values()) {
      if (this.#past.size <= REMEMBERED) return;
      if (!parts.some((part) => this.credits.has(part))) this.#past.delete(ref);
    }
  }
}

export class Renewal implements PartOwner {
  readonly ref: string;
  readonly part: UtterancePart;
  readonly result = deferred<SignResult>();
  readonly #original: UtterancePart;
  readonly #settled: (renewal: Renewal) => void;
  readonly #unlisten: () => void = () => {};

  /** `answeredAs` is the wire id that the original's result came under. */
  constructor(
    original: UtterancePart,
    answeredAs: string,
    signal: AbortSignal | undefined,
    settled: (renewal: Renewal) => void,
  ) {
    this.ref = original.owner.ref;
    this.#original = original;
    this.#settled = settled;
    const fetches = original.sentOver === 'v3' && !original.fetchedAgain;
    this.part = new UtterancePart(this, original, fetches ? answeredAs : undefined);
    this.part.asks = fetches ? 'fetch' : 'text';
    this.part.fetchableUntil = original.fetchableUntil;
    this.#unlisten = whenAborted(signal, (reason) => this.fail(reason));
  }

  accepted(): void {}

  /** Stream mode has no results, and so none to renew. */
  appended(): void {}

  answered(part: UtterancePart, video: PartVideo): void {
    const original = this.#original;
    original.fetchedAgain = part.answeredAs === original.answeredAs;
    original.answeredAs = part.answeredAs;
    original.sentOver = part.sentOver;
    original.fetchableUntil = part.fetchableUntil;
    this.#settle();
    this.result.resolve(part.toResult(video));
  }

  fail(reason: unknown): void {
    this.#settle();
    this.result.reject(reason);
  }

  #settle(): void {
    this.part.state = 'closed';
    this.#unlisten();
    this.#settled(this);
  }
}
