// One live session: what was asked, what its media are, and how far it has come. Policy: the media's reports move it along
// the table of session-states.ts and nothing else does; media that have no addresses after 30 s have failed; times are the
// sandbox's clock's; a session that has ended never changes again, and whichever way it ends, its media are stopped.
import type { SandboxClock } from '../clock.ts';
import type { LiveRequest } from './live-request.ts';
import type { LiveAddresses, LiveRun, LiveState } from './media/live-run.ts';
import type { LiveOrder } from './media/media-order.ts';
import { after, externalStatus, type SessionEvent, type SessionState } from './session-states.ts';

/** A process has to start for them: within a second by itself, not on a machine that is busy with others. */
const PROVISIONING_MS = 30_000;
const eventOf = { pending: 'left', running: 'arrived', stopped: 'over' } as const;

export interface LiveSessionParts {
  readonly clock: SandboxClock;
  /** Counts sessions in the order of their creation. */
  readonly number: number;
  readonly request: LiveRequest;
  readonly order: LiveOrder;
  readonly run: LiveRun;
  /** Why it fails when it begins to run; null when it is to go on. */
  readonly failure: () => string | null;
}

export class LiveSession {
  readonly number: number;
  readonly request: LiveRequest;
  readonly order: LiveOrder;
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
    this.order = parts.order;
    this.freed = new Promise((resolve) => (this.#isFreed = resolve));
    parts.run.on((report) => this.#hear(report));
  }

  get id(): string {
    return this.order.id;
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
