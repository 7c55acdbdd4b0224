// Decides between the transports of a session: V3 alone, REST alone, or `auto`.
// - `auto` takes V3, and REST while no V3 session is available (selector-policy.ts). The change is no error: only the state shows
//   it. It returns to V3 as soon as a probe, made while REST has nothing to do, finds a session.
// - Requests that are under way on REST finish there. What V3 acknowledged is fetched over V3: for it V3 is tried again.
// - A session that nobody needs for a while is ended (SEMANTICS, connect()).
import type { ReadyFrame } from '../../protocol/server-frames.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import type { Clock } from '../async.ts';
import { NetworkStatus, type NetworkLike } from '../network.ts';
import type { SessionSummary, SessionState } from '../session-types.ts';
import type { QueueTransports } from '../sign-queue.ts';
import { leavesV3, SessionTimeout, V3Probe } from './selector-policy.ts';
import { TransportConnection, type TransportConnectionEvents } from './transport-connection.ts';
import type { ConnectionEvents, Transport, TransportKind } from './transport.ts';

interface TransportSelectorOptions {
  readonly choice: TransportKind | 'auto';
  readonly clock: Clock;
  readonly random: () => number;
  readonly network: NetworkLike | undefined;
  readonly createV3: (events: ConnectionEvents) => Transport;
  /** Loads the code for REST. */
  readonly createRest: (events: ConnectionEvents) => Promise<Transport>;
  readonly work: SessionWork;
  readonly events: TransportSelectorEvents;
}

/** The work of the queue that needs a session. */
interface SessionWork {
  /** Somebody waits for a session. */
  readonly wanted: boolean;
  /** Nothing waits and nothing is unanswered. */
  readonly idle: boolean;
  /** A result waits that only V3 can give. */
  readonly fetches: boolean;
  /** For how many milliseconds a session is kept that nobody needs. */
  readonly idleMs: number;
}

interface TransportSelectorEvents {
  stateChanged(state: SessionState): void;
  /** There is a transport; `frame` is that of a V3 session. */
  ready(frame: ReadyFrame | null): void;
  /** The connection of this transport is lost, with what was under way. */
  lost(kind: TransportKind, error: SignError): void;
  /** There is no transport: everything that waits fails. */
  failed(error: SignError): void;
  /** Reports this error to the page; as a warning when another attempt follows. */
  report(error: SignError): void;
  summary(summary: SessionSummary): void;
  /** The session has ended; it may be wanted again by now. */
  ended(): void;
}

export class TransportSelector implements QueueTransports, TransportConnectionEvents {
  readonly #options: TransportSelectorOptions;
  readonly #network: NetworkStatus;
  readonly #v3: TransportConnection;
  readonly #rest: TransportConnection;
  readonly #sessionTimeout: SessionTimeout;
  readonly #probe: V3Probe;
  #inForce: TransportConnection;
  #state: SessionState = 'idle';
  /** REST takes over as soon as it may and its code is loaded. */
  #isLeaving = false;
  /** A V3 session came since the first attempt. */
  #hadSession = false;
  #hintTimer: unknown;
  #idleTimer: unknown = null;

  constructor(options: TransportSelectorOptions) {
    const { choice, clock, random, network, createV3, createRest, work } = options;
    this.#options = options;
    this.#network = new NetworkStatus(network, () => this.#networkChanged());
    const shared = { clock, random, network: this.#network, events: this };
    this.#v3 = new TransportConnection({
      ...shared,
      kind: 'v3',
      create: createV3,
      wanted: () => (this.#inForce === this.#v3 ? work.wanted : work.fetches),
    });
    this.#rest = new TransportConnection({
      ...shared,
      kind: 'rest',
      create: createRest,
      wanted: () => work.wanted,
    });
    this.#inForce = choice === 'rest' ? this.#rest : this.#v3;
    this.#sessionTimeout = new SessionTimeout(clock, () => this.#leaveV3());
    this.#probe = new V3Probe({ clock, random, ask: () => this.#v3.open() });
  }

  get state(): SessionState {
    return this.#state;
  }

  get current(): Transport | null {
    return this.#inForce.transport;
  }

  get v3(): Transport | null {
    return this.#v3.transport;
  }

  get all(): readonly Transport[] {
    return [this.#v3.transport, this.#rest.transport].filter((each) => each !== null);
  }

  /** Opens the transports that are needed. */
  open(): void {
    const { work } = this.#options;
    if (work.wanted) {
      this.#network.start();
      if (this.#inForce === this.#v3 && !this.#v3.live) this.#hadSession = false;
      if (!this.#isLeaving) this.#inForce.open();
      if (this.#inForce === this.#rest && work.fetches && !this.#v3.policy.hinted) {
        this.#probe.start();
        this.#v3.open();
      }
    }
    this.watch();
  }

  /** Ends all connections. Resolves with the summary of a V3 session, null when there is none. */
  end(): Promise<SessionSummary | null> {
    // V3 does not report its end when it has failed or is not in force.
    const isQuiet = this.#isLeaving || (this.#inForce === this.#rest && this.#rest.live);
    if (this.#options.choice === 'auto') this.#inForce = this.#v3;
    this.#isLeaving = false;
    this.#options.clock.clearTimeout(this.#hintTimer);
    this.#probe.stop();
    void this.#rest.end();
    const summary = this.#v3.end();
    if (isQuiet && this.#inForce === this.#v3) this.#publish('ended');
    this.watch();
    return summary;
  }

  /** The stream of the V3 session is refused now: a new session brings a new stream. */
  renewStream(error: SignError): void {
    this.#v3.drop(error);
  }

  /** To be called after something was sent, answered, lost or asked for. */
  watch(): void {
    const { choice, clock, work } = this.#options;
    const isV3 = this.#inForce === this.#v3;
    const { state, policy } = this.#v3;
    const isConnecting = state === 'connecting' || state === 'reconnecting';
    const seeks = choice === 'auto' && isV3 && !this.#isLeaving && work.wanted && isConnecting;
    this.#sessionTimeout.watch(seeks, !this.#network.offline && !policy.hinted);
    const isRestFree = this.#rest.state !== 'ready' || work.idle || work.fetches;
    const mayProbe = choice === 'auto' && !isV3 && !this.#v3.live && isRestFree && !this.#network.offline;
    this.#probe.watch(mayProbe, policy.hintRestMs);
    const isUnused = isV3 && !work.wanted && work.idle && (state === 'ready' || state === 'reconnecting');
    if (isUnused) this.#idleTimer ??= clock.setTimeout(() => void this.end(), work.idleMs);
    else {
      clock.clearTimeout(this.#idleTimer);
      this.#idleTimer = null;
    }
    if (!isV3 && this.#v3.live && !work.fetches && !this.#probe.underWay) void this.#v3.end();
    const isRestDone = this.#rest.live && !this.#rest.transport?.pending.length;
    if (isV3 && !this.#isLeaving && isRestDone) void this.#rest.end();
    const isV3Used = this.#v3.live && state !== 'finalizing';
    if (!isV3Used && !this.#rest.live && !this.#isLeaving) this.#network.stop();
  }

  trying(): void {
    this.watch();
  }

  stateChanged(connection: TransportConnection): void {
    const { state } = connection;
    if (connection === this.#v3 && state === 'ready') this.#takeV3();
    if (connection === this.#inForce) {
      const isHidden = this.#isLeaving
        ? state === 'failed'
        : connection === this.#rest && state === 'connecting';
      if (!isHidden) this.#publish(state);
    }
    this.watch();
  }

  ready(connection: TransportConnection, frame: ReadyFrame | null): void {
    if (connection === this.#rest && this.#inForce === this.#v3) {
      // REST goes on with what is under way on it; else watch() ends it.
      if (!this.#isLeaving || this.#network.offline || this.#v3.policy.hinted) return this.#openRest();
      this.#takeRest();
    } else if (connection === this.#rest) this.#probe.makeDue();
    this.#options.events.ready(frame);
  }

  lost(connection: TransportConnection, error: SignError): void {
    const { choice, events, work } = this.#options;
    if (connection !== this.#v3) {
      if (connection === this.#inForce) events.report(error.asWarning());
    } else if (this.#inForce === this.#v3) {
      const { offline } = this.#network;
      const hadSession = this.#hadSession;
      const leaves = work.wanted && leavesV3({ error, hasFailed: false, hadSession, offline });
      if (choice === 'auto' && leaves) this.#leaveV3();
      // While a first session is awaited its failed attempts are not reported, because REST can take over.
      else if (choice === 'v3' || hadSession) events.report(error.asWarning());
    } else if (!work.fetches) {
      this.#probe.failed();
      void this.#v3.end();
    }
    if (connection === this.#v3) events.lost('v3', error);
    this.watch();
  }

  failing(connection: TransportConnection, error: SignError): void {
    const { choice, events, work } = this.#options;
    if (connection !== this.#inForce) return;
    const failure = { error, hasFailed: true, hadSession: this.#hadSession, offline: this.#network.offline };
    this.#isLeaving =
      connection === this.#v3 && choice === 'auto' && work.wanted && (this.#isLeaving || leavesV3(failure));
    if (!this.#isLeaving) events.failed(error);
  }

  failed(connection: TransportConnection, error: SignError, isQuiet: boolean): void {
    const { events, choice } = this.#options;
    if (connection === this.#v3 && this.#isLeaving) this.#openRest();
    else if (connection === this.#inForce) {
      if (!isQuiet) events.report(error);
      if (choice === 'auto') this.#inForce = this.#v3;
      if (connection === this.#rest) void this.#v3.end();
      // A listener may have asked REST to sign another text, which V3 signs now.
      this.open();
    } else if (connection === this.#v3) this.#probe.failed();
    else this.#restNotLoaded(error);
    events.lost(connection.kind, error);
    this.watch();
  }

  summary(summary: SessionSummary): void {
    this.#options.events.summary(summary);
  }

  ended(): void {
    this.#options.events.ended();
  }

  #takeV3(): void {
    this.#hadSession = true;
    this.#isLeaving = false;
    this.#inForce = this.#v3;
    this.#probe.stop();
  }

  #takeRest(): void {
    this.#isLeaving = false;
    this.#inForce = this.#rest;
    this.#probe.start();
    this.#publish('ready');
  }

  #leaveV3(): void {
    if (this.#isLeaving || this.#inForce === this.#rest) return;
    this.#isLeaving = true;
    this.#openRest();
    this.watch();
  }

  /** Opens REST, after the service's hint has passed. */
  #openRest(): void {
    const { clock } = this.#options;
    const { hintRestMs } = this.#v3.policy;
    clock.clearTimeout(this.#hintTimer);
    if (!this.#isLeaving || this.#network.offline) return;
    if (hintRestMs > 0) this.#hintTimer = clock.setTimeout(() => this.#openRest(), hintRestMs);
    else if (this.#rest.state === 'ready') this.ready(this.#rest, null);
    else this.#rest.open();
  }

  #restNotLoaded(error: SignError): void {
    if (!this.#isLeaving) return;
    this.#isLeaving = false;
    if (this.#v3.live) return;
    this.#options.events.failed(error);
    this.#publish('failed');
    this.#options.events.report(error);
  }

  #networkChanged(): void {
    for (const each of [this.#v3, this.#rest]) each.networkChanged();
    // A browser may keep the socket open, and a stream continues as long as its socket is open.
    if (this.#inForce.state === 'ready' && !this.current?.manifests)
      this.#publish(this.#network.offline ? 'reconnecting' : 'ready');
    this.#openRest();
    this.#probe.makeDue();
    this.watch();
  }

  #publish(state: SessionState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.events.stateChanged(state);
  }
}
