// One live session: its request, its media and its state (document 2, Internal live session statuses).
// - Only the table of transitions changes the state; the document does not show the transitions, so they are the
//   sandbox's.
// - STOPPED and FAILED are final.
// - Media without addresses after 30 s have failed.
// - Times come from the sandbox's clock.
// - The media are stopped, however the session ends.
import type { SandboxClock } from '../clock.ts';
import type { LiveRequest } from './live-request.ts';
import type { LiveAddresses, LiveRun, LiveState } from './media/live-media.ts';
import type { LiveSpec } from './media/live-messages.ts';

export type SessionState = 'INITIALIZING' | 'PENDING' | 'RUNNING' | 'STOPPING' | 'STOPPED' | 'FAILED';

/**
 * `provisioned`: its endpoints are there; `arrived`: the source comes; `left`: the source went away and may come back;
 * `stop`: asked for by its owner; `over`: everything of it has ended, by itself too; `failed`: it cannot go on.
 */
export type SessionEvent = 'provisioned' | 'arrived' | 'left' | 'stop' | 'over' | 'failed';

const transitions: Readonly<Record<SessionState, Readonly<Partial<Record<SessionEvent, SessionState>>>>> = {
  // A source that is already there may be reported before the endpoints are.
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

/** Where the event leads; null when it has no effect. */
export const after = (state: SessionState, event: SessionEvent): SessionState | null =>
  transitions[state][event] ?? null;

/** What a client is told; that a session failed is told by its `error`. */
export const externalStatus = {
  INITIALIZING: 'active',
  PENDING: 'active',
  RUNNING: 'active',
  STOPPING: 'finalizing',
  STOPPED: 'ended',
  FAILED: 'ended',
} as const satisfies Readonly<Record<SessionState, string>>;

/** A process has to start for them: within a second by itself, not on a machine that is busy with others. */
const PROVISIONING_MS = 30_000;
const eventOf = { pending: 'left', running: 'arrived', stopped: 'over' } as const;

interface LiveSessionParts {
  readonly clock: SandboxClock;
  /** Counts sessions in the order of their creation. */
  readonly number: number;
  readonly request: LiveRequest;
  readonly spec: LiveSpec;
  readonly run: LiveRun;
  /** Why it fails when it begins to run; null when it is to go on. */
  readonly failure: () => string | null;
}

export class LiveSession {
  readonly number: number;
  readonly request: LiveRequest;
  readonly spec: LiveSpec;
  readonly #parts: LiveSessionParts;
  /** Resolves when it has ended and nothing of its media is left. Never, when they cannot be stopped: they may still be there. */
  readonly freed: Promise<void>;
  #isFreed: () => void = () => {};
  #isFreeing = false;
  #state: SessionState = 'INITIALIZING';
  #endpoints: LiveAddresses | null = null;
  #startedAt: number | null = null;
  #endedAt: number | null = null;
  #error: string | null = null;

  constructor(parts: LiveSessionParts) {
    this.#parts = parts;
    this.number = parts.number;
    this.request = parts.request;
    this.spec = parts.spec;
    this.freed = new Promise((resolve) => (this.#isFreed = resolve));
    parts.run.on((report) => this.#hear(report));
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

  /** Resolves when its endpoints are there; rejects when the media cannot be had, and the session has failed then. */
  async provisioned(): Promise<void> {
    try {
      this.#endpoints = await this.#addresses();
      this.#step('provisioned');
    } catch (error) {
      this.#fail('the media could not be provisioned');
      throw error;
    }
  }

  /** @throws Error when there are none in time */
  #addresses(): Promise<LiveAddresses> {
    const { clock, run } = this.#parts;
    return new Promise((resolve, reject) => {
      const late = new Error(`the media are not ready after ${PROVISIONING_MS / 1000} s`);
      const callOff = clock.after(PROVISIONING_MS, () => reject(late));
      run.ready.then(resolve, reject).finally(callOff);
    });
  }

  /** Begins to stop, when it has not ended yet; the end comes when everything of it is free. */
  stop(): void {
    if (this.#step('stop')) this.#free('over');
  }

  #hear(report: LiveState): void {
    if (typeof report !== 'string') return this.#fail(report.failed);
    if (!this.#step(eventOf[report])) return;
    if (report === 'stopped') this.#free(null);
    if (report !== 'running') return;
    const failure = this.#parts.failure();
    if (failure !== null) this.#fail(failure);
  }

  #fail(why: string): void {
    if (!this.#step('failed')) return;
    this.#error = why;
    this.#free(null);
  }

  #free(then: SessionEvent | null): void {
    if (this.#isFreeing) return;
    this.#isFreeing = true;
    this.#parts.run.stop().then(
      () => {
        if (then) this.#step(then);
        this.#isFreed();
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
    const now = this.#parts.clock.now();
    if (next === 'RUNNING') this.#startedAt ??= now;
    if (next === 'STOPPED' || next === 'FAILED') this.#endedAt = now;
    return true;
  }
}
