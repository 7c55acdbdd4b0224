// A proxy or a service that nobody reaches for a while, with the machine awake and asleep.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from './manual-clock.ts';
import type { FakeSocket } from './fake-socket.ts';
import { reasonOf, Stage } from './stage.ts';

const refuse = (socket: FakeSocket): void => socket.refuse();

/** For this long each attempt fails at once; by default no proxy answers. */
async function awayFor(stage: Stage, seconds: number, fail = refuse): Promise<void> {
  let refused = 0;
  for (const end = stage.clock.now() + seconds * 1000; stage.clock.now() < end;) {
    for (; refused < stage.sockets.length; refused += 1) fail(stage.sockets[refused]!);
    // Three questions over HTTP go unanswered too.
    for (let turn = 0; turn < 4; turn += 1) await promisesSettled();
    await stage.clock.advance(250);
  }
}

const outages: [what: string, fail: (socket: FakeSocket) => void, code: string][] = [
  ['a proxy that does not answer', refuse, 'proxy_unreachable'],
  ['a service that the proxy does not reach', (socket) => socket.drop(1011), 'upstream_unreachable'],
  ['a service that is restarting', (socket) => socket.drop(1012), 'session_failed'],
];

for (const [what, fail, code] of outages) {
  for (const seconds of [40, 59, 180]) {
    const outcome = seconds < 60 ? 'resolved' : code;
    test(`${what}, for ${seconds} s: the text is ${outcome}`, async () => {
      const stage = new Stage();
      const ended = reasonOf(stage.session.sign('Hello.').result);
      await awayFor(stage, seconds, fail);
      if (outcome === 'resolved') {
        assert.equal(stage.session.state, 'reconnecting');
        await stage.reconnected();
        const { id } = stage.socket.asked[0]!;
        stage.socket.ack(id);
        stage.socket.result(id);
      }
      assert.equal(await ended, outcome);
      void stage.session.end();
      await stage.clock.advance(5_000);
      stage.assertNothingLeft();
    });
  }
}

test('a proxy that is away, and a page that sleeps for two minutes meanwhile: the text is signed', async () => {
  const stage = new Stage();
  const ended = reasonOf(stage.session.sign('Hello.').result);
  await awayFor(stage, 40);
  await stage.clock.sleep(120_000);
  await awayFor(stage, 10);
  assert.equal(stage.session.state, 'reconnecting');
  await stage.reconnected();
  const { id } = stage.socket.asked[0]!;
  stage.socket.ack(id);
  stage.socket.result(id);
  assert.equal(await ended, 'resolved');
  void stage.session.end();
  await stage.clock.advance(5_000);
  stage.assertNothingLeft();
});
