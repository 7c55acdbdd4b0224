// Back from REST to V3: when a session is requested, and what follows.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { TextCall } from '../../../src/session/session-types.ts';
import { AutoHarness } from './auto-harness.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { reasonOf } from '../harness.ts';

/** A harness whose texts go by REST, with no request pending. */
async function restHarness(random = 0): Promise<AutoHarness> {
  const harness = new AutoHarness({ random: () => random });
  const call = harness.session.sign('First.');
  await harness.goOverToRest();
  await harness.proxy.last.video();
  await call.result;
  return harness;
}

test('30 s after the change to REST a session is requested, and the next text goes over that session', async () => {
  const harness = await restHarness();
  const before = harness.sockets.length;
  await harness.clock.advance(29_999);
  assert.equal(harness.sockets.length, before);
  await harness.clock.advance(1);
  assert.equal(harness.sockets.length, before + 1);
  await harness.ready();
  assert.equal(harness.details('sign-ready').length, 1);
  const call = harness.session.sign('Second.');
  harness.socket.ack();
  harness.socket.result();
  assert.equal(await reasonOf(call.result), 'resolved');
  assert.deepEqual(harness.byRest, ['First.']);
  assert.equal(harness.session.state, 'ready');
});

test('a failed probe is not reported, and the next one waits twice as long, up to five minutes', async () => {
  const harness = await restHarness();
  const before = harness.events.length;
  for (const seconds of [30, 60, 120, 240, 300, 300]) {
    const sockets = harness.sockets.length;
    await harness.clock.advance(seconds * 1000 - 1);
    assert.equal(harness.sockets.length, sockets, `not before ${seconds} s`);
    await harness.clock.advance(1);
    assert.equal(harness.sockets.length, sockets + 1);
    harness.socket.open();
    harness.socket.drop(1011);
    await promisesSettled();
    assert.equal(harness.socket.closed, true);
  }
  assert.equal(harness.events.length, before);
  assert.equal(harness.session.state, 'ready');
});

test('a probe without an answer is over after 10 s', async () => {
  const harness = await restHarness();
  await harness.clock.advance(30_000);
  harness.socket.open();
  await harness.clock.advance(10_000);
  assert.equal(harness.socket.closed, true);
  const sockets = harness.sockets.length;
  await harness.clock.advance(59_999);
  assert.equal(harness.sockets.length, sockets);
  await harness.clock.advance(1);
  assert.equal(harness.sockets.length, sockets + 1);
  assert.deepEqual(harness.errors, []);
});

test('jitter shortens a wait by half at most', async () => {
  const harness = await restHarness(0.999);
  const before = harness.sockets.length;
  await harness.clock.advance(15_000);
  assert.equal(harness.sockets.length, before);
  await harness.clock.advance(100);
  assert.equal(harness.sockets.length, before + 1);
});

test('no probe is made while a text is under way by REST, and one that is due is made at once after it', async () => {
  const harness = await restHarness();
  const before = harness.sockets.length;
  const call = harness.session.sign('Second.');
  await promisesSettled();
  await harness.clock.advance(45_000);
  assert.equal(harness.sockets.length, before);
  await harness.proxy.last.video();
  await call.result;
  await harness.clock.advance(0);
  assert.equal(harness.sockets.length, before + 1);
});

test('a text that comes while a probe is under way goes by REST at once', async () => {
  const harness = await restHarness();
  await harness.clock.advance(30_000);
  const call = harness.session.sign('Second.');
  await promisesSettled();
  assert.deepEqual(harness.byRest, ['First.', 'Second.']);
  await harness.ready();
  assert.deepEqual(harness.socket.asked, []);
  await harness.proxy.last.video();
  assert.equal(await reasonOf(call.result), 'resolved');
  harness.session.sign('Third.');
  assert.equal(harness.socket.last.data, 'Third.');
});

/** REST has accepted a text when a V3 session opens; the poll of the text's job does not reach the proxy. */
async function acceptedHarness(): Promise<{ harness: AutoHarness; call: TextCall }> {
  const harness = await restHarness();
  await harness.clock.advance(30_000);
  const call = harness.session.sign('Second.');
  await promisesSettled();
  await harness.proxy.last.answer({ jobId: 'j-1' });
  await harness.ready();
  await harness.clock.advance(1_000);
  assert.equal(harness.proxy.last.path, 'v1/status/j-1');
  await harness.proxy.last.breakOff();
  return { harness, call };
}

test('REST goes on polling a job after an outage, although V3 is in force meanwhile', async () => {
  const { harness, call } = await acceptedHarness();
  await harness.clock.advance(0);
  assert.equal(harness.proxy.last.path, 'ws/');
  await harness.proxy.last.answer({ code: 'upgrade_required' }, 426, {
    'content-type': 'application/problem+json',
  });
  await harness.clock.advance(2_000);
  assert.equal(harness.proxy.last.path, 'v1/status/j-1');
  await harness.proxy.last.answer({ status: 'completed', downloadUrl: 'https://media.example/j' });
  assert.equal(await reasonOf(call.result), 'resolved');
  assert.deepEqual(harness.socket.asked, []);
});

test('a job that REST cannot poll for a minute fails alone, while V3 goes on', async () => {
  const { harness, call } = await acceptedHarness();
  let outcome = 'open';
  void reasonOf(call.result).then((reason) => (outcome = reason));
  for (let second = 0; second < 90 && outcome === 'open'; second += 1) {
    await harness.clock.advance(1_000);
    if (harness.proxy.last.path === 'ws/') await harness.proxy.refuseLook();
  }
  assert.equal(outcome, 'proxy_unreachable');
  assert.equal(harness.session.state, 'ready');
  const third = harness.session.sign('Third.');
  harness.socket.ack();
  harness.socket.result();
  assert.equal(await reasonOf(third.result), 'resolved');
  assert.deepEqual(
    harness.socket.asked.map(({ data }) => data),
    ['Third.'],
  );
});

test('no probe goes on after end()', async () => {
  for (const seconds of [0, 30]) {
    const harness = await restHarness();
    await harness.clock.advance(seconds * 1000);
    await harness.session.end();
    await promisesSettled();
    harness.assertNothingLeft();
    const before = harness.sockets.length;
    await harness.clock.advance(600_000);
    assert.equal(harness.sockets.length, before);
  }
});

test('after V3 is lost again, the waits between probes begin again at 30 s', async () => {
  const harness = await restHarness();
  await harness.clock.advance(30_000);
  harness.socket.drop(1011);
  await promisesSettled();
  await harness.clock.advance(60_000);
  await harness.ready();
  harness.session.sign('Second.');
  harness.socket.drop();
  await harness.goOverToRest();
  await harness.proxy.last.video();
  const before = harness.sockets.length;
  await harness.clock.advance(29_999);
  assert.equal(harness.sockets.length, before);
  await harness.clock.advance(1);
  assert.equal(harness.sockets.length, before + 1);
});

test('when the browser comes online, a V3 session is requested at once', async () => {
  const harness = await restHarness();
  const before = harness.sockets.length;
  await harness.clock.advance(2_000);
  harness.network.go('offline');
  await harness.clock.advance(3_000);
  harness.network.go('online');
  await harness.clock.advance(0);
  assert.equal(harness.sockets.length, before + 1);
});

test('when REST reaches the proxy again after an outage, a V3 session is requested as soon as REST has nothing to do', async () => {
  const harness = await restHarness();
  const { proxy, clock } = harness;
  const before = harness.sockets.length;
  proxy.head = null;
  const call = harness.session.sign('Second.');
  await promisesSettled();
  await proxy.last.breakOff();
  await clock.advance(1_000);
  for (const each of proxy.asked.filter(({ signal }) => !signal.aborted)) await each.breakOff();
  assert.deepEqual([harness.byRest, harness.session.state], [['First.'], 'reconnecting']);
  proxy.head = () => new Response();
  for (let ms = 0; harness.byRest.length < 2; ms += 250) {
    for (const each of proxy.asked.filter(({ path, signal }) => path === 'ws/' && !signal.aborted))
      await each.answer({ code: 'upgrade_required' }, 426);
    await clock.advance(250);
    assert.ok(ms < 20_000, 'it goes by REST');
  }
  assert.equal(harness.sockets.length, before);
  await proxy.request('Second.').video();
  assert.equal(await reasonOf(call.result), 'resolved');
  await clock.advance(0);
  assert.equal(harness.sockets.length, before + 1);
});
