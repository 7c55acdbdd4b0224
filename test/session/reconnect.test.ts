// When a lost session is followed by the next: backoff, hints, the last loss, online and offline.
import assert from 'node:assert/strict';
import test from 'node:test';
import { FakeNetwork } from './fake-network.ts';
import { readyHarness, reasonOf, Harness } from './harness.ts';

test('the backoff has full jitter below 0.5 s, and doubles to 30 s; a loss after the eighth and after a minute rejects all waiting texts', async () => {
  const harness = new Harness();
  const connected = reasonOf(harness.session.connect());
  const { accepted, result } = harness.session.sign('Hello.');
  for (const halfMs of [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]) {
    const before = harness.sockets.length;
    harness.socket.drop(1011);
    assert.equal(harness.session.state, 'reconnecting');
    await harness.clock.advance(halfMs - 1);
    assert.equal(harness.sockets.length, before);
    await harness.clock.advance(1);
    assert.equal(harness.sockets.length, before + 1);
  }
  harness.socket.drop(1011);
  assert.deepEqual(await Promise.all([connected, reasonOf(accepted), reasonOf(result)]), [
    'upstream_unreachable',
    'upstream_unreachable',
    'upstream_unreachable',
  ]);
  assert.deepEqual(harness.states, ['connecting', 'reconnecting', 'failed']);
  assert.deepEqual(
    harness.errors.map(({ severity }) => severity),
    [...Array.from({ length: 9 }, () => 'warning'), 'session'],
  );
  harness.assertNothingLeft();
});

test('the eighth session in a row that the service ends with an error rejects all waiting texts, before a minute is over', async () => {
  const harness = new Harness();
  const ended = reasonOf(harness.session.sign('Hello.').result);
  for (let failed = 1; failed <= 8; failed += 1) {
    assert.equal(harness.sockets.length, failed);
    harness.socket.open();
    harness.socket.error('gloss_unavailable', { retry_after_seconds: 1 }, '');
    await harness.clock.advance(1_000);
  }
  assert.deepEqual([harness.session.state, harness.sockets.length], ['failed', 8]);
  assert.equal(await ended, 'gloss_unavailable');
  harness.assertNothingLeft();
});

test('session.ready, not an open socket, resets the count and the backoff', async () => {
  const harness = await readyHarness();
  for (let round = 0; round < 10; round += 1) {
    harness.socket.drop();
    await harness.clock.advance(250);
    harness.socket.open();
    harness.socket.drop(1011);
    await harness.clock.advance(499);
    assert.equal(harness.sockets.length, 2 * round + 2);
    await harness.clock.advance(1);
    await harness.ready();
  }
  assert.equal(harness.sockets.length, 21);
  assert.equal(harness.session.state, 'ready');
});

test('after a failure the next text tries eight times again', async () => {
  const harness = new Harness();
  for (const text of ['First.', 'Second.']) {
    const end = reasonOf(harness.session.sign(text).result);
    for (let losses = 1; losses < 8; losses += 1) {
      harness.socket.drop(1011);
      await harness.clock.advance(30_000);
    }
    harness.socket.drop(1011);
    assert.equal(await end, 'upstream_unreachable');
  }
  assert.equal(harness.sockets.length, 16);
});

test('the wait that a hint asks for is exact to the millisecond, also before session.ready', async () => {
  const harness = new Harness();
  void harness.session.sign('Hello.');
  harness.socket.open();
  harness.socket.error('gloss_unavailable', { retry_after_seconds: 1.234 }, '');
  await harness.clock.advance(1_233);
  assert.equal(harness.sockets.length, 1);
  await harness.clock.advance(1);
  assert.equal(harness.sockets.length, 2);
});

test('connect() waits for the session that gets ready in the end', async () => {
  const harness = new Harness();
  const connected = harness.session.connect();
  harness.socket.drop(1011);
  await harness.reconnected();
  await connected;
  assert.equal(harness.session.state, 'ready');
});

test('connect() while a session is being tried again waits for it and opens no other', async () => {
  const harness = await readyHarness();
  harness.socket.drop();
  const connected = harness.session.connect();
  assert.equal(harness.sockets.length, 1);
  await harness.reconnected();
  await connected;
});

for (const code of ['invalid_session_start', 'unknown_field', 'internal_error', 'signer_on_holiday']) {
  test(`${code} in answer to session.start fails at once, because the same start would be refused again`, async () => {
    const harness = new Harness();
    const end = reasonOf(harness.session.sign('Hello.').result);
    harness.socket.open();
    harness.socket.error(code, {}, '');
    assert.equal(await end, code);
    assert.equal(harness.session.state, 'failed');
    harness.assertNothingLeft();
  });
}

test('end() before the next attempt rejects the waiting texts and leaves nothing', async () => {
  const harness = await readyHarness();
  const { result } = harness.session.sign('Hello.');
  const end = reasonOf(result);
  harness.socket.drop();
  assert.equal(await harness.session.end(), null);
  assert.equal(await end, 'AbortError');
  assert.deepEqual(harness.states.slice(-2), ['reconnecting', 'ended']);
  harness.assertNothingLeft();
});

test('end() while the next attempt is under way closes its socket', async () => {
  const harness = await readyHarness();
  void harness.session.sign('Hello.');
  harness.socket.drop();
  await harness.clock.advance(250);
  harness.socket.open();
  assert.equal(await harness.session.end(), null);
  harness.assertNothingLeft();
});

test('end() in a listener of the loss ends the session', async () => {
  const harness = await readyHarness();
  void harness.session.sign('Hello.');
  harness.session.on('sign-statechange', ({ state }) => {
    if (state === 'reconnecting') void harness.session.end();
  });
  harness.socket.drop();
  await harness.clock.advance(60_000);
  assert.equal(harness.sockets.length, 1);
  assert.equal(harness.session.state, 'ended');
  harness.assertNothingLeft();
});

test('a lost session with nothing to sign is tried again too, but 120 s with nothing to sign end it, whether it was lost or not', async () => {
  const harness = await readyHarness();
  await harness.clock.advance(60_000);
  harness.socket.drop();
  await harness.reconnected();
  await harness.clock.advance(59_749);
  assert.equal(harness.session.state, 'ready');
  await harness.clock.advance(1);
  assert.equal(harness.session.state, 'finalizing');
});

test('120 s with nothing to sign also end a session that is being tried again', async () => {
  const harness = await readyHarness();
  harness.network.go('offline');
  harness.socket.drop();
  await harness.clock.advance(120_000);
  assert.deepEqual(harness.states.slice(-2), ['reconnecting', 'ended']);
  harness.assertNothingLeft();
});

test('while the browser is offline nothing is tried, however long that lasts, and the event online tries at once', async () => {
  const harness = await readyHarness();
  const { result } = harness.session.sign('Hello.');
  harness.network.go('offline');
  harness.socket.drop();
  await harness.clock.advance(3_600_000);
  assert.equal(harness.sockets.length, 1);
  assert.equal(harness.session.state, 'reconnecting');
  harness.network.go('online');
  assert.equal(harness.sockets.length, 2);
  await harness.ready();
  harness.socket.result();
  assert.equal((await result).text, 'Hello.');
});

test('an attempt that fails offline does not count', async () => {
  const harness = await readyHarness();
  void harness.session.sign('Hello.');
  for (let round = 0; round < 20; round += 1) {
    harness.network.go('offline');
    harness.socket.drop(1011);
    harness.network.go('online');
  }
  assert.equal(harness.sockets.length, 21);
  harness.socket.drop(1011);
  await harness.clock.advance(250);
  assert.equal(harness.sockets.length, 22, 'the first loss that counts');
});

test('going offline stops a running backoff, and the event online ends it at once', async () => {
  const harness = await readyHarness();
  void harness.session.sign('Hello.');
  harness.socket.drop();
  harness.network.go('offline');
  await harness.clock.advance(10_000);
  assert.equal(harness.sockets.length, 1);
  harness.network.go('online');
  assert.equal(harness.sockets.length, 2);
});

test('the event online cuts a backoff short', async () => {
  const harness = await readyHarness();
  void harness.session.sign('Hello.');
  harness.socket.drop();
  harness.network.go('online');
  assert.equal(harness.sockets.length, 2);
  await harness.clock.advance(5_000);
  assert.equal(harness.sockets.length, 2);
});

test('the event online does not cut short a wait that the service asked for', async () => {
  const harness = await readyHarness();
  void harness.session.sign('Hello.');
  harness.socket.error('gloss_unavailable');
  harness.network.go('offline');
  await harness.clock.advance(10_000);
  harness.network.go('online');
  await harness.clock.advance(19_999);
  assert.equal(harness.sockets.length, 1);
  await harness.clock.advance(1);
  assert.equal(harness.sockets.length, 2);
});

test('a page that begins offline tries once, then waits for online', async () => {
  const network = new FakeNetwork(false);
  const harness = new Harness({ network });
  void harness.session.sign('Hello.');
  assert.equal(harness.sockets.length, 1);
  harness.socket.drop();
  await harness.clock.advance(600_000);
  assert.equal(harness.sockets.length, 1);
  network.go('online');
  assert.equal(harness.sockets.length, 2);
});

test('a session that becomes ready offline is used, because the proxy may be on this machine', async () => {
  const harness = new Harness({ network: new FakeNetwork(false) });
  void harness.session.sign('Hello.');
  await harness.ready();
  harness.socket.drop();
  await harness.clock.advance(250);
  assert.equal(harness.sockets.length, 2);
});

test('a session.ready that was on its way when the browser went offline does not mean that there is a network', async () => {
  const harness = new Harness();
  void harness.session.sign('Hello.');
  harness.socket.open();
  harness.network.go('offline');
  await harness.ready();
  harness.socket.drop();
  await harness.clock.advance(600_000);
  assert.equal(harness.sockets.length, 1);
  harness.network.go('online');
  assert.equal(harness.sockets.length, 2);
});

test('the network is listened to from the first attempt to the end, and not before', async () => {
  const harness = new Harness();
  assert.equal(harness.network.listeners, 0);
  void harness.session.connect();
  assert.equal(harness.network.listeners, 2);
  await harness.ready();
  harness.socket.drop();
  await harness.reconnected();
  assert.equal(harness.network.listeners, 2);
  const ended = harness.session.end();
  harness.socket.drop();
  await ended;
  harness.assertNothingLeft();
});

test('a platform without events of the network works too', async () => {
  const harness = new Harness({ network: undefined });
  const { result } = harness.session.sign('Hello.');
  harness.socket.drop();
  await harness.reconnected();
  harness.socket.result();
  assert.equal((await result).text, 'Hello.');
});
