// Keeps one transport connected, from the first attempt to the end.
// - One field holds the state, and only the table below changes it; a step that is not in the state's row changes nothing.
// - `reconnecting` begins when a session is lost or the first attempt fails, and lasts until a session is ready, whatever the
//   number of attempts. From `ended` and `failed` it opens again.
// - Whether a lost connection is followed by another attempt, and when, is decided in retry-policy.ts.
// - To end, it sends `session.end` and waits 5 s for the summary.
import type { ReadyFrame } from '../../protocol/server-frames.ts';
import { loadFailed, SignError } from '../../protocol/sign-error.ts';
import { type Clock, deferred, type Deferred } from '../async.ts';
import type { NetworkStatus } from '../network.ts';
import { actionForSession, ReconnectPolicy } from '../retry-policy.ts';
import type { SessionState, SessionSummary } from '../session-types.ts';
import type { ConnectionEvents, Transport, TransportKind } from './transport.ts';

const SUMMARY_MS = 5_000;

/**
 * `open`: a first attempt is made; `ready`: it succeeded; `lost`: the session is lost and another attempt follows; `failed`:
 * no attempt follows; `end`: it is asked to end; `closed`: it has ended.
 */
type SessionStep = 'open' | 'ready' | 'lost' | 'failed' | 'end' | 'closed';

type Row = Readonly<Partial<Record<SessionStep, SessionState>>>;

export const transitions: Readonly<Record<SessionState, Row>> = {
  idle: { open: 'connecting' },
  connecting: { ready: 'ready', lost: 'reconnecting', failed: 'failed', end: 'ended', closed: 'ended' },
  ready: { lost: 'reconnecting', failed: 'failed', end: 'finalizing', closed: 'ended' },
  reconnecting: { ready: 'ready', failed: 'failed', end: 'ended', closed: 'ended' },
  finalizing: { closed: 'ended' },
  ended: { open: 'connecting' },
  failed: { open: 'connecting' },
};

interface TransportConnectionOptions {
  readonly kind: TransportKind;
  readonly clock: Clock;
  readonly random: () => number;
  readonly network: NetworkStatus;
  /** Makes the transport, at once or when its code is loaded. */
  readonly create: (events: ConnectionEvents) => Transport | Promise<Transport>;
  /** True while somebody waits for a connection. */
  readonly wanted: () => boolean;
  readonly events: TransportConnectionEvents;
}

export interface TransportConnectionEvents {
  /** Another attempt is made. */
  trying(): void;
  stateChanged(connection: TransportConnection): void;
  ready(connection: TransportConnection, frame: ReadyFrame | null): void;
  /** It is lost; another attempt follows. */
  lost(connection: TransportConnection, error: SignError): void;
  /** It is lost and no attempt follows; called before its state changes. */
  failing(connection: TransportConnection, error: SignError): void;
  /** Called after `failing` and the change of state; `isQuiet` when it has ended without a failure. */
  failed(connection: TransportConnection, error: SignError, isQuiet: boolean): void;
  summary(summary: SessionSummary): void;
  /** It has ended as asked. */
  ended(connection: TransportConnection): void;
}

export class TransportConnection implements ConnectionEvents {
  readonly kind: TransportKind;
  /** Null until its code is loaded. */
  transport: Transport | null = null;
  readonly policy: ReconnectPolicy;
  readonly #options: TransportConnectionOptions;
  #state: SessionState = 'idle';
  /** The promise of end(); null after it was opened again. */
  #ending: Deferred<SessionSummary | null> | null = null;
  #summaryTimer: unknown;
  /** The platform reported "offline" when the newest attempt began. */
  #begunOffline = false;

  constructor(options: TransportConnectionOptions) {
    const { clock, random, network } = options;
    this.#options = options;
    this.kind = options.kind;
    this.policy = new ReconnectPolicy({
      clock,
      random,
      network,
      attempt: () => {
        this.#attempt();
        options.events.trying();
      },
    });
  }

  get state(): SessionState {
    return this.#state;
  }

  get network(): NetworkStatus {
    return this.#options.network;
  }

  /** It is connected, being connected, or waits for the summary. */
  get live(): boolean {
    return !transitions[this.#state].open;
  }

  open(): void {
    if (this.live) return;
    this.#ending = null;
    this.policy.start();
    this.#attempt();
    this.#move('open');
  }

  /** Resolves with the summary, or null when none came. */
  end(): Promise<SessionSummary | null> {
    if (this.#ending) return this.#ending.promise;
    const ending = (this.#ending = deferred());
    this.policy.stop();
    const { clock } = this.#options;
    if (this.#state === 'ready' && this.transport?.end()) {
      this.#summaryTimer = clock.setTimeout(() => this.#ended(null), SUMMARY_MS);
      this.#move('end');
    } else {
      this.transport?.close();
      ending.resolve(null);
      this.#move(this.kind === 'rest' ? 'closed' : 'end');
    }
    return ending.promise;
  }

  /** The platform has gone offline or come online. */
  networkChanged(): void {
    if (!this.network.offline) this.policy.online();
    else this.transport?.offline();
  }

  /** Treats a connection that is ready as lost. */
  drop(error: SignError): void {
    if (this.#state !== 'ready') return;
    this.transport?.close();
    this.lost(error);
  }

  ready(frame: ReadyFrame | null): void {
    if (this.#state === 'ready') return;
    this.policy.ready();
    this.network.wasReached = true;
    this.network.isAway = false;
    if (frame && this.#begunOffline) this.network.reached();
    this.#move('ready');
    this.#options.events.ready(this, frame);
  }

  summary(summary: SessionSummary): void {
    this.#options.events.summary(summary);
    if (this.#state === 'finalizing') this.#ended(summary);
  }

  lost(error: SignError): void {
    if (this.#state === 'finalizing') return this.#ended(null);
    const { events, wanted } = this.#options;
    this.policy.noteHint(error);
    this.network.isAway = error.code === 'proxy_unreachable';
    const isPassing = this.network.wasReached && error.code === 'proxy_unreachable';
    const action = actionForSession(error, isPassing || this.#state === 'ready', wanted());
    if (action === 'reconnect' && this.policy.lost(error)) {
      this.#move('lost');
      return events.lost(this, error);
    }
    events.failing(this, error);
    this.policy.stop();
    this.#move(action === 'end' ? 'closed' : 'failed');
    events.failed(this, error, action === 'end');
  }

  #attempt(): void {
    this.#begunOffline = this.network.offline;
    if (this.transport) return this.transport.open();
    const created = this.#options.create(this);
    if (!('then' in created)) {
      this.transport = created;
      return created.open();
    }
    created.then(
      (transport) => {
        this.transport ??= transport;
        // It may have been ended while its code was loading.
        if (this.live) this.transport.open();
      },
      (cause: unknown) => {
        if (!this.live) return;
        this.lost(cause instanceof SignError ? cause : loadFailed(cause));
      },
    );
  }

  #ended(summary: SessionSummary | null): void {
    this.transport?.close();
    this.#options.clock.clearTimeout(this.#summaryTimer);
    this.#ending?.resolve(summary);
    this.#move('closed');
    this.#options.events.ended(this);
  }

  #move(step: SessionStep): void {
    const state = transitions[this.#state][step];
    if (!state) return;
    this.#state = state;
    this.#options.events.stateChanged(this);
  }
}
