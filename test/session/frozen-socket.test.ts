// A socket that is open and silent, which counts as dead; and a machine that slept, after which a socket only looks dead.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../promises-settled.ts';
import { readyHarness, reasonOf } from './harness.ts';

test('without an acknowledgement or any other frame in 10 s the next session is opened, and the text goes there', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  await harness.clock.advance(9_999);
  assert.equal(harness.session.state, 'ready');
  await harness.clock.advance(1);
  assert.equal(harness.session.state, 'reconnecting');
  assert.deepEqual(harness.errors, [
    { code: 'no_answer', severity: 'warning', ref },
    { code: 'session_failed', severity: 'warning', ref: undefined },
  ]);
  assert.deepEqual([harness.socket.closed, harness.socket.listeners], [true, 0]);
  await harness.reconnected();
  assert.deepEqual(harness.asked, [['Hello.'], ['Hello.']]);
  harness.socket.result();
  assert.equal((await result).ref, ref);
});

test('without a result or any other frame in 60 s the result is fetched on the next session', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  await harness.clock.advance(5_000);
  harness.socket.ack();
  await harness.clock.advance(59_999);
  assert.equal(harness.session.state, 'ready');
  await harness.clock.advance(1);
  await harness.reconnected();
  assert.deepEqual(harness.asked, [['Hello.'], [`? ${ref}`]]);
  harness.socket.result(ref);
  assert.equal((await result).ref, ref);
});

test('the other texts on the dead socket go on as after a drop', async () => {
  const harness = await readyHarness();
  const calls = ['One.', 'Two.', 'Three.'].map((text) => harness.session.sign(text));
  harness.socket.ack(calls[1]?.ref);
  await harness.clock.advance(10_000);
  assert.equal(harness.session.state, 'reconnecting');
  await harness.reconnected();
  assert.deepEqual(harness.asked[1], ['One.', `? ${calls[1]?.ref}`, 'Three.']);
  assert.deepEqual(
    harness.errors.map(({ code }) => code),
    ['no_answer', 'session_failed'],
    'only the text whose time was up lost a try',
  );
});

test('when a service opens sessions and answers no text, the text rejects no_answer after three tries', async () => {
  const harness = await readyHarness();
  const end = reasonOf(harness.session.sign('Hello.').result);
  for (let tries = 1; tries < 3; tries += 1) {
    await harness.clock.advance(10_000);
    await harness.reconnected();
  }
  await harness.clock.advance(10_000);
  assert.equal(await end, 'no_answer');
  assert.deepEqual(harness.asked, [['Hello.'], ['Hello.'], ['Hello.']]);
});

test('after a sleep of the machine the frames that came meanwhile are read first', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.ack();
  await harness.clock.sleep(3_600_000);
  assert.equal(harness.session.state, 'ready');
  harness.socket.result(ref);
  assert.equal((await result).ref, ref);
  assert.deepEqual(harness.errors, []);
});

test('after a sleep of the machine a silent service gets its full time once more, and only once', async () => {
  const harness = await readyHarness();
  void harness.session.sign('Hello.');
  await harness.clock.sleep(3_600_000);
  await harness.clock.advance(9_999);
  assert.equal(harness.session.state, 'ready');
  await harness.clock.advance(1);
  assert.equal(harness.session.state, 'reconnecting');
});

test('timers that are always late do not keep a silent session open for ever', async () => {
  const harness = await readyHarness();
  void harness.session.sign('Hello.');
  await harness.clock.sleep(60_000);
  await harness.clock.sleep(60_000);
  assert.equal(harness.session.state, 'reconnecting');
});

test('the sleep of the machine counts towards a wait that the service asked for: the next session is opened at once after the sleep', async () => {
  const harness = await readyHarness();
  void harness.session.sign('Hello.');
  harness.socket.error('gloss_unavailable');
  await harness.clock.sleep(3_600_000);
  assert.equal(harness.sockets.length, 2);
});

test('no text is lost when the network goes and comes back while the socket stays open, whenever the text was sent', async () => {
  const harness = await readyHarness();
  const calls = [harness.session.sign('Before it went.')];
  harness.network.go('offline');
  calls.push(harness.session.sign('While it was gone.'));
  await harness.clock.advance(2_000);
  harness.network.go('online');
  calls.push(harness.session.sign('When it was back.'));
  assert.equal(harness.sockets.length, 1, 'the socket says that it is open');
  await harness.clock.advance(8_000);
  await harness.reconnected();
  const texts = ['Before it went.', 'While it was gone.', 'When it was back.'];
  assert.deepEqual(harness.asked, [texts, texts]);
  for (const { id } of [...harness.socket.asked]) harness.socket.result(id);
  assert.deepEqual(
    (await Promise.all(calls.map(({ result }) => result))).map(({ text }) => text),
    texts,
  );
});

test('when the network comes back, a session that answers stays open', async () => {
  const harness = await readyHarness();
  const { result } = harness.session.sign('Hello.');
  harness.network.go('offline');
  harness.network.go('online');
  harness.socket.ack();
  harness.socket.result();
  assert.equal((await result).text, 'Hello.');
  assert.deepEqual([harness.sockets.length, harness.session.state, harness.errors], [1, 'ready', []]);
});

test('a socket that is found closed when the network is back is replaced at once by the next text', async () => {
  const harness = await readyHarness();
  harness.network.go('offline');
  harness.socket.readyState = 3;
  harness.network.go('online');
  const { result } = harness.session.sign('Hello.');
  await harness.reconnected();
  assert.deepEqual(harness.asked.at(-1), ['Hello.']);
  harness.socket.result();
  assert.equal((await result).text, 'Hello.');
});

test('while the browser is offline for a minute and the socket stays open, nothing is requested and no try is counted; then the result is fetched', async () => {
  const harness = await readyHarness();
  const [one, two] = ['One.', 'Two.'].map((text) => harness.session.sign(text));
  harness.socket.ack(one!.ref);
  harness.socket.result(two!.ref);
  harness.network.go('offline');
  await harness.clock.advance(90_000);
  assert.deepEqual([harness.asked, harness.errors], [[['One.', 'Two.']], []]);
  harness.network.go('online');
  await harness.reconnected();
  assert.deepEqual(harness.asked[1], [`? ${one!.ref}`]);
  harness.socket.result(one!.ref);
  assert.equal((await one!.result).ref, one!.ref);
});

test('a text that is sent before the last frame of a socket, which an outage then kills without an event, goes to the next session', async () => {
  const harness = await readyHarness();
  const [one, two] = ['One.', 'Two.'].map((text) => harness.session.sign(text));
  await harness.clock.advance(10);
  harness.socket.ack(one!.ref);
  harness.socket.result(one!.ref);
  await one!.result;
  harness.network.go('offline');
  await harness.clock.advance(1_000);
  harness.network.go('online');
  await harness.clock.advance(8_000);
  await harness.reconnected();
  assert.deepEqual(harness.asked.at(-1), ['Two.']);
  harness.socket.result();
  assert.equal((await two!.result).ref, two!.ref);
});

for (const offlineMs of [3_000, 20_000])
  test(`three outages of ${offlineMs / 1000} s, each of which kills the socket without an event before the text is acknowledged, do not count as tries`, async () => {
    const harness = await readyHarness();
    const { result } = harness.session.sign('Hello.');
    for (let outage = 1; outage <= 3; outage += 1) {
      harness.network.go('offline');
      await harness.clock.advance(offlineMs);
      harness.network.go('online');
      await harness.reconnected();
      await harness.clock.advance(1_000);
      assert.deepEqual(harness.asked[outage], ['Hello.']);
    }
    harness.socket.result();
    assert.equal((await result).text, 'Hello.');
  });

test('offline, a session whose socket stays open is not ready; it is again when the network is back, with its limits', async () => {
  const harness = await readyHarness();
  const { limits } = harness.session;
  harness.network.go('offline');
  assert.equal(harness.session.state, 'reconnecting');
  harness.network.go('online');
  assert.deepEqual(harness.states, ['connecting', 'ready', 'reconnecting', 'ready']);
  assert.deepEqual([harness.session.limits, harness.sockets.length], [limits, 1]);
});

test('connect() while offline with a socket that stays open resolves when the network is back', async () => {
  const harness = await readyHarness();
  harness.network.go('offline');
  const connected = reasonOf(harness.session.connect());
  harness.network.go('online');
  assert.equal(await Promise.race([connected, promisesSettled()]), 'resolved');
  assert.equal(harness.sockets.length, 1);
});
