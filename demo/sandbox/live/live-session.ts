// One live session: its request, its media and its state (document 2, Internal live session statuses).
// - Only the table of transitions changes the state; the document does not show the transitions, so they are the
//   sandbox's.
// - STOPPED and FAILED are final.
// - Media that have no addresses 90 s after their process has loaded have failed.
// - Times come from the sandbox's clock.
// - The media are stopped, however the session ends.
import type { SandboxClock } from '../clock.ts';
import type { LiveRequest } from './live-request.ts';
import type { LiveAddresses, LiveRun, LiveState } from './media/live-media.ts';
import type { LiveSpec } from './media/live-messages.ts';

export type SessionState = 'INITIALIZING' | 'PENDING' | 'RUNNING' | 'STOPPING' | 'STOPPED' | 'FAILED';

/**
 * `provisioned`: its endpoints exist; `arrived`: the source sends; `left`: the source has stopped sending and may begin again;
 * `stop`: its owner has asked for the end; `over`: all its media have ended; `failed`: it cannot continue.
 */
export type SessionEvent = 'provisioned' | 'arrived' | 'left' | 'stop' | 'over' | 'failed';

const transitions: Readonly<Record<SessionState, Readonly<Partial<Record<SessionEvent, SessionState>>>>> = {
  // The arrival of the source may be reported before the endpoints are.
  INITIALIZING: {
    provisioned: 'PENDING',
    arrived: 'RUNNING',
    stop: 'STOPPING',
    over: 'STOPPED',
    failed: 'FAILED',
  },
  PENDING: { arrived: 'RUNNING', stop: 'STOPPING', over: 'STOPPED', failed: 'FAILED' },
  RUNNING: { left: 'PENDING', stop: 'STOPPING', over: 'STOPPED', failed: 'FAILED' },
  STOPPING: { over: 'STOPPED', failed: 'FAILED' },
  STOPPED: {},
  FAILED: {},
};

/** The state after the event; null when the event has no effect. */
export const after = (state: SessionState, event: SessionEvent): SessionState | null =>
  transitions[state][event] ?? null;

/** The status that a client reads. The session's `error` says that it failed. */
export const externalStatus = {
  INITIALIZING: 'active',
  PENDING: 'active',
  RUNNING: 'active',
  STOPPING: 'finalizing',
  STOPPED: 'ended',
  FAILED: 'ended',
} as const satisfies Readonly<Record<SessionState, string>>;

/** Opening a port takes less than a second, and longer on a busy machine. */
const PROVISIONING_MS = 90_000;
const eventOf = { pending: 'left', running: 'arrived', stopped: 'over' } as const;

interface LiveSessionDeps {
  readonly clock: SandboxClock;
  /** Counts sessions in the order of their creation. */
  readonly number: number;
  readonly request: LiveRequest;
  readonly spec: LiveSpec;
  readonly run: LiveRun;
  /** Why it fails when it begins to run; null when it does not. */
  readonly failure: () => string | null;
}

export class LiveSession {
  readonly number: number;
  readonly request: LiveRequest;
  readonly spec: LiveSpec;
  readonly #deps: LiveSessionDeps;
  /** Resolves when it has ended and all its media are closed. It never resolves when they cannot be stopped. */
  readonly freed: Promise<void>;
  #resolveFreed: () => void = () => {};
  #isFreeing = false;
  #state: SessionState = 'INITIALIZING';
  #endpoints: LiveAddresses | null = null;
  #startedAt: number | null = null;
  #endedAt: number | null = null;
  #error: string | null = null;

  constructor(deps: LiveSessionDeps) {
    this.#deps = deps;
    this.number = deps.number;
    this.request = deps.request;
    this.spec = deps.spec;
    this.freed = new Promise((resolve) => (this.#resolveFreed = resolve));
    deps.run.on((report) => this.#onReport(report));
  }

  get id(): string {
    return this.spec.id;
  }

  get state(): SessionState {
    return this.#state;
  }

  get status(): (typeof externalStatus)[SessionState] {
    return externalStatus[this.#state];
  }

  /** Null until it is provisioned. */
  get endpoints(): LiveAddresses | null {
    return this.#endpoints;
  }

  /** Milliseconds since 1970 when processing began; null before that. */
  get startedAt(): number | null {
    return this.#startedAt;
  }

  /** Milliseconds since 1970 when it ended; null before that. */
  get endedAt(): number | null {
    return this.#endedAt;
  }

  /** Why it failed; null when it did not. */
  get error(): string | null {
    return this.#error;
  }

  /** Resolves when its endpoints exist; rejects when the media cannot be made, and then the session has failed. */
  async provisioned(): Promise<void> {
    try {
      this.#endpoints = await this.#addresses();
      this.#step('provisioned');
    } catch (error) {
      this.#fail('the media could not be provisioned');
      throw error;
    }
  }

  /** @throws Error when there are none 90 s after the process has loaded */
  async #addresses(): Promise<LiveAddresses> {
    const { clock, run } = this.#deps;
    // A machine may be so busy that this takes longer than 90 s. A process that cannot load ends, and the run then fails.
    await run.loaded;
    return new Promise((resolve, reject) => {
      const late = new Error(`the media are not ready after ${PROVISIONING_MS / 1000} s`);
      const cancel = clock.after(PROVISIONING_MS, () => reject(late));
      run.ready.then(resolve, reject).finally(cancel);
    });
  }

  /** Begins to stop the session, unless it has ended. It has ended when all its media are closed. */
  stop(): void {
    if (this.#step('stop')) this.#free('over');
  }

  #onReport(report: LiveState): void {
    if (typeof report !== 'string') return this.#fail(report.failed);
    if (!this.#step(eventOf[report])) return;
    if (report === 'stopped') this.#free(null);
    if (report !== 'running') return;
    const failure = this.#deps.failure();
    if (failure !== null) this.#fail(failure);
  }

  #fail(why: string): void {
    if (!this.#step('failed')) return;
    this.#error = why;
    this.#free(null);
  }

  /** Stops the media, once. `then` is the event of their end. */
  #free(then: SessionEvent | null): void {
    if (this.#isFreeing) return;
    this.#isFreeing = true;
    this.#deps.run.stop().then(
      () => {
        if (then) this.#step(then);
        this.#resolveFreed();
      },
      (error: unknown) => {
        console.error(error);
        if (this.#step('failed')) this.#error = 'the session could not be stopped';
      },
    );
  }

  /** @returns whether the event had an effect */
  #step(event: SessionEvent): boolean {
    const next = after(this.#state, event);
    if (next === null) return false;
    this.#state = next;
    const now = this.#deps.clock.now();
    if (next === 'RUNNING') this.#startedAt ??= now;
    if (next === 'STOPPED' || next === 'FAILED') this.#endedAt = now;
    return true;
  }
}
