// A session that takes the way there is: V3 over the socket, and REST while no V3 session can be had (SEMANTICS, REST
// transport; the contract's `transport="auto"`). Policy: REST after 10 s without a session, or at once when the first
// attempt is refused (auto-verdict.ts); what waits goes over in order, none twice, none lost; a text of which some is signed
// stays with the session that signed it. Changing ways is no error and shows in `state` alone. Back to V3 as soon as a quiet
// probe (auto-probe.ts) finds a session. The code for REST is loaded when it is needed.
import type { StreamManifests } from '../../protocol/find-url.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import { ownError } from '../../protocol/sign-error.ts';
import { abortError } from '../abort.ts';
import { type Clock, systemClock } from '../clock.ts';
import { deferred, type Deferred } from '../deferred.ts';
import { Emitter } from '../emitter.ts';
import { proxyPrefix } from '../proxy-prefix.ts';
import type { RestSession, RestSessionOptions } from '../rest/rest-session.ts';
import type { Emit, Listen, SessionEventMap, SessionSummary, SignResult } from '../session-events.ts';
import type { RenewOptions, SignOptions, SignSessionOptions } from '../session-options.ts';
import { SignSession } from '../sign-session.ts';
import type { SessionState } from '../states.ts';
import type { TextCall, TextResult, TextSession } from '../text-session.ts';
import { newWireId } from '../wire-id.ts';
import { AutoCall } from './auto-call.ts';
import { AutoCalls } from './auto-calls.ts';
import { Probe } from './auto-probe.ts';
import { isForRest } from './auto-verdict.ts';

const PATIENCE_MS = 10_000;

export interface AutoSessionOptions extends SignSessionOptions, RestSessionOptions {
  /** Brings the code for REST. Default `import()`. */
  readonly loadRest?: (() => Promise<typeof RestSession>) | undefined;
}

export class AutoSession implements TextSession {
  readonly #options: AutoSessionOptions;
  readonly #clock: Clock;
  readonly #events = new Emitter<SessionEventMap>();
  readonly #emit: Emit = (name, detail) => this.#events.emit(name, detail);
  readonly #socket: SignSession;
  readonly #probe: Probe;
  readonly #calls = new AutoCalls();
  #rest: RestSession | null = null;
  #way: 'socket' | 'changing' | 'rest' = 'socket';
  #state: SessionState = 'idle';
  #manifests: StreamManifests | null = null;
  /** Of connect(), as long as no way is there. */
  #connecting: Deferred<void> | null = null;
  /** A session came since the socket was opened. */
  #hadSession = false;
  #patience: unknown = null;

  /** @throws SignError `invalid_request` when `proxy` is no absolute http(s) address. */
  constructor(options: AutoSessionOptions) {
    const { clock = systemClock, random = Math.random } = options;
    this.#options = { ...options, proxy: proxyPrefix(options.proxy) };
    this.#clock = clock;
    this.#probe = new Probe({ clock, random, ask: () => void this.#socket.connect().catch(() => {}) });
    this.#socket = new SignSession(options);
    this.#calls.relay(this.#socket, this.#emit);
    this.#socket.on('sign-statechange', ({ state }) => this.#onSocketState(state));
    this.#socket.on('sign-error', (detail) => this.#onSocketError(detail));
    for (const name of ['sign-ready', 'sign-appended', 'sign-progress', 'sign-summary'] as const) {
      this.#socket.on(name, (detail) => {
        this.#manifests = this.#socket.manifests;
        this.#emit(name, detail);
      });
    }
  }

  get state(): SessionState {
    return this.#state;
  }

  get manifests(): StreamManifests | null {
    return this.#manifests;
  }

  readonly on: Listen = (name, listener, options) => this.#events.on(name, listener, options);

  sign(text: string, { signal, ref = newWireId() }: SignOptions = {}): TextCall {
    const call = new AutoCall({
      ref,
      text,
      signal,
      answered: (answered, result) => this.#answered(answered, result),
      stranded: (stranded, reason) => this.#stranded(stranded, reason),
      dropped: (dropped, reason) => this.#emit('sign-dropped', { ref: dropped.ref, reason }),
      settled: (settled) => {
        this.#calls.settled(settled);
        this.#watch();
      },
    });
    if (call.over) return call.promises;
    if (this.#calls.add(call)) {
      if (this.#way !== 'changing') call.handTo(this.#current);
      this.#watch();
    } else {
      const error = ownError('invalid_request', 'a ref names one text only');
      call.fail(error);
      queueMicrotask(() => this.#emit('sign-error', { error, ref }));
    }
    return call.promises;
  }

  renew(ref: string, options: RenewOptions = {}): Promise<SignResult> {
    // The socket knows best how to refuse what nobody has.
    return (this.#calls.wayOf(ref) ?? this.#socket).renew(ref, options);
  }

  played(ref: string, piece = 0): void {
    this.#calls.wayOf(ref)?.played(ref, piece);
  }

  started(ref: string): void {
    this.#calls.wayOf(ref)?.started(ref);
    const call = this.#calls.get(ref);
    if (call?.wasAnswered) call.done();
  }

  renewStream(error: SignError): void {
    this.#socket.renewStream(error);
  }

  clear(): void {
    this.#socket.clear();
    this.#rest?.clear();
    this.#calls.failWaiting(abortError('the text was cleared before it was sent'));
  }

  /** Rejects when no way can be had. */
  connect(): Promise<void> {
    if (this.#state === 'ready') return Promise.resolve();
    const connecting = (this.#connecting ??= deferred());
    if (this.#way === 'socket') {
      this.#socket.connect().catch((reason: unknown) => {
        if (this.#connecting !== connecting) return;
        if (this.#isForRest(reason)) return this.#change();
        this.#connecting = null;
        connecting.reject(reason);
      });
    }
    this.#watch();
    return connecting.promise;
  }

  async end(): Promise<SessionSummary | null> {
    const reason = abortError('the session was ended');
    const wasRest = this.#way === 'rest';
    this.#way = 'socket';
    this.#probe.stop();
    this.#calls.failAll(reason);
    this.#connecting?.reject(reason);
    this.#connecting = null;
    this.#watch();
    const summary = this.#socket.end();
    void this.#rest?.end();
    if (wasRest) this.#publish('ended');
    return summary;
  }

  get #current(): TextSession {
    return this.#way === 'rest' && this.#rest ? this.#rest : this.#socket;
  }

  /** Somebody waits for a way. */
  get #wanted(): boolean {
    return this.#connecting !== null || this.#calls.open.length > 0;
  }

  #onSocketState(state: SessionState): void {
    if (state === 'connecting') this.#hadSession = false;
    if (state === 'ready') this.#onSession();
    // What comes of a failure is known when its error is told, right after this.
    if (this.#way !== 'rest' && state !== 'failed') this.#publish(state);
    this.#watch();
  }

  /** V3 can be had, and is what is wanted. */
  #onSession(): void {
    this.#hadSession = true;
    this.#way = 'socket';
    this.#probe.stop();
    this.#calls.handWaitingTo(this.#socket);
    this.#connecting?.resolve();
    this.#connecting = null;
  }

  #onSocketError(detail: SessionEventMap['sign-error']): void {
    const { error, ref } = detail;
    if (ref !== undefined) return this.#emit('sign-error', detail);
    if (this.#way === 'rest') return this.#onProbeFailed();
    const isFinal = this.#socket.state === 'failed';
    if (this.#wanted && this.#isForRest(error)) return this.#change();
    if (isFinal) this.#publish(this.#socket.state);
    // A first session that is long in coming is nobody's loss: REST will do.
    if (isFinal || this.#hadSession) this.#emit('sign-error', detail);
  }

  #onProbeFailed(): void {
    if (!this.#probe.underWay) return;
    this.#probe.failed();
    this.#leaveSocket();
    this.#watch();
  }

  /** Ends the socket's session, or its attempts to get one, unless it has something to finish. */
  #leaveSocket(): void {
    if (!this.#calls.isOn(this.#socket)) void this.#socket.end();
  }

  /** From the socket to REST. */
  #change(): void {
    if (this.#way !== 'socket') return;
    this.#way = 'changing';
    this.#watch();
    void this.#openRest().then(
      (rest) => this.#way === 'changing' && this.#changeTo(rest),
      (cause: unknown) => this.#way === 'changing' && this.#stay(cause),
    );
  }

  async #openRest(): Promise<RestSession> {
    if (this.#rest) return this.#rest;
    const { loadRest = async () => (await import('../rest/rest-session.ts')).RestSession } = this.#options;
    const Session = await loadRest();
    if (this.#rest) return this.#rest;
    this.#rest = new Session(this.#options);
    this.#calls.relay(this.#rest, this.#emit);
    this.#rest.on('sign-error', (detail) => this.#emit('sign-error', detail));
    return this.#rest;
  }

  #changeTo(rest: RestSession): void {
    this.#way = 'rest';
    this.#manifests = null;
    this.#calls.handAllTo(rest);
    this.#leaveSocket();
    this.#probe.start();
    this.#publish('ready');
    this.#connecting?.resolve();
    this.#connecting = null;
    this.#watch();
  }

  /** The code for REST did not load. */
  #stay(cause: unknown): void {
    const error = ownError('proxy_unreachable', 'a part of the script did not load', { cause });
    this.#way = 'socket';
    this.#calls.failWaiting(error);
    if (this.#socket.state === 'failed') this.#connecting?.reject(error);
    this.#publish(this.#socket.state);
    this.#emit('sign-error', { error });
    this.#watch();
  }

  #answered(call: AutoCall, { manifests }: TextResult): void {
    if (this.#options.mode === 'translate') return call.done();
    if (manifests) {
      this.#manifests = manifests;
      // Nobody asks for a result twice: the event says where the text is now.
      if (call.wasAnswered) this.#emit('sign-appended', { ref: call.ref, acceptedAt: null });
    }
    call.wasAnswered = true;
  }

  #stranded(call: AutoCall, reason: unknown): boolean {
    const waits = this.#way !== 'rest' && !call.isPartlySigned && this.#isForRest(reason);
    if (waits) this.#change();
    return waits;
  }

  #isForRest(reason: unknown): boolean {
    return isForRest(reason, this.#socket.state, this.#hadSession);
  }

  /** Starts and stops what waits: for a session on the socket, and for REST to be at rest. */
  #watch(): void {
    const { state } = this.#socket;
    const seeks =
      this.#way === 'socket' && this.#wanted && (state === 'connecting' || state === 'reconnecting');
    if (seeks) this.#patience ??= this.#clock.setTimeout(() => this.#change(), PATIENCE_MS);
    else this.#clock.clearTimeout(this.#patience);
    if (!seeks) this.#patience = null;
    this.#probe.watch(this.#way === 'rest' && !this.#calls.isOn(this.#rest));
  }

  #publish(state: SessionState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#emit('sign-statechange', { state });
  }
}
