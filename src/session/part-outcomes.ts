// What happens to a part after an event of its request, by the table of retry-policy.ts.
// - An answer to an earlier try closes the part; an error of an earlier try is ignored.
// - After a silence an acknowledged text is fetched. When that brings no result, whatever the service answers, and for a text that
//   was not acknowledged, the text is sent again. After three tries: `no_answer`.
import { ownError } from '../protocol/own-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';
import type { Clock } from './async.ts';
import { actionForText, MAX_TRIES } from './retry-policy.ts';
import type { SendPace } from './send-pace.ts';
import type { Emit, SessionEventMap } from './session-types.ts';
import { isCurrent, type PendingRequest, type RequestEvents } from './transports/transport.ts';
import type { PartVideo, StreamEntry, UtterancePart } from './utterance-part.ts';

interface PartOutcomesOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly emit: Emit;
  readonly pace: SendPace;
  /** There may be room for another part. */
  readonly freed: () => void;
}

const noAttempts = { tries: 0, refusals: 0 };

export class PartOutcomes implements RequestEvents {
  readonly #options: PartOutcomesOptions;

  constructor(options: PartOutcomesOptions) {
    this.#options = options;
  }

  arrived(request: PendingRequest): void {
    this.#options.pace.arrived(request);
  }

  disconnected(): void {
    this.#options.pace.disconnected();
  }

  freed(): void {
    this.#options.freed();
  }

  acknowledged(request: PendingRequest, entry: StreamEntry | null): void {
    const { part } = request;
    const isFirst = part.state === 'sent' && request.asks === 'text' && part.wireId === request.wireId;
    if (isFirst) part.acknowledged(this.#options.clock);
    if (part.open) part.owner.accepted(part);
    if (isFirst && part.open && entry) part.owner.appended(part, entry);
  }

  progress({ part }: PendingRequest, detail: Omit<SessionEventMap['sign-progress'], 'ref'>): void {
    if (part.open) this.#options.emit('sign-progress', { ref: part.owner.ref, ...detail });
  }

  answered({ part, wireId }: PendingRequest, video: PartVideo): void {
    if (part.open) part.answer(wireId, video, this.#options.clock);
  }

  refused(request: PendingRequest | null, error: SignError): void {
    const { clock, emit, pace, random } = this.#options;
    const action = actionForText(error, request?.part ?? noAttempts, random);
    if (action.kind === 'pace') pace.pause(action.delayMs);
    if (!request) {
      // No text has failed.
      if (action.kind !== 'end-session') emit('sign-error', { error: error.asWarning() });
      return;
    }
    if (!isCurrent(request)) return;
    const { part, asks } = request;
    const now = clock.now();
    if (action.kind === 'end-session') {
      if (action.failsText && asks === 'fetch') this.#unanswered(part, error);
      else if (action.failsText) this.#fail(part, error);
    } else if (action.kind === 'pace') this.#repeat(request, error, now);
    else if (asks === 'fetch') this.#unanswered(part, error);
    else if (action.kind === 'retry') this.#resend(part, error, now + action.delayMs);
    else this.#fail(part, error);
  }

  paced(error: SignError): void {
    const action = actionForText(error, noAttempts, this.#options.random);
    if (action.kind === 'pace') this.#options.pace.pause(action.delayMs);
  }

  failed(request: PendingRequest, error: SignError): void {
    if (!isCurrent(request)) return;
    const { part, asks } = request;
    if (asks === 'fetch') this.#unanswered(part, error);
    else this.#fail(part, error);
  }

  broken({ part }: PendingRequest, error: SignError | null): void {
    const { clock, random } = this.#options;
    if (!part.open) return;
    if (error === null) {
      part.tries -= 1;
      part.resend(-Infinity);
    } else if (!part.lost('translate', clock, random)) this.#fail(part, error);
  }

  warned(request: PendingRequest | null, error: SignError): void {
    if (request?.part.open) this.#warn(request.part, error);
    else if (!request) this.#options.emit('sign-error', { error: error.asWarning() });
  }

  silent(request: PendingRequest, wasAcknowledged: boolean): void {
    if (!isCurrent(request)) return;
    if (wasAcknowledged) request.part.fetch(this.#options.clock.now());
    else this.#unanswered(request.part);
  }

  /** This try brought no result: tries again at once, or fails. */
  #unanswered(part: UtterancePart, { requestId }: Pick<SignError, 'requestId'> = { requestId: null }): void {
    const error = ownError('no_answer', undefined, { requestId });
    const now = this.#options.clock.now();
    if (part.tries === 0) part.resend(now);
    else if (part.tries < MAX_TRIES) this.#resend(part, error, now);
    else this.#fail(part, error);
  }

  /** Refused because of the pace: asks the same again once sending continues. */
  #repeat({ part, asks }: PendingRequest, error: SignError, now: number): void {
    part.refusals += 1;
    if (asks === 'text') part.tries -= 1;
    part[asks === 'text' ? 'resend' : 'fetch'](now);
    this.#warn(part, error);
  }

  #resend(part: UtterancePart, error: SignError, notBefore: number): void {
    part.resend(notBefore);
    this.#warn(part, error);
  }

  #warn(part: UtterancePart, error: SignError): void {
    this.#options.emit('sign-error', { error: error.asWarning(), ref: part.owner.ref });
  }

  /** The text has failed, also when its error claims to be a warning. */
  #fail(part: UtterancePart, cause: SignError): void {
    const error = cause.asSeverity('message');
    part.owner.fail(error);
    this.#options.emit('sign-error', { error, ref: part.owner.ref });
  }
}
