// Outages with `transport="auto"`: the browser offline, a service that asks to wait, a gateway without its proxy.
import assert from 'node:assert/strict';
import test from 'node:test';
import { deferred } from '../../../src/session/async.ts';
import { RestTransport } from '../../../src/session/transports/rest-transport.ts';
import { AutoHarness } from './auto-harness.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { reasonOf } from '../harness.ts';

test('while the browser is offline nothing goes over to REST, however long that lasts', async () => {
  const harness = new AutoHarness();
  const call = harness.session.sign('A');
  await harness.ready();
  harness.network.go('offline');
  harness.socket.drop();
  await harness.clock.advance(3_600_000);
  assert.deepEqual([harness.session.state, harness.sockets.length, harness.byRest], ['reconnecting', 1, []]);
  harness.network.go('online');
  await harness.ready();
  harness.socket.result();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('offline time does not count towards the 10 s', async () => {
  const harness = new AutoHarness({ random: () => 0.999 });
  harness.session.sign('A');
  await harness.clock.advance(6_000);
  harness.network.go('offline');
  await harness.clock.advance(60_000);
  harness.network.go('online');
  await harness.clock.advance(3_999);
  assert.deepEqual(harness.states, ['connecting', 'reconnecting']);
  await harness.clock.advance(1);
  await harness.until('A goes by REST', () => harness.byRest.length > 0);
});

for (const [code, reason] of [
  [1001, ''],
  [1011, 'session_failed'],
  [1012, 'restarting'],
  [1013, 'overloaded'],
] as const) {
  test(`a first socket that is dropped before session.ready with ${code} is no refusal: the next one signs the text`, async () => {
    const harness = new AutoHarness();
    const call = harness.session.sign('A');
    harness.socket.open();
    harness.socket.drop(code, reason);
    await harness.clock.advance(9_999);
    assert.deepEqual([harness.sockets.length, harness.byRest], [2, []]);
    await harness.ready();
    harness.socket.result();
    assert.equal(await reasonOf(call.result), 'resolved');
    assert.deepEqual([harness.byRest, harness.errors], [[], []]);
  });
}

test('inside a retry_after_seconds no session is requested and nothing goes over', async () => {
  const harness = new AutoHarness();
  const call = harness.session.sign('A');
  await harness.ready();
  harness.socket.error('gloss_unavailable', { retry_after_seconds: 30 });
  harness.socket.drop();
  const sockets = harness.sockets.length;
  await harness.clock.advance(29_999);
  assert.deepEqual(
    [harness.sockets.length, harness.byRest, harness.session.state],
    [sockets, [], 'reconnecting'],
  );
  await harness.clock.advance(1);
  assert.equal(harness.sockets.length, sockets + 1);
  await harness.ready();
  harness.socket.result();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('the 10 s go on after the retry_after_seconds, and then the text goes over', async () => {
  const harness = new AutoHarness();
  harness.session.sign('A');
  harness.socket.open();
  harness.socket.error('gloss_unavailable', { retry_after_seconds: 30 }, '');
  await harness.clock.advance(39_999);
  assert.deepEqual(harness.byRest, []);
  await harness.clock.advance(1);
  await harness.until('A goes by REST', () => harness.byRest.length > 0);
});

test('when V3 has failed for the eighth time, the text goes over only after the last retry_after_seconds', async () => {
  const harness = new AutoHarness();
  harness.session.sign('A');
  for (let loss = 0; loss < 8; loss += 1) {
    harness.socket.open();
    harness.socket.error('gloss_unavailable', { retry_after_seconds: 10 }, '');
    await harness.clock.advance(loss < 7 ? 10_000 : 9_999);
  }
  assert.deepEqual([harness.byRest, harness.session.state], [[], 'reconnecting']);
  await harness.clock.advance(1);
  await harness.until('A goes by REST', () => harness.byRest.length > 0);
});

test('a retry_after_seconds that comes while the code for REST is loading delays texts over REST and fetches over V3', async () => {
  for (const code of ['gloss_unavailable', 'invalid_message']) {
    const loaded = deferred<typeof RestTransport>();
    const harness = new AutoHarness({ loadRest: () => loaded.promise });
    const acknowledged = harness.session.sign('A');
    await harness.ready();
    harness.socket.ack();
    harness.socket.drop();
    const waiting = harness.session.sign('B');
    await harness.clock.advance(10_000);
    harness.socket.open();
    harness.socket.error(code, { retry_after_seconds: 30 }, '');
    const sockets = harness.sockets.length;
    loaded.resolve(RestTransport);
    await harness.clock.advance(29_999);
    assert.deepEqual(
      [harness.byRest, harness.sockets.length, harness.session.state],
      [[], sockets, 'reconnecting'],
    );
    await harness.clock.advance(1);
    await harness.until('B goes by REST', () => harness.byRest.length > 0);
    await harness.proxy.request('B').video();
    // After V3 has failed for good, a session is requested again half a minute later.
    await harness.clock.advance(code === 'invalid_message' ? 30_000 : 0);
    await harness.ready();
    harness.socket.result();
    assert.deepEqual(
      [await reasonOf(waiting.result), await reasonOf(acknowledged.result), harness.byRest],
      ['resolved', 'resolved', ['B']],
    );
  }
});

test('while no proxy answers, the state never says ready', async () => {
  const harness = new AutoHarness();
  harness.proxy.head = null;
  harness.session.sign('A');
  const refuseAll = async (): Promise<void> => {
    if (harness.socket.readyState === 0) harness.socket.refuse();
    for (const each of harness.proxy.asked) if (!each.signal.aborted) await each.breakOff();
  };
  for (let second = 0; second < 15; second += 1) {
    await harness.clock.advance(1_000);
    await refuseAll();
  }
  assert.deepEqual([harness.states, harness.byRest], [['connecting', 'reconnecting'], []]);
});

test('by REST a text waits while the browser is offline, and is sent when it is online', async () => {
  const harness = new AutoHarness();
  harness.session.sign('A');
  await harness.goOverToRest();
  await harness.proxy.last.video();
  harness.network.go('offline');
  const call = harness.session.sign('B');
  await harness.clock.advance(600_000);
  assert.deepEqual([harness.byRest, harness.session.state], [['A'], 'reconnecting']);
  harness.network.go('online');
  await harness.clock.advance(0);
  const look = harness.proxy.last;
  assert.deepEqual([look.method, look.path], ['GET', 'ws/']);
  await look.answer({ code: 'upgrade_required' }, 426);
  await harness.until('B goes by REST', () => harness.byRest.length > 1);
  assert.equal(harness.session.state, 'ready');
  await harness.proxy.request('B').video();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('end() inside a retry_after_seconds, before REST takes over, leaves nothing, and the state is ended', async () => {
  const harness = new AutoHarness();
  const call = harness.session.sign('A');
  for (let loss = 0; loss < 8; loss += 1) {
    harness.socket.open();
    harness.socket.error('gloss_unavailable', { retry_after_seconds: 5 }, '');
    if (loss < 7) await harness.clock.advance(5_000);
  }
  void harness.session.end();
  assert.equal(harness.session.state, 'ended');
  assert.equal(await reasonOf(call.result), 'AbortError');
  await promisesSettled();
  harness.assertNothingLeft();
  assert.equal(harness.network.listeners, 0);
});

test('when the network asks for a login after there was a session, the text waits for the login and is signed by REST', async () => {
  const harness = new AutoHarness();
  const { proxy, clock } = harness;
  const login = (): Response => new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html' } });
  const call = harness.session.sign('A');
  await harness.ready();
  proxy.head = login;
  harness.socket.drop();
  let refused = 0;
  for (let ms = 0; ms < 20_000; ms += 250) {
    for (; refused < harness.sockets.length; refused += 1) harness.sockets[refused]!.refuse();
    await promisesSettled();
    for (const each of proxy.asked.filter(({ path, signal }) => path === 'ws/' && !signal.aborted))
      await each.answer('<h1>Log in</h1>', 200, { 'content-type': 'text/html' });
    await clock.advance(250);
  }
  await harness.until('REST has taken over', () => proxy.heads > 0);
  assert.deepEqual(harness.byRest, []);
  proxy.head = () => new Response();
  for (let ms = 0; harness.byRest.length < 1; ms += 250) {
    for (const each of proxy.asked.filter(({ path, signal }) => path === 'ws/' && !signal.aborted))
      await each.answer({}, 426);
    await clock.advance(250);
    assert.ok(ms < 60_000, 'it goes by REST');
  }
  await proxy.last.video();
  assert.equal(await reasonOf(call.result), 'resolved');
});

for (const name of ['sign-statechange', 'sign-error'] as const)
  test(`a text that a listener of ${name} asks for when REST has failed is signed by V3`, async () => {
    const harness = new AutoHarness();
    harness.session.sign('A');
    await harness.goOverToRest();
    await harness.proxy.last.video();
    harness.network.go('offline');
    const again: Promise<unknown>[] = [];
    harness.session.on(name, () => {
      if (harness.session.state !== 'failed' || again.length > 0) return;
      again.push(harness.session.sign('B').result);
    });
    harness.network.go('online');
    await harness.clock.advance(0);
    const problem = { 'content-type': 'application/problem+json' };
    await harness.proxy.last.answer({ code: 'origin_refused' }, 403, problem);
    assert.equal(harness.session.state, 'connecting');
    await harness.ready();
    harness.socket.result();
    assert.equal(await reasonOf(again[0]!), 'resolved');
  });

test('requests by REST that broke while the browser was offline do not count as tries of V3', async () => {
  const harness = new AutoHarness();
  const call = harness.session.sign('A');
  await harness.goOverToRest();
  for (let outage = 1; outage <= 3; outage += 1) {
    harness.network.go('offline');
    await harness.proxy.request('A').breakOff();
    await harness.proxy.refuseLook();
    harness.network.go('online');
    await harness.clock.advance(0);
    if (outage < 3) {
      await harness.proxy.last.answer({}, 426);
      assert.equal(harness.byRest.length, outage + 1);
    }
  }
  await harness.clock.advance(0);
  await harness.ready();
  harness.socket.error('render_failed');
  await harness.clock.advance(0);
  harness.socket.result();
  assert.equal(await reasonOf(call.result), 'resolved');
});
