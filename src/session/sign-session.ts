// The public face of a session in V3 translate mode (document 3): texts go in, results and events come out. Policy
// (SEMANTICS, Headless client): a session opens with the first text, ends after 120 s with nothing waiting or
// unanswered, and opens again with the next; end() waits 5 s for the summary. A lost session rejects what waits with its
// reason. Holds the one state field; what is sent when is text-queue.ts, what comes of it exchange.ts.
import type { SessionStartFrame } from '../protocol/client-frames.ts';
import { PROTOCOL_VERSION } from '../protocol/protocol-version.ts';
import type { Limits, ParsedFrame, ReadyFrame } from '../protocol/server-frames.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { abortError } from './abort.ts';
import { systemClock, type Clock } from './clock.ts';
import { Connection } from './connection.ts';
import { deferred, type Deferred } from './deferred.ts';
import { Emitter } from './emitter.ts';
import type { SessionEventMap, SessionSummary, SignResult } from './session-events.ts';
import type { RenewOptions, SignCall, SignOptions, SignSessionOptions } from './session-options.ts';
import { transitions, type SessionState, type SessionStep } from './states.ts';
import { TextQueue } from './text-queue.ts';

const IDLE_MS = 120_000;
const SUMMARY_MS = 5_000;
/** Frame types that are warned of by name; a service that invents more is not worth more lines. */
const WARNED_TYPES = 16;

export class SignSession {
  readonly #options: SignSessionOptions;
  readonly #start: SessionStartFrame;
  readonly #clock: Clock;
  readonly #events = new Emitter<SessionEventMap>();
  readonly #queue: TextQueue;
  readonly #warnedTypes = new Set<string>();
  #state: SessionState = 'idle';
  #limits: Limits | null = null;
  #sessionId: string | null = null;
  #connection: Connection | null = null;
  /** Of connect(), as long as no session came. */
  #connecting: Deferred<void> | null = null;
  /** Of end(), until the session opens again. */
  #ending: Deferred<SessionSummary | null> | null = null;
  /** Idle time while `ready`, the wait for the summary while `finalizing`; null when neither runs. */
  #timer: unknown = null;

  constructor(options: SignSessionOptions) {
    const { clock = systemClock, random = Math.random, maxUnplayed = Infinity, mode, config } = options;
    this.#options = options;
    this.#clock = clock;
    this.#start = { type: 'session.start', version: PROTOCOL_VERSION, mode, config: structuredClone(config) };
    this.#queue = new TextQueue({
      clock,
      random,
      maxUnplayed,
      emit: (name, detail) => this.#events.emit(name, detail),
      lose: (error) => this.#lost(error),
      rested: () => this.#watchIdle(),
    });
  }

  get state(): SessionState {
    return this.#state;
  }

  /** The service's limits, null before `sign-ready`. */
  get limits(): Readonly<Limits> | null {
    return this.#limits;
  }

  /** To be quoted in support requests; null before `sign-ready`. */
  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** Listens until the returned function is called or the signal aborts. */
  on<Name extends keyof SessionEventMap>(
    event: Name,
    listener: (detail: SessionEventMap[Name]) => void,
    options: { signal?: AbortSignal | undefined } = {},
  ): () => void {
    return this.#events.on(event, listener, options);
  }

  /**
   * Queues a text and opens a session when there is none. Never throws: `result` rejects with a SignError, or with the
   * signal's reason (an AbortError) after an abort, clear() or end().
   */
  sign(text: string, { signal, ref }: SignOptions = {}): SignCall {
    const call = this.#queue.add(text, ref, signal);
    this.#openIfWanted();
    return { ref: call.ref, accepted: call.accepts.promise, result: call.result.promise };
  }

  /**
   * A fresh result of a piece that has one: by result.fetch, else by signing it once more. Also on a later session.
   * @returns rejects with `invalid_request` when the ref is not one of the last 64 or its piece has no result.
   */
  renew(ref: string, { piece = 0, signal }: RenewOptions = {}): Promise<SignResult> {
    const result = this.#queue.renew(ref, piece, signal);
    this.#openIfWanted();
    return result;
  }

  /** This piece was played, or will never be: frees its place of `maxUnplayed`. */
  played(ref: string, piece = 0): void {
    this.#queue.played(ref, piece);
  }

  /** Takes back the texts that were not sent yet; they reject with an AbortError. */
  clear(): void {
    this.#queue.clear();
  }

  /** Opens a session ahead of the first text. Rejects with the reason when none comes. */
  connect(): Promise<void> {
    if (this.#state === 'ready') return Promise.resolve();
    const { promise } = (this.#connecting ??= deferred());
    this.#openIfWanted();
    return promise;
  }

  /** Ends the session: what waits rejects with an AbortError. Resolves with the summary, or null when none came in 5 s. */
  end(): Promise<SessionSummary | null> {
    this.#drop(abortError('the session was ended'));
    return this.#end();
  }

  #openIfWanted(): void {
    if (!transitions[this.#state].open || !(this.#connecting || this.#queue.waiting)) return;
    const {
      url,
      webSocket = globalThis.WebSocket,
      fetch = (address, init) => globalThis.fetch(address, init),
    } = this.#options;
    const connection = new Connection({
      url,
      start: this.#start,
      webSocket,
      fetch,
      clock: this.#clock,
      ready: (frame) => this.#ready(connection, frame),
      heard: (parsed) => this.#heard(parsed),
      lost: (error) => this.#lost(error),
    });
    this.#connection = connection;
    this.#limits = null;
    this.#sessionId = null;
    this.#ending = null;
    connection.open();
    this.#move('open');
  }

  #ready(connection: Connection, frame: ReadyFrame): void {
    const { session_id: sessionId, config_applied: config, limits } = frame;
    this.#sessionId = sessionId;
    this.#limits = limits;
    this.#connecting?.resolve();
    this.#connecting = null;
    this.#move('ready');
    this.#events.emit('sign-ready', { sessionId, config, limits });
    // A listener may have ended it by now.
    if (this.#state !== 'ready') return;
    this.#queue.attach({ sessionId, limits, send: (each) => connection.send(each) });
  }

  #heard(parsed: ParsedFrame): void {
    if (parsed.kind === 'unknown') return this.#warnOnce(parsed.type);
    if (parsed.kind === 'malformed') return this.#queue.exchange.malformed(parsed);
    const { frame } = parsed;
    if (frame.type === 'session.ready') return;
    if (frame.type !== 'session.summary') return this.#queue.exchange.heard(frame);
    const summary = { sessionId: frame.session_id ?? this.#sessionId, usage: frame.usage };
    this.#events.emit('sign-summary', summary);
    if (this.#state === 'finalizing') this.#ended(summary);
  }

  /** The session is gone without being asked to, or no session came. */
  #lost(error: SignError): void {
    if (this.#state === 'finalizing') return this.#ended(null);
    this.#drop(error);
    this.#hangUp();
    this.#move('closed');
    this.#events.emit('sign-error', { error });
  }

  #end(): Promise<SessionSummary | null> {
    if (this.#ending) return this.#ending.promise;
    const ending = (this.#ending = deferred());
    this.#queue.detach();
    if (this.#state === 'ready') {
      this.#setTimer(SUMMARY_MS, () => this.#ended(null));
      this.#move('end');
      this.#connection?.send({ type: 'session.end' });
    } else {
      this.#hangUp();
      ending.resolve(null);
      this.#move('end');
    }
    return ending.promise;
  }

  #ended(summary: SessionSummary | null): void {
    this.#hangUp();
    this.#ending?.resolve(summary);
    this.#move('closed');
    this.#openIfWanted();
  }

  /** Rejects everything that waits, connect() included. */
  #drop(reason: unknown): void {
    const connecting = this.#connecting;
    this.#connecting = null;
    this.#queue.drop(reason);
    connecting?.reject(reason);
  }

  #hangUp(): void {
    this.#clearTimer();
    this.#connection?.close();
    this.#connection = null;
  }

  /** Ends a session that has nothing to do for IDLE_MS. */
  #watchIdle(): void {
    if (this.#state !== 'ready') return;
    if (!this.#queue.idle) this.#clearTimer();
    else if (this.#timer === null) this.#setTimer(IDLE_MS, () => void this.#end());
  }

  #setTimer(delayMs: number, run: () => void): void {
    this.#clearTimer();
    this.#timer = this.#clock.setTimeout(run, delayMs);
  }

  #clearTimer(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
  }

  #move(step: SessionStep): void {
    const state = transitions[this.#state][step];
    if (!state) return;
    this.#state = state;
    this.#events.emit('sign-statechange', { state });
  }

  #warnOnce(type: string): void {
    if (this.#warnedTypes.has(type) || this.#warnedTypes.size >= WARNED_TYPES) return;
    this.#warnedTypes.add(type);
    console.warn(
      `sign-elements: frames of an unknown type are ignored: ${JSON.stringify(type.slice(0, 64))}`,
    );
  }
}
