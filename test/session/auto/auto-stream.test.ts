// Stream mode with `transport="auto"`: one stream for a session over V3, one stream for each text over REST.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AutoHarness } from './auto-harness.ts';
import { reasonOf } from '../harness.ts';
import { promisesSettled } from '../../promises-settled.ts';

const stream = (name: string) => ({ hls: `https://media.example/${name}.m3u8`, dash: null });

test('in stream mode an accepted text that has not started is sent over REST, and reports the manifests of its stream', async () => {
  const harness = new AutoHarness({ mode: 'stream' });
  const calls = ['A', 'B', 'C'].map((text) => harness.session.sign(text));
  harness.socket.open();
  harness.socket.say({ type: 'session.ready', session_id: 's', manifest_url: stream('session').hls });
  await promisesSettled();
  assert.deepEqual(harness.session.manifests, stream('session'));
  const [a, b] = harness.socket.asked;
  harness.socket.ack(a?.id);
  harness.socket.ack(b?.id);
  assert.equal((await calls[1]!.result).url, null);
  harness.session.started(calls[0]!.ref);
  harness.socket.drop();
  await harness.goOverToRest();
  assert.deepEqual(harness.byRest, ['B', 'C']);
  for (const [index, text] of ['B', 'C'].entries()) {
    await harness.proxy.request(text).answer({ jobId: text, manifests: { hls: stream(text).hls } });
    assert.deepEqual(harness.session.manifests, stream(text));
    assert.equal((await calls[index + 1]!.result).url, null);
  }
  assert.deepEqual((await calls[2]!.result).manifests, stream('C'));
  assert.deepEqual(
    harness.details('sign-appended').map(({ ref, manifests }) => [ref, manifests]),
    [
      [calls[0]!.ref, undefined],
      [calls[1]!.ref, undefined],
      [calls[1]!.ref, stream('B')],
    ],
  );
  assert.deepEqual(
    harness.details('sign-accepted').map(({ text }) => text),
    ['A', 'B', 'C'],
  );
});

test('in stream mode a text that has started is not sent again', async () => {
  const harness = new AutoHarness({ mode: 'stream' });
  const call = harness.session.sign('A');
  await harness.goOverToRest();
  await harness.proxy.last.answer({ manifests: { hls: stream('A').hls } });
  await call.result;
  const sockets = harness.sockets.length;
  await harness.clock.advance(60_000);
  assert.equal(harness.sockets.length, sockets, 'a text is under way by REST');
  harness.session.started(call.ref);
  await harness.clock.advance(0);
  assert.equal(harness.sockets.length, sockets + 1, 'no text is under way by REST');
});

test('in stream mode a text that fails after it was accepted is dropped, before and after it started', async () => {
  const harness = new AutoHarness({ mode: 'stream' });
  const early = harness.session.sign('Early.');
  const late = harness.session.sign('Late. Later.');
  harness.socket.open();
  harness.socket.say({
    type: 'session.ready',
    session_id: 's',
    manifest_url: stream('session').hls,
    limits: { max_text_length: 6 },
  });
  await promisesSettled();
  harness.socket.ack();
  await promisesSettled();
  harness.socket.error('internal_error', {}, early.ref);
  harness.socket.ack();
  await promisesSettled();
  harness.session.started(late.ref);
  harness.socket.error('internal_error');
  await promisesSettled();
  assert.deepEqual(
    harness.socket.asked.map(({ data }) => data),
    ['Early.', 'Late.', 'Later.'],
  );
  assert.deepEqual(
    harness.details('sign-dropped').map(({ ref }) => ref),
    [early.ref, late.ref],
  );
});

test('in stream mode an accepted text is sent over REST when the socket has failed, and dropped when REST fails too', async () => {
  const harness = new AutoHarness({ mode: 'stream' });
  const { ref, result } = harness.session.sign('A');
  harness.socket.open();
  harness.socket.say({ type: 'session.ready', session_id: 's', manifest_url: stream('session').hls });
  await promisesSettled();
  harness.socket.ack();
  await result;
  harness.socket.drop();
  await harness.goOverToRest();
  assert.deepEqual(harness.details('sign-dropped'), []);
  await harness.proxy.request('A').answer({ error: 'validation_error' }, 400);
  await promisesSettled();
  assert.deepEqual(
    harness.details('sign-dropped').map((detail) => detail.ref),
    [ref],
  );
});

test('in stream mode a text that has a stream by REST is not lost with REST, and one whose job cannot be polled fails alone and is not sent again', async () => {
  const harness = new AutoHarness({ mode: 'stream' });
  const first = harness.session.sign('First.');
  await harness.goOverToRest();
  await harness.proxy.last.answer({ manifests: { hls: stream('First').hls } });
  harness.session.started((await first.result) && first.ref);
  await harness.clock.advance(30_000);
  const texts = ['A', 'B'].map((text) => harness.session.sign(text));
  await promisesSettled();
  await harness.proxy.request('A').answer({ manifests: { hls: stream('A').hls } });
  assert.equal(await reasonOf(texts[0]!.result), 'resolved');
  await harness.proxy.request('B').answer({ jobId: 'B' });
  harness.socket.open();
  harness.socket.say({ type: 'session.ready', session_id: 's', manifest_url: stream('session').hls });
  await harness.clock.advance(1_000);
  await harness.proxy.last.breakOff();
  let outcome = 'open';
  void reasonOf(texts[1]!.result).then((reason) => (outcome = reason));
  for (let second = 0; second < 90 && outcome === 'open'; second += 1) {
    await harness.clock.advance(1_000);
    if (harness.proxy.last.path === 'ws/') await harness.proxy.refuseLook();
  }
  assert.equal(outcome, 'proxy_unreachable');
  assert.equal(harness.session.state, 'ready');
  const third = harness.session.sign('C');
  assert.equal(harness.socket.last.data, 'C');
  harness.socket.ack();
  assert.equal(await reasonOf(third.result), 'resolved');
  assert.equal(harness.socket.asked.length, 1);
  assert.deepEqual(harness.details('sign-dropped'), []);
});
