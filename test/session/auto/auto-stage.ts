// An AutoSession on a stage: fake sockets, a proxy whose every answer the test gives, a manual clock.
import assert from 'node:assert/strict';
import { AutoSession, type AutoSessionOptions } from '../../../src/session/auto/auto-session.ts';
import type { SessionEventMap } from '../../../src/session/session-events.ts';
import { FakeProxy, PROXY } from '../fake-proxy.ts';
import { FakeSocket } from '../fake-socket.ts';
import { ManualClock, promisesSettled } from '../manual-clock.ts';

const eventNames = [
  'sign-statechange',
  'sign-ready',
  'sign-accepted',
  'sign-appended',
  'sign-dropped',
  'sign-result',
  'sign-error',
  'sign-summary',
] as const satisfies (keyof SessionEventMap)[];

/** Turns of the event loop in which code that is loaded when it is needed has long been loaded. */
const MANY_TURNS = 100_000;

export class AutoStage {
  readonly clock = new ManualClock();
  readonly proxy = new FakeProxy();
  readonly sockets: FakeSocket[] = [];
  readonly events: { name: keyof SessionEventMap; detail: unknown }[] = [];
  readonly session: AutoSession;

  constructor(options: Partial<AutoSessionOptions> = {}) {
    const { sockets } = this;
    this.session = new AutoSession({
      url: 'wss://page.example/sign/ws/',
      proxy: PROXY,
      config: { digital_signer: 'RAE' },
      mode: 'translate',
      clock: this.clock,
      random: () => 0,
      fetch: this.proxy.fetch,
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

  details<Name extends keyof SessionEventMap>(name: Name): SessionEventMap[Name][] {
    return this.events
      .filter((event) => event.name === name)
      .map(({ detail }) => detail as SessionEventMap[Name]);
  }

  get states(): string[] {
    return this.details('sign-statechange').map(({ state }) => state);
  }

  get errors(): string[] {
    return this.details('sign-error').map(({ error: { code, severity } }) => `${severity} ${code}`);
  }

  /** Texts that were asked for by REST. */
  get byRest(): string[] {
    return this.proxy.asked.filter(({ path }) => path === 'v2/generate').map(({ text }) => text);
  }

  async ready(): Promise<void> {
    this.socket.open();
    this.socket.ready();
    await promisesSettled();
  }

  /** The proxy refuses the newest upgrade and says why. */
  async refuse(code: string, status = 502): Promise<void> {
    this.socket.refuse();
    await promisesSettled();
    await this.proxy.last.answer({ code }, status, { 'content-type': 'application/problem+json' });
  }

  /** Turns the event loop until this is so. */
  async until(sentence: string, isSo: () => boolean): Promise<void> {
    for (let turn = 0; turn < MANY_TURNS && !isSo(); turn += 1) await promisesSettled();
    assert.ok(isSo(), sentence);
  }

  /** No session comes for 10 s, and REST takes over. */
  async goOverToRest(): Promise<void> {
    await this.clock.advance(10_000);
    await this.until('REST has taken over', () => this.session.state === 'ready');
    await promisesSettled();
  }

  /** Nothing of the session goes on running. */
  assertNothingLeft(): void {
    assert.equal(this.clock.pending, 0, 'timers');
    for (const socket of this.sockets) {
      assert.equal(socket.closed, true, 'sockets');
      assert.equal(socket.listeners, 0, 'listeners');
    }
  }
}
