// A SignSession in a harness: fake sockets and network, a manual clock, every event recorded, `random` always one half.
import assert from 'node:assert/strict';
import type { SignSessionOptions } from '../../src/session/session-types.ts';
import { SignSession } from '../../src/session/sign-session.ts';
import { FakeNetwork } from './fake-network.ts';
import { SocketHarness, type Limits } from './socket-harness.ts';

export class Harness extends SocketHarness {
  readonly network = new FakeNetwork();
  readonly session: SignSession;

  constructor(options: Partial<SignSessionOptions> = {}) {
    super();
    this.session = new SignSession({
      url: 'wss://page.example/sign/ws/',
      config: { digital_signer: 'RAE' },
      mode: 'translate',
      clock: this.clock,
      network: this.network,
      random: () => 0.5,
      fetch: () => Promise.reject(new TypeError('no network in this harness')),
      webSocket: this.webSocket,
      ...options,
    });
    this.record(this.session);
  }

  /** Code, severity and ref of each `sign-error`. */
  get errors(): { code: string; severity: string; ref: string | undefined }[] {
    return this.details('sign-error').map(({ error: { code, severity }, ref }) => ({ code, severity, ref }));
  }

  /** The texts that were sent on each socket, in order; `?` and the id for a result.fetch. */
  get asked(): string[][] {
    return this.sockets.map(({ asked }) => asked.map(({ id, data }) => data ?? `? ${id}`));
  }

  /** Time passes while the service sends a frame for an unknown text every 5 s, so that the socket counts as alive. */
  async murmur(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 5_000) {
      const step = Math.min(left, 5_000);
      await this.clock.advance(step - 1);
      this.socket.ack('nobody');
      await this.clock.advance(1);
    }
  }

  /** Lets the wait before the next try pass, and brings the next session to ready. */
  async reconnected(limits?: Limits): Promise<void> {
    const before = this.sockets.length;
    while (this.sockets.length === before) await this.clock.advance(250);
    await this.ready(limits);
  }

  override assertNothingLeft(): void {
    super.assertNothingLeft();
    assert.equal(this.network.listeners, 0, 'listeners of the network');
  }
}

/** A harness whose session is ready. */
export async function readyHarness(limits?: Limits, options?: Partial<SignSessionOptions>): Promise<Harness> {
  const harness = new Harness(options);
  void harness.session.connect();
  await harness.ready(limits);
  return harness;
}

/** The code of the SignError, or the name of the other error, that a promise rejects with. */
export const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: { code?: unknown; name: string }) => (typeof error.code === 'string' ? error.code : error.name),
  );
