// A proxy that nobody reaches for a while, with the machine awake and asleep.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from './manual-clock.ts';
import { reasonOf, Stage } from './stage.ts';

/** No proxy answers for this long: each attempt fails at once. */
async function awayFor(stage: Stage, seconds: number): Promise<void> {
  let refused = 0;
  for (const end = stage.clock.now() + seconds * 1000; stage.clock.now() < end;) {
    for (; refused < stage.sockets.length; refused += 1) stage.sockets[refused]!.refuse();
    // Three questions over HTTP go unanswered too.
    for (let turn = 0; turn < 4; turn += 1) await promisesSettled();
    await stage.clock.advance(250);
  }
}

for (const [seconds, outcome] of [
  [40, 'resolved'],
  [59, 'resolved'],
  [180, 'proxy_unreachable'],
] as const) {
  test(`a proxy that does not answer for ${seconds} s: the text is ${outcome}`, async () => {
    const stage = new Stage();
    const ended = reasonOf(stage.session.sign('Hello.').result);
    await awayFor(stage, seconds);
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
