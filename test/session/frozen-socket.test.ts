// A socket that is open and of which nothing at all is heard: dead, whatever it says of itself. And a machine that slept,
// which only looks like it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readyStage, reasonOf } from './stage.ts';

test('no acknowledgement in 10 s and nothing else heard: the next session is opened, and the text goes there', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  await stage.clock.advance(9_999);
  assert.equal(stage.session.state, 'ready');
  await stage.clock.advance(1);
  assert.equal(stage.session.state, 'reconnecting');
  assert.deepEqual(stage.errors, [
    { code: 'no_answer', severity: 'warning', ref },
    { code: 'session_failed', severity: 'warning', ref: undefined },
  ]);
  assert.deepEqual([stage.socket.closed, stage.socket.listeners], [true, 0]);
  await stage.reconnected();
  assert.deepEqual(stage.asked, [['Hello.'], ['Hello.']]);
  stage.socket.result();
  assert.equal((await result).ref, ref);
});

test('no result in 60 s and nothing else heard: the next session is asked for it', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  await stage.clock.advance(5_000);
  stage.socket.ack();
  await stage.clock.advance(59_999);
  assert.equal(stage.session.state, 'ready');
  await stage.clock.advance(1);
  await stage.reconnected();
  assert.deepEqual(stage.asked, [['Hello.'], [`? ${ref}`]]);
  stage.socket.result(ref);
  assert.equal((await result).ref, ref);
});

test('the other texts on the dead socket go on as after a drop', async () => {
  const stage = await readyStage();
  const calls = ['One.', 'Two.', 'Three.'].map((text) => stage.session.sign(text));
  stage.socket.ack(calls[1]?.ref);
  await stage.clock.advance(10_000);
  assert.equal(stage.session.state, 'reconnecting');
  await stage.reconnected();
  assert.deepEqual(stage.asked[1], ['One.', `? ${calls[1]?.ref}`, 'Three.']);
  assert.deepEqual(
    stage.errors.map(({ code }) => code),
    ['no_answer', 'session_failed'],
    'only the text whose time was up lost a try',
  );
});

test('a service that opens sessions and answers no text: three tries, then no_answer', async () => {
  const stage = await readyStage();
  const end = reasonOf(stage.session.sign('Hello.').result);
  for (let tries = 1; tries < 3; tries += 1) {
    await stage.clock.advance(10_000);
    await stage.reconnected();
  }
  await stage.clock.advance(10_000);
  assert.equal(await end, 'no_answer');
  assert.deepEqual(stage.asked, [['Hello.'], ['Hello.'], ['Hello.']]);
});

test('a machine that slept first reads what came meanwhile', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  stage.socket.ack();
  await stage.clock.sleep(3_600_000);
  assert.equal(stage.session.state, 'ready');
  stage.socket.result(ref);
  assert.equal((await result).ref, ref);
  assert.deepEqual(stage.errors, []);
});

test('a machine that slept and hears nothing then gives the service its time once more, and no more than once', async () => {
  const stage = await readyStage();
  void stage.session.sign('Hello.');
  await stage.clock.sleep(3_600_000);
  await stage.clock.advance(9_999);
  assert.equal(stage.session.state, 'ready');
  await stage.clock.advance(1);
  assert.equal(stage.session.state, 'reconnecting');
});

test('timers that are always late do not put the end off for ever', async () => {
  const stage = await readyStage();
  void stage.session.sign('Hello.');
  await stage.clock.sleep(60_000);
  await stage.clock.sleep(60_000);
  assert.equal(stage.session.state, 'reconnecting');
});

test('a socket found closed after a sleep is replaced, and the hint that was waited for is over', async () => {
  const stage = await readyStage();
  void stage.session.sign('Hello.');
  stage.socket.error('gloss_unavailable');
  await stage.clock.sleep(3_600_000);
  assert.equal(stage.sockets.length, 2);
});

test('a network that goes and comes back under a socket that nobody closes: no text is lost, whenever it was sent', async () => {
  const stage = await readyStage();
  const calls = [stage.session.sign('Before it went.')];
  stage.network.go('offline');
  calls.push(stage.session.sign('While it was gone.'));
  await stage.clock.advance(2_000);
  stage.network.go('online');
  calls.push(stage.session.sign('When it was back.'));
  assert.equal(stage.sockets.length, 1, 'the socket says that it is open');
  await stage.clock.advance(8_000);
  await stage.reconnected();
  const texts = ['Before it went.', 'While it was gone.', 'When it was back.'];
  assert.deepEqual(stage.asked, [texts, texts]);
  for (const { id } of [...stage.socket.asked]) stage.socket.result(id);
  assert.deepEqual(
    (await Promise.all(calls.map(({ result }) => result))).map(({ text }) => text),
    texts,
  );
});

test('a network that comes back leaves a session alone that answers', async () => {
  const stage = await readyStage();
  const { result } = stage.session.sign('Hello.');
  stage.network.go('offline');
  stage.network.go('online');
  stage.socket.ack();
  stage.socket.result();
  assert.equal((await result).text, 'Hello.');
  assert.deepEqual([stage.sockets.length, stage.session.state, stage.errors], [1, 'ready', []]);
});

test('a socket that is found closed when the network is back is replaced at once by the next text', async () => {
  const stage = await readyStage();
  stage.network.go('offline');
  stage.socket.readyState = 3;
  stage.network.go('online');
  const { result } = stage.session.sign('Hello.');
  await stage.reconnected();
  assert.deepEqual(stage.asked.at(-1), ['Hello.']);
  stage.socket.result();
  assert.equal((await result).text, 'Hello.');
});

test('offline for a minute with a socket that stays open: nothing is asked or counted, then the result is fetched', async () => {
  const stage = await readyStage();
  const [one, two] = ['One.', 'Two.'].map((text) => stage.session.sign(text));
  stage.socket.ack(one!.ref);
  stage.socket.result(two!.ref);
  stage.network.go('offline');
  await stage.clock.advance(90_000);
  assert.deepEqual([stage.asked, stage.errors], [[['One.', 'Two.']], []]);
  stage.network.go('online');
  await stage.reconnected();
  assert.deepEqual(stage.asked[1], [`? ${one!.ref}`]);
  stage.socket.result(one!.ref);
  assert.equal((await one!.result).ref, one!.ref);
});

test('offline, a session whose socket stays open is not ready; it is again when the network is back, with its limits', async () => {
  const stage = await readyStage();
  const { limits } = stage.session;
  stage.network.go('offline');
  assert.equal(stage.session.state, 'reconnecting');
  stage.network.go('online');
  assert.deepEqual(stage.states, ['connecting', 'ready', 'reconnecting', 'ready']);
  assert.deepEqual([stage.session.limits, stage.sockets.length], [limits, 1]);
});
