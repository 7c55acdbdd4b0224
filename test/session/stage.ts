// A SignSession on a stage: fake sockets, a manual clock, every event written down, `random` always one half.
import assert from 'node:assert/strict';
import type { SessionEventMap } from '../../src/session/session-events.ts';
import type { SignSessionOptions } from '../../src/session/session-options.ts';
import { SignSession } from '../../src/session/sign-session.ts';
import { FakeNetwork } from './fake-network.ts';
import { FakeSocket } from './fake-socket.ts';
import { ManualClock, promisesSettled } from './manual-clock.ts';

const eventNames = [
  'sign-statechange',
  'sign-ready',
  'sign-accepted',
  'sign-appended',
  'sign-dropped',
  'sign-progress',
  'sign-result',
  'sign-error',
  'sign-summary',
] as const satisfies (keyof SessionEventMap)[];

type Limits = Parameters<FakeSocket['ready']>[0];

export class Stage {
  readonly clock = new ManualClock();
  readonly network = new FakeNetwork();
  readonly sockets: FakeSocket[] = [];
  readonly events: { name: keyof SessionEventMap; detail: unknown }[] = [];
  readonly session: SignSession;

  constructor(options: Partial<SignSessionOptions> = {}) {
    const { sockets } = this;
    this.session = new SignSession({
      url: 'wss://page.example/sign/ws/',
      config: { digital_signer: 'RAE' },
      mode: 'translate',
      clock: this.clock,
      network: this.network,
      random: () => 0.5,
      fetch: () => Promise.reject(new TypeError('no network on this stage')),
      webSocket: class extends FakeSocket {
        constructor(url: string) {
          super(url);
          sockets.push(this);
        }
      },
      ...options,
    });
    for (const name of eventNames) this.session.on(name, (detail) => this.events.push({ name, detail }));
  }

  /** The newest socket. */
  get socket(): FakeSocket {
    const socket = this.sockets.at(-1);
    assert.ok(socket, 'no socket was opened');
    return socket;
  }

  /** Details of the events of one name. */
  details<Name extends keyof SessionEventMap>(name: Name): SessionEventMap[Name][] {
    return this.events
      .filter((event) => event.name === name)
      .map(({ detail }) => detail as SessionEventMap[Name]);
  }

  /** Code, severity and ref of each `sign-error`. */
  get errors(): { code: string; severity: string; ref: string | undefined }[] {
    return this.details('sign-error').map(({ error: { code, severity }, ref }) => ({ code, severity, ref }));
  }

  /** Brings the newest socket to session.ready. */
  async ready(limits?: Limits): Promise<void> {
    this.socket.open();
    this.socket.ready(limits);
    await promisesSettled();
  }

  /** What was asked on each socket, text by text; `?` and the id for a result.fetch. */
  get asked(): string[][] {
    return this.sockets.map(({ asked }) => asked.map(({ id, data }) => data ?? `? ${id}`));
  }

  get states(): string[] {
    return this.details('sign-statechange').map(({ state }) => state);
  }

  /** Time passes, and every now and then the service says something that concerns nobody: the socket is alive. */
  async murmur(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 5_000) {
      const step = Math.min(left, 5_000);
      await this.clock.advance(step - 1);
      this.socket.ack('nobody');
      await this.clock.advance(1);
    }
  }

  /** Waits as long as it takes to try again, and brings the next session to ready. */
  async reconnected(limits?: Limits): Promise<void> {
    const before = this.sockets.length;
    while (this.sockets.length === before) await this.clock.advance(250);
    await this.ready(limits);
  }

  /** Nothing of the session goes on running. */
  assertNothingLeft(): void {
    assert.equal(this.clock.pending, 0, 'timers');
    assert.equal(this.network.listeners, 0, 'listeners of the network');
    for (const socket of this.sockets) {
      assert.equal(socket.closed, true, 'sockets');
      assert.equal(socket.listeners, 0, 'listeners');
    }
  }
}

/** A stage whose session is ready. */
export async function readyStage(limits?: Limits, options?: Partial<SignSessionOptions>): Promise<Stage> {
  const stage = new Stage(options);
  void stage.session.connect();
  await stage.ready(limits);
  return stage;
}

/** The code of the SignError, or the name of the other error, that a promise rejects with. */
export const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: { code?: unknown; name: string }) => (typeof error.code === 'string' ? error.code : error.name),
  );
