// A proxy or a service that nobody reaches for a while, with the machine awake and asleep.
import assert from 'node:assert/strict';
import test from 'node:test';
import { FakeNetwork } from './fake-network.ts';
import { promisesSettled } from '../promises-settled.ts';
import type { FakeSocket } from './fake-socket.ts';
import { reasonOf, Harness } from './harness.ts';

const refuse = (socket: FakeSocket): void => socket.refuse();

/** Each attempt in this time fails at once; by default because no proxy answers. */
async function awayFor(harness: Harness, seconds: number, fail = refuse): Promise<void> {
  let refused = 0;
  for (const end = harness.clock.now() + seconds * 1000; harness.clock.now() < end;) {
    for (; refused < harness.sockets.length; refused += 1) fail(harness.sockets[refused]!);
    // Three requests over HTTP fail too.
    for (let turn = 0; turn < 4; turn += 1) await promisesSettled();
    await harness.clock.advance(250);
  }
}

const overloaded = async (): Promise<Response> =>
  new Response('{"code":"overloaded"}', {
    status: 503,
    headers: { 'content-type': 'application/problem+json' },
  });
const limited = async (): Promise<Response> => new Response('<h1>429</h1>', { status: 429 });

const outages: [what: string, fail: (socket: FakeSocket) => void, code: string, fetch?: typeof limited][] = [
  ['a proxy that does not answer', refuse, 'proxy_unreachable'],
  ['a service that the proxy does not reach', (socket) => socket.drop(1011), 'upstream_unreachable'],
  ['a service that is restarting', (socket) => socket.drop(1012), 'session_failed'],
  ['a proxy with too many requests', refuse, 'overloaded', overloaded],
  ['a gateway that limits requests', refuse, 'rate_limited', limited],
];

for (const [what, fail, code, fetch] of outages) {
  for (const seconds of [40, 59, 180]) {
    const outcome = seconds < 60 ? 'resolved' : code;
    test(`with ${what} for ${seconds} s the text is ${outcome}`, async () => {
      const harness = new Harness(fetch && { fetch });
      const ended = reasonOf(harness.session.sign('Hello.').result);
      await awayFor(harness, seconds, fail);
      if (outcome === 'resolved') {
        assert.equal(harness.session.state, 'reconnecting');
        await harness.reconnected();
        const { id } = harness.socket.asked[0]!;
        harness.socket.ack(id);
        harness.socket.result(id);
      }
      assert.equal(await ended, outcome);
      void harness.session.end();
      await harness.clock.advance(5_000);
      harness.assertNothingLeft();
    });
  }
}

/** The proxy is back, and the text that waited is signed. */
async function signs(harness: Harness, ended: Promise<string>): Promise<void> {
  assert.equal(harness.session.state, 'reconnecting');
  await harness.reconnected();
  const { id } = harness.socket.asked[0]!;
  harness.socket.ack(id);
  harness.socket.result(id);
  assert.equal(await ended, 'resolved');
  void harness.session.end();
  await harness.clock.advance(5_000);
  harness.assertNothingLeft();
}

test('the text is signed when the proxy is away and the page sleeps for two minutes meanwhile', async () => {
  const harness = new Harness();
  const ended = reasonOf(harness.session.sign('Hello.').result);
  await awayFor(harness, 40);
  await harness.clock.sleep(120_000);
  await awayFor(harness, 10);
  await signs(harness, ended);
});

test('the text is signed when the proxy is away for 40 s, the browser is then offline for two minutes, and the first try after that fails', async () => {
  const network = new FakeNetwork();
  const harness = new Harness({ network });
  const ended = reasonOf(harness.session.sign('Hello.').result);
  await awayFor(harness, 40);
  network.go('offline');
  await harness.clock.advance(120_000);
  network.go('online');
  await awayFor(harness, 10);
  await signs(harness, ended);
});
