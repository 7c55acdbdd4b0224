// A session by REST in stream mode: one stream a text.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../../promises-settled.ts';
import { sessionHarness } from './rest-harness.ts';
import { reasonOf } from '../harness.ts';

const manifests = (name: string) => ({ hls: `https://media.example/${name}.m3u8`, dash: null });

test('in stream mode each text has a stream of its own', async () => {
  const { proxy, session, details } = sessionHarness({ mode: 'stream' });
  const calls = ['A', 'B'].map((text) => session.sign(text));
  await promisesSettled();
  assert.equal(session.manifests, null);
  for (const name of ['A', 'B']) {
    await proxy
      .request(name)
      .answer({ jobId: name, status: 'processing', manifests: { hls: manifests(name).hls } });
    assert.deepEqual(session.manifests, manifests(name));
  }
  const results = await Promise.all(calls.map(({ result }) => result));
  assert.deepEqual(
    results.map(({ url, acceptedAt, parts, manifests: own }) => ({ url, acceptedAt, parts, own })),
    ['A', 'B'].map((name) => ({ url: null, acceptedAt: null, parts: [], own: manifests(name) })),
  );
  assert.equal(details('sign-accepted').length, 2);
  assert.deepEqual(details('sign-result').concat(details('sign-appended')), []);
});

test('in stream mode a text holds its place until it has started', async () => {
  const { proxy, session } = sessionHarness({ mode: 'stream', maxUnplayed: 1 });
  const [first] = ['A', 'B'].map((text) => session.sign(text));
  await promisesSettled();
  await proxy.request('A').answer({ manifests: manifests('A') });
  assert.deepEqual(proxy.texts, ['A']);
  session.started(first?.ref ?? '');
  await promisesSettled();
  assert.deepEqual(proxy.texts, ['A', 'B']);
});

test('in stream mode a text that would need two streams is text_too_long', async () => {
  const { proxy, session } = sessionHarness({ mode: 'stream' });
  assert.equal(await reasonOf(session.sign('word '.repeat(5000)).result), 'text_too_long');
  assert.equal(proxy.asked.length, 0);
});

test('in stream mode an answer without manifests is a protocol_error', async () => {
  const { proxy, session } = sessionHarness({ mode: 'stream' });
  const call = session.sign('Hello.');
  await promisesSettled();
  await proxy.last.video();
  assert.equal(await reasonOf(call.result), 'protocol_error');
});
