// A session with `transport="auto"`, fake sockets and network, a proxy whose answers the test gives, and a manual clock.
import assert from 'node:assert/strict';
import { findManifests } from '../../../src/protocol/find-url.ts';
import { ServiceSession, type ServiceSessionOptions } from '../../../src/session/service-session.ts';
import { FakeNetwork } from '../fake-network.ts';
import { FakeProxy, PROXY } from '../fake-proxy.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { SocketHarness } from '../socket-harness.ts';

/** After this number of turns of the event loop, code that is loaded on demand has surely loaded. */
const MANY_TURNS = 100_000;

export class AutoHarness extends SocketHarness {
  readonly proxy = new FakeProxy();
  readonly network = new FakeNetwork();
  readonly session: ServiceSession;

  constructor(options: Partial<ServiceSessionOptions> = {}) {
    super();
    this.session = new ServiceSession({
      url: 'wss://page.example/sign/ws/',
      transport: 'auto',
      rest: { proxy: PROXY },
      config: { digital_signer: 'RAE' },
      mode: 'translate',
      clock: this.clock,
      network: this.network,
      random: () => 0,
      fetch: this.proxy.fetch,
      webSocket: this.webSocket,
      findManifests,
      ...options,
    });
    this.record(this.session);
  }

  get errors(): string[] {
    return this.details('sign-error').map(({ error: { code, severity } }) => `${severity} ${code}`);
  }

  /** Texts that were sent by REST. */
  get byRest(): string[] {
    return this.proxy.asked.filter(({ path }) => path === 'v2/generate').map(({ text }) => text);
  }

  /** The proxy refuses the newest upgrade and says why. */
  async refuse(code: string, status = 502): Promise<void> {
    this.socket.refuse();
    await promisesSettled();
    await this.proxy.last.answer({ code }, status, { 'content-type': 'application/problem+json' });
  }

  /** Runs the event loop until this is true. */
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
}
