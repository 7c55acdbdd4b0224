// Stream mode by whichever way there is: a session's one stream, or one a text.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AutoStage } from './auto-stage.ts';
import { promisesSettled } from '../manual-clock.ts';

const stream = (name: string) => ({ hls: `https://media.example/${name}.m3u8`, dash: null });

test('in stream mode what was taken and has not started goes over, and is told where it is', async () => {
  const stage = new AutoStage({ mode: 'stream' });
  const calls = ['A', 'B', 'C'].map((text) => stage.session.sign(text));
  stage.socket.open();
  stage.socket.say({ type: 'session.ready', session_id: 's', manifest_url: stream('session').hls });
  await promisesSettled();
  assert.deepEqual(stage.session.manifests, stream('session'));
  const [a, b] = stage.socket.asked;
  stage.socket.ack(a?.id);
  stage.socket.ack(b?.id);
  assert.equal((await calls[1]!.result).url, null);
  stage.session.started(calls[0]!.ref);
  stage.socket.drop();
  await stage.goOverToRest();
  assert.deepEqual(stage.byRest, ['B', 'C']);
  for (const [index, text] of ['B', 'C'].entries()) {
    await stage.proxy.request(text).answer({ jobId: text, manifests: { hls: stream(text).hls } });
    assert.deepEqual(stage.session.manifests, stream(text));
    assert.equal((await calls[index + 1]!.result).url, null);
  }
  assert.deepEqual((await calls[2]!.result).manifests, stream('C'));
  assert.deepEqual(
    stage.details('sign-appended').map(({ ref }) => ref),
    [calls[0]!.ref, calls[1]!.ref, calls[1]!.ref],
  );
  assert.deepEqual(
    stage.details('sign-accepted').map(({ text }) => text),
    ['A', 'B', 'C'],
  );
});

test('in stream mode what has started is not sent again', async () => {
  const stage = new AutoStage({ mode: 'stream' });
  const call = stage.session.sign('A');
  await stage.goOverToRest();
  await stage.proxy.last.answer({ manifests: { hls: stream('A').hls } });
  await call.result;
  const sockets = stage.sockets.length;
  await stage.clock.advance(60_000);
  assert.equal(stage.sockets.length, sockets, 'REST is not at rest');
  stage.session.started(call.ref);
  await stage.clock.advance(0);
  assert.equal(stage.sockets.length, sockets + 1, 'now it is');
});

test('in stream mode what fails after it was taken is dropped, before and after it started', async () => {
  const stage = new AutoStage({ mode: 'stream' });
  const early = stage.session.sign('Early.');
  const late = stage.session.sign('Late. Later.');
  stage.socket.open();
  stage.socket.say({
    type: 'session.ready',
    session_id: 's',
    manifest_url: stream('session').hls,
    limits: { max_text_length: 6 },
  });
  await promisesSettled();
  stage.socket.ack();
  await promisesSettled();
  stage.socket.error('internal_error', {}, early.ref);
  stage.socket.ack();
  await promisesSettled();
  stage.session.started(late.ref);
  stage.socket.error('internal_error');
  await promisesSettled();
  assert.deepEqual(
    stage.socket.asked.map(({ data }) => data),
    ['Early.', 'Late.', 'Later.'],
  );
  assert.deepEqual(
    stage.details('sign-dropped').map(({ ref }) => ref),
    [early.ref, late.ref],
  );
});

test('in stream mode what was taken goes over to REST when the socket has failed, and is dropped when REST fails too', async () => {
  const stage = new AutoStage({ mode: 'stream' });
  const { ref, result } = stage.session.sign('A');
  stage.socket.open();
  stage.socket.say({ type: 'session.ready', session_id: 's', manifest_url: stream('session').hls });
  await promisesSettled();
  stage.socket.ack();
  await result;
  stage.socket.drop();
  await stage.goOverToRest();
  assert.deepEqual(stage.details('sign-dropped'), []);
  await stage.proxy.request('A').answer({ error: 'validation_error' }, 400);
  await promisesSettled();
  assert.deepEqual(
    stage.details('sign-dropped').map((detail) => detail.ref),
    [ref],
  );
});
