// When a lost session is followed by the next: backoff, hints, the last loss, online and offline.
import assert from 'node:assert/strict';
import test from 'node:test';
import { FakeNetwork } from './fake-network.ts';
import { readyStage, reasonOf, Stage } from './stage.ts';

test('full jitter below 0.5 s, then doubling to 30 s; a loss after the eighth and a minute is the end of all that waits', async () => {
  const stage = new Stage();
  const connected = reasonOf(stage.session.connect());
  const { accepted, result } = stage.session.sign('Hello.');
  for (const halfMs of [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]) {
    const before = stage.sockets.length;
    stage.socket.drop(1011);
    assert.equal(stage.session.state, 'reconnecting');
    await stage.clock.advance(halfMs - 1);
    assert.equal(stage.sockets.length, before);
    await stage.clock.advance(1);
    assert.equal(stage.sockets.length, before + 1);
  }
  stage.socket.drop(1011);
  assert.deepEqual(await Promise.all([connected, reasonOf(accepted), reasonOf(result)]), [
    'upstream_unreachable',
    'upstream_unreachable',
    'upstream_unreachable',
  ]);
  assert.deepEqual(stage.states, ['connecting', 'reconnecting', 'failed']);
  assert.deepEqual(
    stage.errors.map(({ severity }) => severity),
    [...Array.from({ length: 9 }, () => 'warning'), 'session'],
  );
  stage.assertNothingLeft();
});

test('the eighth session in a row that the service fails with an error is the end of all that waits, before a minute is over', async () => {
  const stage = new Stage();
  const ended = reasonOf(stage.session.sign('Hello.').result);
  for (let failed = 1; failed <= 8; failed += 1) {
    assert.equal(stage.sockets.length, failed);
    stage.socket.open();
    stage.socket.error('gloss_unavailable', { retry_after_seconds: 1 }, '');
    await stage.clock.advance(1_000);
  }
  assert.deepEqual([stage.session.state, stage.sockets.length], ['failed', 8]);
  assert.equal(await ended, 'gloss_unavailable');
  stage.assertNothingLeft();
});

test('session.ready, not an open socket, sets the count and the backoff back', async () => {
  const stage = await readyStage();
  for (let round = 0; round < 10; round += 1) {
    stage.socket.drop();
    await stage.clock.advance(250);
    stage.socket.open();
    stage.socket.drop(1011);
    await stage.clock.advance(499);
    assert.equal(stage.sockets.length, 2 * round + 2);
    await stage.clock.advance(1);
    await stage.ready();
  }
  assert.equal(stage.sockets.length, 21);
  assert.equal(stage.session.state, 'ready');
});

test('after a failure the next text tries eight times again', async () => {
  const stage = new Stage();
  for (const text of ['First.', 'Second.']) {
    const end = reasonOf(stage.session.sign(text).result);
    for (let losses = 1; losses < 8; losses += 1) {
      stage.socket.drop(1011);
      await stage.clock.advance(30_000);
    }
    stage.socket.drop(1011);
    assert.equal(await end, 'upstream_unreachable');
  }
  assert.equal(stage.sockets.length, 16);
});

test('a hint is kept to the millisecond, before session.ready too', async () => {
  const stage = new Stage();
  void stage.session.sign('Hello.');
  stage.socket.open();
  stage.socket.error('gloss_unavailable', { retry_after_seconds: 1.234 }, '');
  await stage.clock.advance(1_233);
  assert.equal(stage.sockets.length, 1);
  await stage.clock.advance(1);
  assert.equal(stage.sockets.length, 2);
});

test('connect() waits for the session that gets ready in the end', async () => {
  const stage = new Stage();
  const connected = stage.session.connect();
  stage.socket.drop(1011);
  await stage.reconnected();
  await connected;
  assert.equal(stage.session.state, 'ready');
});

test('connect() while a session is being tried again waits for it and opens no other', async () => {
  const stage = await readyStage();
  stage.socket.drop();
  const connected = stage.session.connect();
  assert.equal(stage.sockets.length, 1);
  await stage.reconnected();
  await connected;
});

for (const code of ['invalid_session_start', 'unknown_field', 'internal_error', 'signer_on_holiday']) {
  test(`${code} in answer to session.start is the end at once: the same start would be refused again`, async () => {
    const stage = new Stage();
    const end = reasonOf(stage.session.sign('Hello.').result);
    stage.socket.open();
    stage.socket.error(code, {}, '');
    assert.equal(await end, code);
    assert.equal(stage.session.state, 'failed');
    stage.assertNothingLeft();
  });
}

test('end() while the next attempt is waited for rejects what waits and leaves nothing', async () => {
  const stage = await readyStage();
  const { result } = stage.session.sign('Hello.');
  const end = reasonOf(result);
  stage.socket.drop();
  assert.equal(await stage.session.end(), null);
  assert.equal(await end, 'AbortError');
  assert.deepEqual(stage.states.slice(-2), ['reconnecting', 'ended']);
  stage.assertNothingLeft();
});

test('end() while the next attempt is under way closes its socket', async () => {
  const stage = await readyStage();
  void stage.session.sign('Hello.');
  stage.socket.drop();
  await stage.clock.advance(250);
  stage.socket.open();
  assert.equal(await stage.session.end(), null);
  stage.assertNothingLeft();
});

test('end() from within the news of the loss is the end', async () => {
  const stage = await readyStage();
  void stage.session.sign('Hello.');
  stage.session.on('sign-statechange', ({ state }) => {
    if (state === 'reconnecting') void stage.session.end();
  });
  stage.socket.drop();
  await stage.clock.advance(60_000);
  assert.equal(stage.sockets.length, 1);
  assert.equal(stage.session.state, 'ended');
  stage.assertNothingLeft();
});

test('a session with nothing to do is tried again too, but 120 s of nothing to do end it, losses or not', async () => {
  const stage = await readyStage();
  await stage.clock.advance(60_000);
  stage.socket.drop();
  await stage.reconnected();
  await stage.clock.advance(59_749);
  assert.equal(stage.session.state, 'ready');
  await stage.clock.advance(1);
  assert.equal(stage.session.state, 'finalizing');
});

test('120 s of nothing to do end a session that is being tried again', async () => {
  const stage = await readyStage();
  stage.network.go('offline');
  stage.socket.drop();
  await stage.clock.advance(120_000);
  assert.deepEqual(stage.states.slice(-2), ['reconnecting', 'ended']);
  stage.assertNothingLeft();
});

test('offline nothing is tried, however long it lasts; online tries at once', async () => {
  const stage = await readyStage();
  const { result } = stage.session.sign('Hello.');
  stage.network.go('offline');
  stage.socket.drop();
  await stage.clock.advance(3_600_000);
  assert.equal(stage.sockets.length, 1);
  assert.equal(stage.session.state, 'reconnecting');
  stage.network.go('online');
  assert.equal(stage.sockets.length, 2);
  await stage.ready();
  stage.socket.result();
  assert.equal((await result).text, 'Hello.');
});

test('an attempt that fails offline does not count', async () => {
  const stage = await readyStage();
  void stage.session.sign('Hello.');
  for (let round = 0; round < 20; round += 1) {
    stage.network.go('offline');
    stage.socket.drop(1011);
    stage.network.go('online');
  }
  assert.equal(stage.sockets.length, 21);
  stage.socket.drop(1011);
  await stage.clock.advance(250);
  assert.equal(stage.sockets.length, 22, 'the first loss that counts');
});

test('going offline stops a backoff that was under way; online ends it at once', async () => {
  const stage = await readyStage();
  void stage.session.sign('Hello.');
  stage.socket.drop();
  stage.network.go('offline');
  await stage.clock.advance(10_000);
  assert.equal(stage.sockets.length, 1);
  stage.network.go('online');
  assert.equal(stage.sockets.length, 2);
});

test('online cuts a backoff short', async () => {
  const stage = await readyStage();
  void stage.session.sign('Hello.');
  stage.socket.drop();
  stage.network.go('online');
  assert.equal(stage.sockets.length, 2);
  await stage.clock.advance(5_000);
  assert.equal(stage.sockets.length, 2);
});

test('online does not cut a hint of the service short', async () => {
  const stage = await readyStage();
  void stage.session.sign('Hello.');
  stage.socket.error('gloss_unavailable');
  stage.network.go('offline');
  await stage.clock.advance(10_000);
  stage.network.go('online');
  await stage.clock.advance(19_999);
  assert.equal(stage.sockets.length, 1);
  await stage.clock.advance(1);
  assert.equal(stage.sockets.length, 2);
});

test('a page that begins offline tries once, then waits for online', async () => {
  const network = new FakeNetwork(false);
  const stage = new Stage({ network });
  void stage.session.sign('Hello.');
  assert.equal(stage.sockets.length, 1);
  stage.socket.drop();
  await stage.clock.advance(600_000);
  assert.equal(stage.sockets.length, 1);
  network.go('online');
  assert.equal(stage.sockets.length, 2);
});

test('a session that gets ready offline shows that offline is not true: a proxy on this very machine', async () => {
  const stage = new Stage({ network: new FakeNetwork(false) });
  void stage.session.sign('Hello.');
  await stage.ready();
  stage.socket.drop();
  await stage.clock.advance(250);
  assert.equal(stage.sockets.length, 2);
});

test('the network is listened to from the first attempt to the end, and not before', async () => {
  const stage = new Stage();
  assert.equal(stage.network.listeners, 0);
  void stage.session.connect();
  assert.equal(stage.network.listeners, 2);
  await stage.ready();
  stage.socket.drop();
  await stage.reconnected();
  assert.equal(stage.network.listeners, 2);
  const ended = stage.session.end();
  stage.socket.drop();
  await ended;
  stage.assertNothingLeft();
});

test('a platform without a network to listen to is none the worse', async () => {
  const stage = new Stage({ network: undefined });
  const { result } = stage.session.sign('Hello.');
  stage.socket.drop();
  await stage.reconnected();
  stage.socket.result();
  assert.equal((await result).text, 'Hello.');
});
