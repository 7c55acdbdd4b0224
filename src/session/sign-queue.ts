// The utterances of a session in order, whichever transport carries them: which part is sent next.
// - Renewals go before texts: a player waits for them. Texts go in call order; a part in backoff lets the next ones pass,
//   but in stream mode nothing passes, because texts are signed in the order they arrive.
// - At most `maxInflight` unanswered, at the pace that the service allows. A part holds a credit from sending until it was
//   played, so that unanswered and unplayed parts are never more than maxUnplayed; renewals need no credit.
// - What V3 acknowledged is fetched over V3 as long as the service keeps it (5 minutes). After that REST may sign it anew.
// - When a connection is lost everything keeps its turn and waits for the next one.
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

export interface SignQueueOptions {
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
  /** For texts: the transport now in force; null before there is one. */
  readonly current: Transport | null;
  /** For results that V3 keeps. */
  readonly v3: Transport | null;
  readonly all: readonly Transport[];
}

export class SignQueue {
  readonly #options: SignQueueOptions;
  readonly #transports: QueueTransports;
  readonly #known = new KnownUtterances();
  readonly #renewals = new Set<Renewal>();
  readonly #pace: SendPace;
  /** What transports tell of requests. */
  readonly events: RequestEvents;
  #wakeTimer: unknown;
  /** The clock's time when the first part that waits for time may go. */
  #dueAt = Infinity;
  /** Milliseconds until each may send another message. */
  #room = { current: Infinity, v3: Infinity };
  #pumping = false;

  constructor(options: SignQueueOptions, transports: QueueTransports) {
    this.#options = options;
    this.#transports = transports;
    this.#pace = new SendPace(options.clock);
    this.events = new PartOutcomes({ ...options, pace: this.#pace, moved: () => this.pump() });
  }

  /** Something wants a session. */
  get waiting(): boolean {
    return this.#known.waiting.size + this.#renewals.size > 0;
  }

  /** Nothing is waiting or unanswered. */
  get idle(): boolean {
    return !this.waiting && this.#transports.all.every(({ pending }) => pending.length === 0);
  }

  /** A part waits for a result that only V3 can give. */
  get fetches(): boolean {
    return this.#parts.some(({ state, asks }) => state === 'waiting' && asks === 'fetch');
  }

  /** The transport's connection is lost for this reason: what was under way waits for the next one, or ends with it. */
  lost(kind: TransportKind, error: SignError): void {
    const { clock, emit, mode, random } = this.#options;
    for (const part of this.#parts) {
      if (!part.underWay || part.sentOver !== kind || part.lost(mode, clock, random)) continue;
      const last = error.asSeverity('message');
      part.owner.fail(last);
      emit('sign-error', { error: last, ref: part.owner.ref });
    }
    this.pump();
  }

  /** Everything that waits fails for this reason. */
  drop(reason: unknown): void {
    this.#options.clock.clearTimeout(this.#wakeTimer);
    // The last first: a credit that comes free must not go to one that is dropped too.
    for (const utterance of [...this.#known.waiting.values()].reverse()) utterance.fail(reason);
    for (const renewal of [...this.#renewals]) renewal.fail(reason);
  }

  /** Fails one that cannot be signed. */
  add(utterance: Utterance): void {
    if (utterance.state !== 'open') return;
    const { emit } = this.#options;
    utterance.events = { emit, settled: (settled) => this.#settled(settled) };
    const refusal = this.#known.refusal(utterance);
    if (refusal) {
      utterance.fail(refusal);
      // Later, so that the caller has the ref before the event names it.
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
      refused.reject(ownError('invalid_request', 'no such result'));
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
    this.#known.find(ref)?.started();
    this.pump();
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

  #cancel(part: UtterancePart): void {
    for (const transport of this.#transports.all) transport.cancel(part);
  }

  /** Sends all that may be sent now and sees to it that the rest is sent when its time comes. */
  pump(): void {
    // What is answered, failed or added while this runs is seen by the loop below.
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
    // Without a limit credits are not counted: nobody would have to give them back.
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

  /** The first part that may go, its text cut if need be; notes when the first that waits for time may. */
  #next(): UtterancePart | undefined {
    const { current, v3 } = this.#transports;
    const window = current?.window;
    this.#freeStarted();
    this.#room = { current: this.#roomOf(current), v3: this.#roomOf(v3) };
    const roomMs = Math.min(this.#room.current, this.#room.v3);
    this.#dueAt = roomMs > 0 ? this.#options.clock.now() + roomMs : Infinity;
    // By REST it may be time to give up what only V3 can fetch, room or not.
    if (roomMs > 0 && current?.kind !== 'rest') return undefined;
    for (const { part } of this.#renewals) {
      if (window && part.isTooLong(window.maxTextBytes)) {
        part.owner.fail(tooLong(window.maxTextBytes, window.sessionId));
      } else if (this.#isDue(part)) return part;
    }
    for (const utterance of this.#known.waiting.values()) {
      const mayCut = this.#room.current <= 0 && (this.#hasCredit || utterance.parts.length > 0);
      if (window && mayCut) this.#fit(utterance, window);
      const hasCredit = this.#hasCredit;
      const waiting = utterance.parts.filter(({ state }) => state === 'waiting');
      const passing = this.#options.mode === 'stream' ? waiting.slice(0, 1) : waiting;
      const part = passing.find((each) => (hasCredit || this.#known.credits.has(each)) && this.#isDue(each));
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

  /** Stream mode: nothing is played by itself, so what is in the stream and has started needs no credit any more. */
  #freeStarted(): void {
    if (this.#options.mode === 'translate') return;
    for (const part of this.#known.credits) if (!part.open) this.#known.credits.delete(part);
  }

  #isDue(part: UtterancePart): boolean {
    if (part.state !== 'waiting') return false;
    const { current } = this.#transports;
    const now = this.#options.clock.now();
    if (part.asks === 'fetch' && current?.kind === 'rest') {
      if (part.fetchableUntil <= now) part.resend(now);
      else this.#dueAt = Math.min(this.#dueAt, part.fetchableUntil);
    }
    // Two renewals of one result fetch it under one id: one after the other, or their answers could not be told apart.
    if (this.#transportOf(part)?.pending.some(({ wireId }) => wireId === part.wireId)) return false;
    const roomMs = part.asks === 'fetch' ? this.#room.v3 : this.#room.current;
    const dueAt = Math.max(part.notBefore, now + roomMs);
    if (dueAt > now) this.#dueAt = Math.min(this.#dueAt, dueAt);
    return dueAt <= now;
  }

  /** Milliseconds until this transport may send another message; Infinity while only an answer or a session makes room. */
  #roomOf(transport: Transport | null): number {
    if (!transport?.window) return Infinity;
    const { pending, window } = transport;
    if (pending.length >= window.maxInflight) return Infinity;
    return window.maxMessagesPerMinute < Infinity ? this.#pace.wait(window.maxMessagesPerMinute) : 0;
  }
}
