// Which piece is sent next: renewals before texts, for a player is waiting for them; texts in call order. Policy: a
// piece in backoff lets the next ones pass; each piece of a call takes a place when it is first sent and keeps it until
// it was played, so that unanswered and unplayed pieces are never more than maxUnplayed; renewals need no place. The
// last 64 calls are remembered for renewals, and those that still hold a place. When the session is lost, everything
// keeps its turn and waits for the next one. In stream mode nothing passes: texts are signed in the order they arrive.
import type { SessionMode } from '../protocol/client-frames.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { ownError } from '../protocol/sign-error.ts';
import { Call } from './call.ts';
import type { Clock } from './clock.ts';
import { deferred } from './deferred.ts';
import { Exchange, type Line } from './exchange.ts';
import { KnownCalls } from './known-calls.ts';
import type { Piece } from './piece.ts';
import { Renewal } from './renewal.ts';
import type { Emit, SignResult } from './session-events.ts';
import { wellFormed } from './split-text.ts';
import { newWireId } from './wire-id.ts';

export interface TextQueueOptions {
  readonly mode: SessionMode;
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxUnplayed: number;
  readonly emit: Emit;
  /** An error ended the session. */
  readonly lose: (error: SignError) => void;
  /** All that can be sent now has been sent. */
  readonly rested: () => void;
}

export class TextQueue {
  readonly exchange: Exchange;
  readonly #options: TextQueueOptions;
  readonly #known = new KnownCalls();
  readonly #renewals = new Set<Renewal>();
  #wakeTimer: unknown;
  /** The clock's time when the first piece in backoff may go. */
  #dueAt = Infinity;
  #pumping = false;

  constructor(options: TextQueueOptions) {
    this.#options = options;
    this.exchange = new Exchange({ ...options, moved: () => this.#pump() });
  }

  /** Something wants a session. */
  get waiting(): boolean {
    return this.#known.waiting.size + this.#renewals.size > 0;
  }

  /** Nothing is waiting or unanswered. */
  get idle(): boolean {
    return !this.waiting && this.exchange.inFlight.unanswered === 0;
  }

  /** From now on pieces are sent over this session. */
  attach(line: Line): void {
    this.exchange.line = line;
    this.#pump();
  }

  /** The session is lost for this reason: what was under way waits for the next one, but for what ends with it. */
  lost(error: SignError): void {
    const { clock, emit, mode, random } = this.#options;
    this.detach();
    for (const piece of this.#allPieces()) {
      if (piece.lost(mode, clock, random)) continue;
      const last = error.asSeverity('message');
      piece.owner.fail(last);
      emit('sign-error', { error: last, ref: piece.owner.ref });
    }
    this.#pump();
  }

  /** The session is gone or going: everything that waits fails for this reason. */
  drop(reason: unknown): void {
    this.detach();
    for (const call of [...this.#known.waiting.values()]) call.fail(reason);
    for (const renewal of [...this.#renewals]) renewal.fail(reason);
  }

  detach(): void {
    this.exchange.detach();
    this.#options.clock.clearTimeout(this.#wakeTimer);
  }

  add(text: string, ref: string | undefined, signal: AbortSignal | undefined): Call {
    const call = new Call({
      // Plain JavaScript may hand over anything; what is no text at all is an empty one.
      text: wellFormed(String(text ?? '')),
      ref: ref ?? newWireId(),
      signal,
      emit: this.#options.emit,
      settled: (settled) => this.#settled(settled),
    });
    if (call.outcome === 'failed') return call;
    const refusal = this.#known.refusal(call);
    if (refusal) {
      call.fail(refusal);
      // Later, so that the caller has the ref before the event names it.
      queueMicrotask(() => this.#options.emit('sign-error', { error: refusal, ref: call.ref }));
    } else {
      this.#known.waiting.set(call.ref, call);
      this.#pump();
    }
    return call;
  }

  renew(ref: string, index: number, signal: AbortSignal | undefined): Promise<SignResult> {
    const original = this.#known.find(ref)?.pieces[index];
    if (!original?.answeredAs) {
      const refused = deferred<SignResult>();
      refused.reject(ownError('invalid_request', 'there is no such result to renew'));
      return refused.promise;
    }
    const renewal = new Renewal(original, original.answeredAs, signal, (settled) => {
      this.#renewals.delete(settled);
      this.#pump();
    });
    if (renewal.piece.open) this.#renewals.add(renewal);
    this.#pump();
    return renewal.result.promise;
  }

  played(ref: string, index: number): void {
    if (this.#known.played(ref, index)) this.#pump();
  }

  /** Stream mode: this text is on screen. */
  started(ref: string): void {
    this.#known.waiting.get(ref)?.started();
    this.#pump();
  }

  /** Rejects the texts of which nothing was sent yet. */
  clear(): void {
    this.#known.clear();
  }

  #allPieces(): Piece[] {
    const calls = [...this.#known.waiting.values()].flatMap(({ pieces }) => pieces);
    return [...this.#renewals].map(({ piece }) => piece).concat(calls);
  }

  #settled(call: Call): void {
    if (this.#known.settle(call)) this.#pump();
  }

  /** Sends all that may be sent now and sees to it that the rest is sent when its time comes. */
  #pump(): void {
    // What is answered, failed or added while this runs is seen by the loop below.
    if (this.#pumping) return;
    this.#pumping = true;
    const { clock, rested } = this.#options;
    let wait = this.exchange.wait();
    while (wait <= 0) {
      const piece = this.#next();
      if (piece) this.#send(piece);
      wait = piece ? this.exchange.wait() : this.#dueAt - clock.now();
    }
    clock.clearTimeout(this.#wakeTimer);
    if (this.exchange.line && this.waiting && wait < Infinity) {
      this.#wakeTimer = clock.setTimeout(() => this.#pump(), wait);
    }
    this.#pumping = false;
    rested();
  }

  #send(piece: Piece): void {
    // Without a limit places are not counted: nobody would have to give them back.
    if (piece.owner instanceof Call && this.#options.maxUnplayed < Infinity) this.#known.places.add(piece);
    this.exchange.send(piece);
  }

  /** The first piece that may go, its call split if need be; notes when the first one in backoff may. */
  #next(): Piece | undefined {
    const { line } = this.exchange;
    this.#freeStarted();
    const now = this.#options.clock.now();
    this.#dueAt = Infinity;
    for (const renewal of this.#renewals) {
      if (line) renewal.fit(line.limits.max_text_length, line.sessionId);
      if (this.#isDue(renewal.piece, now)) return renewal.piece;
    }
    for (const call of this.#known.waiting.values()) {
      if (line && (this.#hasPlace || call.pieces.length > 0)) this.#fit(call, line);
      const hasPlace = this.#hasPlace;
      const waiting = call.pieces.filter(({ state }) => state === 'waiting');
      const passing = this.#options.mode === 'stream' ? waiting.slice(0, 1) : waiting;
      const piece = passing.find(
        (each) => (hasPlace || this.#known.places.has(each)) && this.#isDue(each, now),
      );
      if (piece) return piece;
      if (this.#options.mode === 'stream' && waiting.length > 0) break;
    }
    return undefined;
  }

  get #hasPlace(): boolean {
    return this.#known.places.size + this.exchange.inFlight.unwanted < this.#options.maxUnplayed;
  }

  #fit(call: Call, { limits, sessionId }: Line): void {
    const { pieces } = call;
    call.fit(limits.max_text_length, sessionId);
    if (call.pieces !== pieces) for (const piece of pieces) this.#known.places.delete(piece);
  }

  /** Stream mode: nothing is played by itself, so what is in the stream and has started needs no place any more. */
  #freeStarted(): void {
    if (this.#options.mode === 'translate') return;
    for (const piece of this.#known.places) if (!piece.open) this.#known.places.delete(piece);
  }

  #isDue(piece: Piece, now: number): boolean {
    // Two renewals of one result fetch it under one id: one after the other, or their answers could not be told apart.
    if (piece.state !== 'waiting' || this.exchange.inFlight.isUnanswered(piece.wireId)) return false;
    if (piece.notBefore > now) this.#dueAt = Math.min(this.#dueAt, piece.notBefore);
    return piece.notBefore <= now;
  }
}
