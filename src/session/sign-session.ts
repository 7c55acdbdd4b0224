// The public face of a session over the V3 socket (document 3): texts go in, results and events come out. Policy
// (SEMANTICS, Headless client): a session opens with the first text, ends when it was not needed for a while, and opens
// again with the next; end() waits 5 s for the summary. A lost session is followed by another, on which what waits goes
// on; only when none can be had does all of it reject. Holds the one state field; what is sent when is text-queue.ts, what
// comes of it exchange.ts, when the next session is tried reconnect.ts, when it is not needed any more idle-watch.ts.
import type { SessionStartFrame } from '../protocol/client-frames.ts';
import { findManifests, type StreamManifests } from '../protocol/find-url.ts';
import type { Limits, ParsedFrame, ReadyFrame } from '../protocol/server-frames.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { ownError } from '../protocol/sign-error.ts';
import { PROTOCOL_VERSION } from '../protocol/websocket.ts';
import { abortError } from './abort.ts';
import { type Clock, systemClock } from './clock.ts';
import { Connection } from './connection.ts';
import { deferred, type Deferred } from './deferred.ts';
import { Emitter } from './emitter.ts';
import { IdleWatch } from './idle-watch.ts';
import { Reconnect, systemNetwork } from './reconnect.ts';
import { fateOf } from './retry-policy.ts';
import type { Listen, SessionEventMap, SessionSummary, SignResult } from './session-events.ts';
import type { RenewOptions, SignCall, SignOptions, SignSessionOptions } from './session-options.ts';
import { type SessionState, type SessionStep, transitions } from './states.ts';
import { TextQueue } from './text-queue.ts';
import type { TextSession } from './text-session.ts';
import { UnknownFrames } from './unknown-frames.ts';

const SUMMARY_MS = 5_000;

export class SignSession implements TextSession {
  readonly #options: SignSessionOptions;
  readonly #start: SessionStartFrame;
  readonly #clock: Clock;
  readonly #events = new Emitter<SessionEventMap>();
  readonly #queue: TextQueue;
  readonly #reconnect: Reconnect;
  readonly #unknown = new UnknownFrames();
  readonly #idle: IdleWatch;
  #state: SessionState = 'idle';
  #limits: Limits | null = null;
  #sessionId: string | null = null;
  #manifests: StreamManifests | null = null;
  #connection: Connection | null = null;
  /** Of connect(), as long as no session came. */
  #connecting: Deferred<void> | null = null;
  /** Of end(), until the session opens again. */
  #ending: Deferred<SessionSummary | null> | null = null;
  #summaryTimer: unknown;

  constructor(options: SignSessionOptions) {
    const { clock = systemClock, random = Math.random, network = systemNetwork(), mode, config } = options;
    this.#options = options;
    this.#clock = clock;
    this.#start = { type: 'session.start', version: PROTOCOL_VERSION, mode, config: structuredClone(config) };
    this.#idle = new IdleWatch(clock, () => void this.#end());
    this.#reconnect = new Reconnect({ clock, random, network, open: () => this.#open() });
    this.#queue = new TextQueue({
      mode,
      clock,
      random,
      maxUnplayed: options.maxUnplayed ?? Infinity,
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

  /** Stream mode: where the picture of the session now open is; null before `sign-ready`. */
  get manifests(): StreamManifests | null {
    return this.#manifests;
  }

  /** Listens until the returned function is called or the signal aborts. */
  readonly on: Listen = (name, listener, options) => this.#events.on(name, listener, options);

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
   * A fresh result of a piece that has one: by result.fetch, and when that is refused or was of no use the last time, by
   * signing it once more. Also on a later session.
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

  /** Stream mode: this text is on screen, so a lost session does not have it sent again. Frees its place. */
  started(ref: string): void {
    this.#queue.started(ref);
  }

  /** Stream mode: its stream is refused by now. As after a drop, another session brings another. */
  renewStream(error: SignError): void {
    if (this.#state === 'ready') this.#lost(error);
  }

  /** Takes back the texts that were not sent yet; they reject with an AbortError. */
  clear(): void {
    this.#queue.clear();
  }

  /** Opens a session ahead of the first text. Rejects with the reason when none can be had. */
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
    if (!transitions[this.#state].open || !this.#wanted) return;
    this.#ending = null;
    this.#reconnect.start();
    this.#open();
    this.#move('open');
  }

  /** Somebody waits for a session. */
  get #wanted(): boolean {
    return this.#connecting !== null || this.#queue.waiting;
  }

  #open(): void {
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
    this.#limits = this.#sessionId = this.#manifests = null;
    connection.open();
  }

  #ready(connection: Connection, frame: ReadyFrame): void {
    const { session_id: sessionId, config_applied: config, limits } = frame;
    const manifests = this.#options.mode === 'stream' ? findManifests(frame) : null;
    if (this.#options.mode === 'stream' && !manifests) {
      return this.#lost(ownError('protocol_error', 'session.ready: no stream', { requestId: sessionId }));
    }
    this.#sessionId = sessionId;
    this.#limits = limits;
    this.#manifests = manifests;
    this.#reconnect.ready();
    this.#connecting?.resolve();
    this.#connecting = null;
    this.#move('ready');
    this.#events.emit('sign-ready', { sessionId, config, limits });
    // A listener may have ended it by now.
    if (this.#state !== 'ready') return;
    this.#queue.attach({
      sessionId,
      limits,
      send: (each) => connection.send(each),
      heardSince: (time) => connection.heardSince(time),
    });
  }

  #heard(parsed: ParsedFrame): void {
    if (parsed.kind === 'unknown') return this.#unknown.heard(parsed.type);
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
    this.#hangUp();
    let fate = fateOf(error, this.#state === 'ready', this.#wanted);
    if (fate === 'reconnect' && !this.#reconnect.lost(error)) fate = 'fail';
    if (fate === 'reconnect') {
      this.#move('lost');
      this.#events.emit('sign-error', { error: error.asWarning() });
      this.#queue.lost(error);
    } else {
      this.#drop(error);
      this.#rest();
      this.#move(fate === 'end' ? 'closed' : 'failed');
      if (fate === 'fail') this.#events.emit('sign-error', { error });
    }
  }

  #end(): Promise<SessionSummary | null> {
    if (this.#ending) return this.#ending.promise;
    const ending = (this.#ending = deferred());
    this.#queue.detach();
    this.#rest();
    if (this.#state === 'ready') {
      this.#summaryTimer = this.#clock.setTimeout(() => this.#ended(null), SUMMARY_MS);
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
    this.#clock.clearTimeout(this.#summaryTimer);
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
    this.#connection?.close();
    this.#connection = null;
    this.#queue.exchange.hungUp();
  }

  /** No other session is tried, and nobody waits for this one to be idle. */
  #rest(): void {
    this.#reconnect.stop();
    this.#idle.end();
  }

  /** Something was sent, answered or lost: there may be nothing to do now. */
  #watchIdle(): void {
    if (this.#wanted || !this.#queue.idle) this.#idle.end();
    else if (this.#state === 'ready' || this.#state === 'reconnecting') this.#idle.begin();
  }

  #move(step: SessionStep): void {
    const state = transitions[this.#state][step];
    if (!state) return;
    this.#state = state;
    this.#events.emit('sign-statechange', { state });
  }
}
