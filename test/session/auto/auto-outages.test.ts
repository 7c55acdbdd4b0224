// Outages with `transport="auto"`: the browser offline, a service that asks to wait, a gateway without its proxy.
import assert from 'node:assert/strict';
import test from 'node:test';
import { deferred } from '../../../src/session/async.ts';
import { RestTransport } from '../../../src/session/transports/rest-transport.ts';
import { AutoStage } from './auto-stage.ts';
import { promisesSettled } from '../manual-clock.ts';
import { reasonOf } from '../stage.ts';

test('offline nothing goes over to REST, however long it lasts', async () => {
  const stage = new AutoStage();
  const call = stage.session.sign('A');
  await stage.ready();
  stage.network.go('offline');
  stage.socket.drop();
  await stage.clock.advance(3_600_000);
  assert.deepEqual([stage.session.state, stage.sockets.length, stage.byRest], ['reconnecting', 1, []]);
  stage.network.go('online');
  await stage.ready();
  stage.socket.result();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('offline time does not count towards the 10 s', async () => {
  const stage = new AutoStage({ random: () => 0.999 });
  stage.session.sign('A');
  await stage.clock.advance(6_000);
  stage.network.go('offline');
  await stage.clock.advance(60_000);
  stage.network.go('online');
  await stage.clock.advance(3_999);
  assert.deepEqual(stage.states, ['connecting', 'reconnecting']);
  await stage.clock.advance(1);
  await stage.until('A goes by REST', () => stage.byRest.length > 0);
});

test('inside a retry_after_seconds no session is asked for and nothing goes over', async () => {
  const stage = new AutoStage();
  const call = stage.session.sign('A');
  await stage.ready();
  stage.socket.error('gloss_unavailable', { retry_after_seconds: 30 });
  stage.socket.drop();
  const sockets = stage.sockets.length;
  await stage.clock.advance(29_999);
  assert.deepEqual([stage.sockets.length, stage.byRest, stage.session.state], [sockets, [], 'reconnecting']);
  await stage.clock.advance(1);
  assert.equal(stage.sockets.length, sockets + 1);
  await stage.ready();
  stage.socket.result();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('after the hint the 10 s go on, and then it goes over', async () => {
  const stage = new AutoStage();
  stage.session.sign('A');
  stage.socket.open();
  stage.socket.error('gloss_unavailable', { retry_after_seconds: 30 }, '');
  await stage.clock.advance(39_999);
  assert.deepEqual(stage.byRest, []);
  await stage.clock.advance(1);
  await stage.until('A goes by REST', () => stage.byRest.length > 0);
});

test('V3 that fails with its last hint goes over when that hint has passed', async () => {
  const stage = new AutoStage();
  stage.session.sign('A');
  for (let loss = 0; loss < 8; loss += 1) {
    stage.socket.open();
    stage.socket.error('gloss_unavailable', { retry_after_seconds: 10 }, '');
    await stage.clock.advance(loss < 7 ? 10_000 : 9_999);
  }
  assert.deepEqual([stage.byRest, stage.session.state], [[], 'reconnecting']);
  await stage.clock.advance(1);
  await stage.until('A goes by REST', () => stage.byRest.length > 0);
});

test('a hint that comes while REST is being opened holds back REST, and what V3 is to be asked for', async () => {
  for (const code of ['gloss_unavailable', 'invalid_message']) {
    const loaded = deferred<typeof RestTransport>();
    const stage = new AutoStage({ loadRest: () => loaded.promise });
    const acknowledged = stage.session.sign('A');
    await stage.ready();
    stage.socket.ack();
    stage.socket.drop();
    const waiting = stage.session.sign('B');
    await stage.clock.advance(10_000);
    stage.socket.open();
    stage.socket.error(code, { retry_after_seconds: 30 }, '');
    const sockets = stage.sockets.length;
    loaded.resolve(RestTransport);
    await stage.clock.advance(29_999);
    assert.deepEqual(
      [stage.byRest, stage.sockets.length, stage.session.state],
      [[], sockets, 'reconnecting'],
    );
    await stage.clock.advance(1);
    await stage.until('B goes by REST', () => stage.byRest.length > 0);
    await stage.proxy.request('B').video();
    // V3 that has failed for good is asked again half a minute later.
    await stage.clock.advance(code === 'invalid_message' ? 30_000 : 0);
    await stage.ready();
    stage.socket.result();
    assert.deepEqual(
      [await reasonOf(waiting.result), await reasonOf(acknowledged.result), stage.byRest],
      ['resolved', 'resolved', ['B']],
    );
  }
});

test('while no proxy answers, the state never says ready', async () => {
  const stage = new AutoStage();
  stage.proxy.head = null;
  stage.session.sign('A');
  const refuseAll = async (): Promise<void> => {
    if (stage.socket.readyState === 0) stage.socket.refuse();
    for (const each of stage.proxy.asked) if (!each.signal.aborted) await each.breakOff();
  };
  for (let second = 0; second < 15; second += 1) {
    await stage.clock.advance(1_000);
    await refuseAll();
  }
  assert.deepEqual([stage.states, stage.byRest], [['connecting', 'reconnecting'], []]);
});

test('by REST a text waits while the browser is offline, and is sent when it is online', async () => {
  const stage = new AutoStage();
  stage.session.sign('A');
  await stage.goOverToRest();
  await stage.proxy.last.video();
  stage.network.go('offline');
  const call = stage.session.sign('B');
  await stage.clock.advance(600_000);
  assert.deepEqual([stage.byRest, stage.session.state], [['A'], 'reconnecting']);
  stage.network.go('online');
  await stage.clock.advance(0);
  const look = stage.proxy.last;
  assert.deepEqual([look.method, look.path], ['GET', 'ws/']);
  await look.answer({ code: 'upgrade_required' }, 426);
  await stage.until('B goes by REST', () => stage.byRest.length > 1);
  assert.equal(stage.session.state, 'ready');
  await stage.proxy.request('B').video();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('end() inside a hint and before REST leaves nothing', async () => {
  const stage = new AutoStage();
  const call = stage.session.sign('A');
  for (let loss = 0; loss < 8; loss += 1) {
    stage.socket.open();
    stage.socket.error('gloss_unavailable', { retry_after_seconds: 5 }, '');
    if (loss < 7) await stage.clock.advance(5_000);
  }
  void stage.session.end();
  assert.equal(await reasonOf(call.result), 'AbortError');
  await promisesSettled();
  stage.assertNothingLeft();
  assert.equal(stage.network.listeners, 0);
});

test('a network that asks for a login after there was a session: the text waits for it and is signed by REST', async () => {
  const stage = new AutoStage();
  const { proxy, clock } = stage;
  const login = (): Response => new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html' } });
  const call = stage.session.sign('A');
  await stage.ready();
  proxy.head = login;
  stage.socket.drop();
  let refused = 0;
  for (let ms = 0; ms < 20_000; ms += 250) {
    for (; refused < stage.sockets.length; refused += 1) stage.sockets[refused]!.refuse();
    await promisesSettled();
    for (const each of proxy.asked.filter(({ path, signal }) => path === 'ws/' && !signal.aborted))
      await each.answer('<h1>Log in</h1>', 200, { 'content-type': 'text/html' });
    await clock.advance(250);
  }
  await stage.until('REST has taken over', () => proxy.heads > 0);
  assert.deepEqual(stage.byRest, []);
  proxy.head = () => new Response();
  for (let ms = 0; stage.byRest.length < 1; ms += 250) {
    for (const each of proxy.asked.filter(({ path, signal }) => path === 'ws/' && !signal.aborted))
      await each.answer({}, 426);
    await clock.advance(250);
    assert.ok(ms < 60_000, 'it goes by REST');
  }
  await proxy.last.video();
  assert.equal(await reasonOf(call.result), 'resolved');
});
