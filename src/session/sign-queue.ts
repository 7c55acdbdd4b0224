// The queue of a session's utterances: decides which part is sent next, over whichever transport is in force.
// - Renewals are sent before texts, because a player waits for them. Texts are sent in call order. While a part waits for a
//   retry, later parts are sent before it; not in stream mode, where texts are signed in the order of their arrival.
// - At most `maxInflight` parts are unanswered. A part holds a credit from its sending until it was played, so that at most
//   `maxUnplayed` parts are unanswered or unplayed. A renewal needs no credit.
// - What V3 acknowledged is fetched over V3 while the service keeps it (5 minutes). After that REST may sign it again.
// - When a connection is lost, every part keeps its place and waits for the next connection.
import type { SessionMode } from '../protocol/client-frames.ts';
import { ownError } from '../protocol/own-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { type Clock, deferred } from './async.ts';
import { KnownUtterances, Renewal } from './known-utterances.ts';
import { PartOutcomes } from './part-outcomes.ts';
import { SendPace } from './send-pace.ts';
import type { Emit, SignResult } from './session-types.ts';
import type { RequestEvents, Transport, TransportKind } from './transports/transport.ts';
import { tooLong, type UtterancePart } from './utterance-part.ts';
import { Utterance } from './utterance.ts';

const IDLE_MS = 120_000;

interface SignQueueOptions {
  readonly mode: SessionMode;
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxUnplayed: number;
  readonly emit: Emit;
  /** Everything that can be sent now has been sent. */
  readonly rested: () => void;
}

/** What a queue sends over. */
export interface QueueTransports {
  /** Carries texts: the transport in force; null before there is one. */
  readonly current: Transport | null;
  /** Fetches results that V3 keeps. */
  readonly v3: Transport | null;
  readonly all: readonly Transport[];
}

export class SignQueue {
  readonly #options: SignQueueOptions;
  readonly #transports: QueueTransports;
  readonly #known = new KnownUtterances();
  readonly #renewals = new Set<Renewal>();
  readonly #pace: SendPace;
  /** What transports report about requests. */
  readonly events: RequestEvents;
  #wakeTimer: unknown;
  /** The clock's time when the first part that waits for its time may be sent. */
  #dueAt = Infinity;
  /** How long each must wait before it may send another message. */
  #delayMs = { current: Infinity, v3: Infinity };
  #pumping = false;
  /** Stream mode: the clock's time at which the text on screen is estimated to be over. */
  #signedAt = -Infinity;

  constructor(options: SignQueueOptions, transports: QueueTransports) {
    this.#options = options;
    this.#transports = transports;
    this.#pace = new SendPace(options.clock);
    this.events = new PartOutcomes({ ...options, pace: this.#pace, freed: () => this.pump() });
  }

  /** True while a text or a renewal waits to be sent. */
  get waiting(): boolean {
    return this.#known.waiting.size + this.#renewals.size > 0;
  }

  /** True while nothing is waiting or unanswered. */
  get idle(): boolean {
    return !this.waiting && this.#transports.all.every(({ pending }) => pending.length === 0);
  }

  /** True while a part waits for a result that only V3 can give. */
  get fetches(): boolean {
    return this.#parts.some(({ state, asks }) => state === 'waiting' && asks === 'fetch');
  }

  /** The connection of this transport is lost: its parts wait for the next one, or fail when they were lost too often. */
  lost(kind: TransportKind, error: SignError): void {
    const { clock, emit, mode, random } = this.#options;
    for (const part of this.#parts) {
      // In stream mode what REST has signed has a stream of its own and needs no connection.
      const hasStream = kind === 'rest' && mode === 'stream' && part.state === 'acknowledged';
      if (!part.underWay || part.sentOver !== kind || hasStream) continue;
      // In translate mode a part that REST has accepted has a job, which V3 cannot fetch. The service may bill it, so the part is
      // not sent again: it fails.
      const hasJob = kind === 'rest' && this.#isAccepted(part);
      this.#cancel(part);
      if (!hasJob && part.lost(mode, clock, random)) continue;
      const last = error.asSeverity('message');
      part.owner.fail(last);
      emit('sign-error', { error: last, ref: part.owner.ref });
    }
    this.pump();
  }

  /** Everything that waits fails for this reason. */
  drop(reason: unknown): void {
    this.#options.clock.clearTimeout(this.#wakeTimer);
    // In reverse order: a credit that becomes free must not go to another dropped part.
    for (const utterance of [...this.#known.waiting.values()].reverse()) utterance.fail(reason);
    for (const renewal of [...this.#renewals]) renewal.fail(reason);
  }

  /** Queues an utterance; one that cannot be signed fails. */
  add(utterance: Utterance): void {
    if (utterance.state !== 'open') return;
    const { emit } = this.#options;
    utterance.events = { emit, settled: (settled) => this.#settled(settled) };
    const refusal = this.#known.refusal(utterance);
    if (refusal) {
      utterance.fail(refusal);
      // Deferred, so that the caller has the ref before an event names it.
      queueMicrotask(() => emit('sign-error', { error: refusal, ref: utterance.ref }));
    } else {
      this.#known.waiting.set(utterance.ref, utterance);
      this.pump();
    }
  }

  renew(ref: string, index: number, signal: AbortSignal | undefined): Promise<SignResult> {
    const original = this.#known.find(ref)?.parts[index];
    if (!original?.answeredAs) {
      const refused = deferred<SignResult>();
      refused.reject(ownError('invalid_request', 'no result'));
      return refused.promise;
    }
    const renewal = new Renewal(original, original.answeredAs, signal, (settled) => {
      this.#renewals.delete(settled);
      this.#cancel(settled.part);
      this.pump();
    });
    if (renewal.part.open) this.#renewals.add(renewal);
    this.pump();
    return renewal.result.promise;
  }

  played(ref: string, index: number): void {
    if (this.#known.played(ref, index)) this.pump();
  }

  /** Stream mode: this text is on screen. */
  started(ref: string): void {
    const utterance = this.#known.find(ref);
    if (!utterance) return;
    this.#signedAt = this.#options.clock.now() + utterance.estimate * 1000;
    utterance.started();
    this.pump();
  }

  /**
   * How many milliseconds a session is kept while nobody needs it: 120 s (SEMANTICS, connect()), or twice the estimated rest of
   * the text in the stream: the stream may end with the session, and the service may take longer than estimated.
   */
  get idleMs(): number {
    return Math.max(IDLE_MS, 2 * (this.#signedAt - this.#options.clock.now()));
  }

  /** Rejects the texts of which nothing was sent yet. */
  clear(): void {
    this.#known.clear();
  }

  get #parts(): UtterancePart[] {
    const texts = [...this.#known.waiting.values()].flatMap(({ parts }) => parts);
    return [...this.#renewals].map(({ part }) => part).concat(texts);
  }

  #settled(utterance: Utterance): void {
    if (utterance.state === 'failed') for (const part of utterance.parts) this.#cancel(part);
    if (this.#known.settle(utterance)) this.pump();
  }

  #isAccepted(part: UtterancePart): boolean {
    const requests = this.#transports.all.flatMap(({ pending }) => pending);
    return requests.some((request) => request.part === part && request.acknowledged);
  }

  #cancel(part: UtterancePart): void {
    for (const transport of this.#transports.all) transport.cancel(part);
  }

  /** Sends every part that may be sent now, and sets a timer for the next one that waits for its time. */
  pump(): void {
    // The loop below also sees what is answered, fails or is added while it runs.
    if (this.#pumping) return;
    this.#pumping = true;
    const { clock, rested } = this.#options;
    let delayMs = Infinity;
    do {
      for (let part = this.#next(); part; part = this.#next()) this.#send(part);
      delayMs = this.#dueAt - clock.now();
    } while (delayMs <= 0);
    clock.clearTimeout(this.#wakeTimer);
    if (this.waiting && delayMs < Infinity) {
      this.#wakeTimer = clock.setTimeout(() => this.pump(), delayMs);
    }
    this.#pumping = false;
    rested();
  }

  #send(part: UtterancePart): void {
    const transport = this.#transportOf(part);
    if (!transport?.window) return;
    // Without a limit credits are not counted, because nobody may ever give them back.
    if (part.owner instanceof Utterance && this.#options.maxUnplayed < Infinity)
      this.#known.credits.add(part);
    part.state = 'sent';
    part.sentOver = transport.kind;
    if (part.asks === 'text') part.tries += 1;
    const isPaced = transport.window.maxMessagesPerMinute < Infinity;
    const request = transport.send(part);
    if (isPaced) this.#pace.sent(request);
  }

  #transportOf({ asks }: UtterancePart): Transport | null {
    const { current, v3 } = this.#transports;
    return asks === 'fetch' ? v3 : current;
  }

  /** The first part that may be sent; cuts texts where that is needed, and notes in `#dueAt` when the next part is due. */
  #next(): UtterancePart | undefined {
    const { current, v3 } = this.#transports;
    const window = current?.window;
    this.#freeStarted();
    // The clock is read once: between two readings a minute could end, and a part could be sent whose text was not yet cut.
    const now = this.#options.clock.now();
    this.#delayMs = { current: this.#delayOf(current, now), v3: this.#delayOf(v3, now) };
    const delayMs = Math.min(this.#delayMs.current, this.#delayMs.v3);
    this.#dueAt = delayMs > 0 ? now + delayMs : Infinity;
    // With REST the search continues although nothing may be sent yet: a part that only V3 can fetch may have to be signed again.
    if (delayMs > 0 && current?.kind !== 'rest') return undefined;
    for (const { part } of this.#renewals) {
      if (window && part.isTooLong(window.maxTextBytes)) {
        part.owner.fail(tooLong(window.maxTextBytes, window.sessionId));
      } else if (this.#checkDue(part)) return part;
    }
    for (const utterance of this.#known.waiting.values()) {
      const isCut = utterance.parts.length > 0;
      const mayCut = this.#delayMs.current <= 0 && (isCut || this.#hasCredit);
      // Texts are cut in call order, so none behind it is cut.
      if (!mayCut && !isCut) break;
      if (window && mayCut) this.#fit(utterance, window);
      const hasCredit = this.#hasCredit;
      const waiting = utterance.parts.filter(({ state }) => state === 'waiting');
      const candidates = this.#options.mode === 'stream' ? waiting.slice(0, 1) : waiting;
      const part = candidates.find(
        (each) => (hasCredit || this.#known.credits.has(each)) && this.#checkDue(each),
      );
      if (part) return part;
      if (this.#options.mode === 'stream' && waiting.length > 0) break;
    }
    return undefined;
  }

  get #hasCredit(): boolean {
    const { all } = this.#transports;
    const unwanted = all.flatMap(({ pending }) => pending.filter(({ part }) => !part.open)).length;
    return this.#known.credits.size + unwanted < this.#options.maxUnplayed;
  }

  #fit(utterance: Utterance, { maxTextBytes, sessionId, splits }: NonNullable<Transport['window']>): void {
    const { parts } = utterance;
    utterance.fit(maxTextBytes, sessionId, splits);
    if (utterance.parts !== parts) for (const part of parts) this.#known.credits.delete(part);
  }

  /** Stream mode: a part that is in the stream and has started needs its credit no more. */
  #freeStarted(): void {
    if (this.#options.mode === 'translate') return;
    for (const part of this.#known.credits) if (!part.open) this.#known.credits.delete(part);
  }

  /** True when this part may be sent now, else `#dueAt` notes when. REST signs a part again whose result V3 no longer keeps. */
  #checkDue(part: UtterancePart): boolean {
    if (part.state !== 'waiting') return false;
    const { current } = this.#transports;
    const now = this.#options.clock.now();
    if (part.asks === 'fetch' && current?.kind === 'rest') {
      if (part.fetchableUntil <= now) part.resend(now);
      else this.#dueAt = Math.min(this.#dueAt, part.fetchableUntil);
    }
    // Two renewals of one result use the same id, so they are sent one after the other: their answers look the same.
    if (this.#transportOf(part)?.pending.some(({ wireId }) => wireId === part.wireId)) return false;
    const delayMs = part.asks === 'fetch' ? this.#delayMs.v3 : this.#delayMs.current;
    const dueAt = Math.max(part.notBefore, now + delayMs);
    if (dueAt > now) this.#dueAt = Math.min(this.#dueAt, dueAt);
    return dueAt <= now;
  }

  /** Milliseconds until this transport may send another message; Infinity while only an answer or a session makes room. */
  #delayOf(transport: Transport | null, now: number): number {
    if (!transport?.window) return Infinity;
    const { pending, window } = transport;
    if (pending.length >= window.maxInflight) return Infinity;
    return window.maxMessagesPerMinute < Infinity ? this.#pace.wait(window.maxMessagesPerMinute, now) : 0;
  }
}
