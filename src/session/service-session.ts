// A session over any transport: takes texts, gives results and events (SEMANTICS, Headless client).
// - A transport is opened with the first text, and again with the next one after it has ended or failed.
// - After a lost connection the queue continues on the next one. Texts reject only when no connection opens.
// - The order of texts is decided in sign-queue.ts, the transport in transport-selector.ts.
import { loadCode } from '../internal/load-code.ts';
import type { StreamManifests } from '../protocol/find-url.ts';
import { PROTOCOL_VERSION } from '../protocol/websocket.ts';
import type { Limits, ReadyFrame } from '../protocol/server-frames.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { systemClock, abortError, deferred, type Deferred, Emitter } from './async.ts';
import { systemNetwork } from './network.ts';
import type {
  Listen,
  SessionEventMap,
  SessionSummary,
  SignResult,
  RenewOptions,
  SignOptions,
  SignSessionOptions,
  TextCall,
  SessionState,
} from './session-types.ts';
import { SignQueue } from './sign-queue.ts';
import type { RestTransport, RestTransportOptions } from './transports/rest-transport.ts';
import { TransportSelector } from './transports/transport-selector.ts';
import { V3Transport } from './transports/v3-transport.ts';
import { Utterance } from './utterance.ts';

export interface ServiceSessionOptions extends SignSessionOptions {
  /** `auto`: V3, and REST while no V3 session is available. */
  readonly transport: 'auto' | 'v3' | 'rest';
  /** For REST; not read with `v3`. */
  readonly rest?: Pick<RestTransportOptions, 'proxy' | 'background' | 'generateOptions'> | undefined;
  /** Loads the code for REST. Default `import()`. */
  readonly loadRest?: (() => Promise<typeof RestTransport>) | undefined;
  /** Stream mode over V3: finds the manifests in `session.ready`. No other mode needs its code. */
  readonly findManifests?: ((answer: unknown) => StreamManifests | null) | undefined;
}

const loadRestTransport = async (): Promise<typeof RestTransport> => {
  try {
    return (await import('./transports/rest-transport.ts')).RestTransport;
  } catch (cause) {
    // The next connection asks for the file under another address (load-code.ts).
    loadCode.next = `?${Math.random()}`;
    throw cause;
  }
};

export class ServiceSession {
  readonly #events = new Emitter<SessionEventMap>();
  readonly #queue: SignQueue;
  readonly #selector: TransportSelector;
  #limits: Limits | null = null;
  #sessionId: string | null = null;
  /** The promise of connect(), while nothing is ready. */
  #connecting: Deferred<void> | null = null;

  constructor(options: ServiceSessionOptions) {
    const { clock = systemClock, random = Math.random, network = systemNetwork(), mode } = options;
    // Copies, because a page may change its objects later.
    const config = structuredClone(options.config);
    const rest = structuredClone(options.rest);
    const { url, webSocket, fetch, findManifests, maxUnplayed = Infinity } = options;
    const start = { type: 'session.start', version: PROTOCOL_VERSION, mode, config } as const;
    const restOptions = { proxy: '', ...rest, fetch, clock, random, mode, config };
    const queue = (): SignQueue => this.#queue;
    this.#selector = new TransportSelector({
      choice: options.transport,
      clock,
      random,
      network,
      createV3: (events) =>
        new V3Transport({ url, start, webSocket, fetch, clock, findManifests }, events, this.#queue.events),
      createRest: async (events) => {
        const Transport = await (options.loadRest ?? loadRestTransport)();
        return new Transport(restOptions, events, this.#queue.events);
      },
      work: {
        get wanted() {
          return queue().waiting || isConnecting();
        },
        get idle() {
          return queue().idle;
        },
        get fetches() {
          return queue().fetches;
        },
        get idleMs() {
          return queue().idleMs;
        },
      },
      events: {
        stateChanged: (state) => this.#stateChanged(state),
        ready: (frame) => this.#ready(frame),
        lost: (kind, error) => this.#queue.lost(kind, error),
        failed: (error) => this.#drop(error),
        report: (error) => this.#events.emit('sign-error', { error }),
        summary: (summary) => this.#events.emit('sign-summary', summary),
        ended: () => this.#selector.open(),
      },
    });
    const isConnecting = (): boolean => this.#connecting !== null;
    this.#queue = new SignQueue(
      {
        mode,
        clock,
        random,
        maxUnplayed,
        emit: (name, detail) => this.#events.emit(name, detail),
        rested: () => this.#selector.watch(),
      },
      this.#selector,
    );
  }

  get state(): SessionState {
    return this.#selector.state;
  }

  /** The service's limits, null before `sign-ready`. */
  get limits(): Readonly<Limits> | null {
    return this.#limits;
  }

  /** For support requests; null before `sign-ready`. */
  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** Stream mode: addresses of the session's stream, with REST of the stream of the newest text; null before they are known. */
  get manifests(): StreamManifests | null {
    return this.#selector.current?.manifests ?? null;
  }

  /** Listens until the returned function is called or the signal aborts. */
  readonly on: Listen = (name, listener, options) => this.#events.on(name, listener, options);

  /**
   * Queues a text, or an utterance that the caller has made, and opens a session when there is none. Never throws: `result`
   * rejects with a SignError, or with the signal's reason (an AbortError) after an abort, clear() or end().
   */
  sign(text: string | Utterance, options: SignOptions = {}): TextCall {
    const utterance = text instanceof Utterance ? text : new Utterance({ ...options, text });
    this.#queue.add(utterance);
    this.#selector.open();
    return { ref: utterance.ref, accepted: utterance.accepts.promise, result: utterance.result.promise };
  }

  /**
   * A fresh result of a part that has one, also on a later session: over V3 by result.fetch, and by signing it again when that
   * is refused or brought no usable address the last time. Rejects with `invalid_request` when the ref is not one of the last
   * 1,024, or when its part has no result.
   */
  renew(ref: string, { partIndex = 0, signal }: RenewOptions = {}): Promise<SignResult> {
    const result = this.#queue.renew(ref, partIndex, signal);
    this.#selector.open();
    return result;
  }

  /** This part was played, or will never be: frees its place of `maxUnplayed`. */
  played(ref: string, partIndex = 0): void {
    this.#queue.played(ref, partIndex);
  }

  /** Stream mode: this text is on screen, so a lost session does not have it sent again. Frees its place. */
  started(ref: string): void {
    this.#queue.started(ref);
  }

  /** Stream mode: the media server now refuses its stream. Another session with another stream follows, as after a drop. */
  renewStream(error: SignError): void {
    this.#selector.renewStream(error);
  }

  /** Drops the texts that were not sent yet; they reject with an AbortError. */
  clear(): void {
    this.#queue.clear();
  }

  /** Opens a session before the first text. Rejects with the reason when none opens. */
  connect(): Promise<void> {
    if (this.state === 'ready') return Promise.resolve();
    const { promise } = (this.#connecting ??= deferred());
    this.#selector.open();
    return promise;
  }

  /** Ends the session: what waits rejects with an AbortError. Resolves with the summary, or null when none came in 5 s. */
  end(): Promise<SessionSummary | null> {
    this.#drop(abortError('ended'));
    return this.#selector.end();
  }

  #stateChanged(state: SessionState): void {
    const isLost = !this.#selector.current?.window;
    if (isLost && (state === 'connecting' || state === 'reconnecting')) this.#limits = this.#sessionId = null;
    // An `offline` that the socket has outlasted ends without a new session.
    if (state === 'ready') {
      this.#connecting?.resolve();
      this.#connecting = null;
    }
    this.#events.emit('sign-statechange', { state });
  }

  #ready(frame: ReadyFrame | null): void {
    if (frame) {
      const { session_id: sessionId, config_applied: config, limits } = frame;
      this.#sessionId = sessionId;
      this.#limits = limits;
      this.#events.emit('sign-ready', { sessionId, config, limits });
    }
    this.#queue.pump();
  }

  /** Rejects everything that waits, connect() included. */
  #drop(reason: unknown): void {
    const connecting = this.#connecting;
    this.#connecting = null;
    this.#queue.drop(reason);
    connecting?.reject(reason);
  }
}
