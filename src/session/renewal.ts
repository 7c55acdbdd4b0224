// A fresh result for a part that has one, because its URL is refused or too old (SEMANTICS, media fails).
// - Over V3 by `result.fetch` under the id that the result came with, which costs nothing.
// - When that fails, when what was fetched so has to be renewed too, and by REST: the text again under a new id.
// - It fires no `sign-result`: the part had its own.
import { whenAborted, deferred } from './promises.ts';
import type { SignResult } from './session-events.ts';
import { UtterancePart, type PartOwner, type PartVideo } from './utterance-part.ts';

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
