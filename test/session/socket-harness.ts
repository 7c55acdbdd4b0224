// The base of all harnesses with sockets: fake sockets, a manual clock, and a record of all events of the session.
import assert from 'node:assert/strict';
import type { SocketConstructor } from '../../src/session/transports/v3-socket.ts';
import type { Listen, SessionEventMap } from '../../src/session/session-types.ts';
import { FakeSocket } from './fake-socket.ts';
import { promisesSettled } from '../promises-settled.ts';
import { ManualClock } from './manual-clock.ts';

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

export type Limits = Parameters<FakeSocket['ready']>[0];

export abstract class SocketHarness {
  readonly clock = new ManualClock();
  readonly sockets: FakeSocket[] = [];
  readonly events: { name: keyof SessionEventMap; detail: unknown }[] = [];

  /** The class by which the session opens sockets. */
  protected get webSocket(): SocketConstructor {
    const { sockets } = this;
    return class extends FakeSocket {
      constructor(url: string) {
        super(url);
        sockets.push(this);
      }
    };
  }

  /** Records the events of this session. */
  protected record(session: { readonly on: Listen }): void {
    for (const name of eventNames) session.on(name, (detail) => this.events.push({ name, detail }));
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

  get states(): string[] {
    return this.details('sign-statechange').map(({ state }) => state);
  }

  /** Brings the newest socket to session.ready. */
  async ready(limits?: Limits): Promise<void> {
    this.socket.open();
    this.socket.ready(limits);
    await promisesSettled();
  }

  /** Asserts that nothing of the session goes on running. */
  assertNothingLeft(): void {
    assert.equal(this.clock.pending, 0, 'timers');
    for (const socket of this.sockets) {
      assert.equal(socket.closed, true, 'sockets');
      assert.equal(socket.listeners, 0, 'listeners');
    }
  }
}
