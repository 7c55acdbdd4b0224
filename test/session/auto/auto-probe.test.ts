// Back from REST to V3: when a session is asked for, and what comes of it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AutoStage } from './auto-stage.ts';
import { promisesSettled } from '../manual-clock.ts';
import { reasonOf } from '../stage.ts';

/** A stage that REST serves and where nothing is under way. */
async function restStage(random = 0): Promise<AutoStage> {
  const stage = new AutoStage({ random: () => random });
  const call = stage.session.sign('First.');
  await stage.goOverToRest();
  await stage.proxy.last.video();
  await call.result;
  return stage;
}

test('30 s after the change a session is asked for, and the next text goes over it', async () => {
  const stage = await restStage();
  const before = stage.sockets.length;
  await stage.clock.advance(29_999);
  assert.equal(stage.sockets.length, before);
  await stage.clock.advance(1);
  assert.equal(stage.sockets.length, before + 1);
  await stage.ready();
  assert.equal(stage.details('sign-ready').length, 1);
  const call = stage.session.sign('Second.');
  stage.socket.ack();
  stage.socket.result();
  assert.equal(await reasonOf(call.result), 'resolved');
  assert.deepEqual(stage.byRest, ['First.']);
  assert.equal(stage.session.state, 'ready');
});

test('a probe that fails is quiet and the next one waits twice as long, up to five minutes', async () => {
  const stage = await restStage();
  const before = stage.events.length;
  for (const seconds of [30, 60, 120, 240, 300, 300]) {
    const sockets = stage.sockets.length;
    await stage.clock.advance(seconds * 1000 - 1);
    assert.equal(stage.sockets.length, sockets, `not before ${seconds} s`);
    await stage.clock.advance(1);
    assert.equal(stage.sockets.length, sockets + 1);
    stage.socket.open();
    stage.socket.drop(1011);
    await promisesSettled();
    assert.equal(stage.socket.closed, true);
  }
  assert.equal(stage.events.length, before);
  assert.equal(stage.session.state, 'ready');
});

test('a probe without an answer is over after 10 s', async () => {
  const stage = await restStage();
  await stage.clock.advance(30_000);
  stage.socket.open();
  await stage.clock.advance(10_000);
  assert.equal(stage.socket.closed, true);
  const sockets = stage.sockets.length;
  await stage.clock.advance(59_999);
  assert.equal(stage.sockets.length, sockets);
  await stage.clock.advance(1);
  assert.equal(stage.sockets.length, sockets + 1);
  assert.deepEqual(stage.errors, []);
});

test('chance leaves out up to half of a wait', async () => {
  const stage = await restStage(0.999);
  const before = stage.sockets.length;
  await stage.clock.advance(15_000);
  assert.equal(stage.sockets.length, before);
  await stage.clock.advance(100);
  assert.equal(stage.sockets.length, before + 1);
});

test('while a text is under way by REST none is made, and afterwards one that is due is made at once', async () => {
  const stage = await restStage();
  const before = stage.sockets.length;
  const call = stage.session.sign('Second.');
  await promisesSettled();
  await stage.clock.advance(45_000);
  assert.equal(stage.sockets.length, before);
  await stage.proxy.last.video();
  await call.result;
  await stage.clock.advance(0);
  assert.equal(stage.sockets.length, before + 1);
});

test('a text that comes while a probe is under way goes by REST at once', async () => {
  const stage = await restStage();
  await stage.clock.advance(30_000);
  const call = stage.session.sign('Second.');
  await promisesSettled();
  assert.deepEqual(stage.byRest, ['First.', 'Second.']);
  await stage.ready();
  assert.deepEqual(stage.socket.asked, []);
  await stage.proxy.last.video();
  assert.equal(await reasonOf(call.result), 'resolved');
  stage.session.sign('Third.');
  assert.equal(stage.socket.last.data, 'Third.');
});

test('no probe outlives end()', async () => {
  for (const seconds of [0, 30]) {
    const stage = await restStage();
    await stage.clock.advance(seconds * 1000);
    await stage.session.end();
    await promisesSettled();
    stage.assertNothingLeft();
    const before = stage.sockets.length;
    await stage.clock.advance(600_000);
    assert.equal(stage.sockets.length, before);
  }
});

test('when V3 is lost once more, it is asked for once more, from 30 s on', async () => {
  const stage = await restStage();
  await stage.clock.advance(30_000);
  stage.socket.drop(1011);
  await promisesSettled();
  await stage.clock.advance(60_000);
  await stage.ready();
  stage.session.sign('Second.');
  stage.socket.drop();
  await stage.goOverToRest();
  await stage.proxy.last.video();
  const before = stage.sockets.length;
  await stage.clock.advance(29_999);
  assert.equal(stage.sockets.length, before);
  await stage.clock.advance(1);
  assert.equal(stage.sockets.length, before + 1);
});
