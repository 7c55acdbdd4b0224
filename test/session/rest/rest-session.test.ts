// A session by REST in translate mode: order, bounds, events and ends.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../../promises-settled.ts';
import { sessionHarness } from './rest-harness.ts';
import { reasonOf } from '../harness.ts';

test('a text is accepted when the response comes, and its result is the video', async () => {
  const { proxy, session, events } = sessionHarness();
  const call = session.sign('Hello.');
  await promisesSettled();
  assert.deepEqual(events, [['sign-statechange', { state: 'ready' }]]);
  await proxy.last.video();
  await call.accepted;
  const video = {
    ref: call.ref,
    text: 'Hello.',
    url: 'https://media.example/Hello..mp4',
    expiresAt: null,
    durationSeconds: null,
    pipelineMs: null,
    partIndex: 0,
    partCount: 1,
  };
  assert.deepEqual(await call.result, { ...video, acceptedAt: null, parts: [video] });
  assert.deepEqual(events.slice(1), [
    ['sign-accepted', { ref: call.ref, text: 'Hello.' }],
    ['sign-result', video],
  ]);
});

test('a text whose answer is a job is accepted at once and has its result later', async () => {
  const { proxy, clock, session, details } = sessionHarness();
  const call = session.sign('Hello.');
  await promisesSettled();
  await proxy.last.answer({ jobId: 'j-1', status: 'queued' });
  assert.equal(details('sign-accepted').length, 1);
  assert.equal(details('sign-result').length, 0);
  await clock.advance(1000);
  await proxy.last.answer({ status: 'completed', downloadUrl: 'https://media.example/j' });
  assert.equal((await call.result).url, 'https://media.example/j');
  assert.equal(details('sign-accepted').length, 1);
});

test('texts are requested in order, three at a time, and results may come in any order', async () => {
  const { proxy, session, details } = sessionHarness();
  const calls = ['A', 'B', 'C', 'D', 'E'].map((text) => session.sign(text));
  await promisesSettled();
  assert.deepEqual(proxy.texts, ['A', 'B', 'C']);
  await proxy.request('C').video();
  assert.deepEqual(proxy.texts, ['A', 'B', 'C', 'D']);
  await proxy.request('B').video();
  assert.deepEqual(proxy.texts, ['A', 'B', 'C', 'D', 'E']);
  for (const text of ['E', 'A', 'D']) await proxy.request(text).video();
  assert.deepEqual(
    details('sign-result').map((detail) => (detail as { text: string }).text),
    ['C', 'B', 'E', 'A', 'D'],
  );
  assert.deepEqual(
    (await Promise.all(calls.map(({ result }) => result))).map(({ text }) => text),
    ['A', 'B', 'C', 'D', 'E'],
  );
});

test('no more than maxUnplayed texts are unanswered or unplayed', async () => {
  const { proxy, session } = sessionHarness({ maxUnplayed: 2 });
  const [first] = ['A', 'B', 'C', 'D'].map((text) => session.sign(text));
  await promisesSettled();
  await proxy.request('A').video();
  await proxy.request('B').video();
  assert.deepEqual(proxy.texts, ['A', 'B']);
  session.played('nobody', 0);
  session.played(first?.ref ?? '', 1);
  await promisesSettled();
  assert.deepEqual(proxy.texts, ['A', 'B']);
  session.played(first?.ref ?? '');
  await promisesSettled();
  assert.deepEqual(proxy.texts, ['A', 'B', 'C']);
});

test('a text above 20,000 bytes goes in parts, accepted once, with a result each', async () => {
  const { proxy, session, details } = sessionHarness();
  const sentence = `${'word '.repeat(1999)}end.`;
  const call = session.sign(`${sentence} ${sentence} ${sentence}`);
  await promisesSettled();
  assert.equal(proxy.asked.length, 2);
  assert.ok(
    proxy.texts.every((text) => new TextEncoder().encode(text).length <= 20_000),
    'each part is short enough',
  );
  await proxy.asked[1]?.video('2');
  await proxy.asked[0]?.video('1');
  const { parts, partCount } = await call.result;
  assert.deepEqual(
    [partCount, parts.map(({ url }) => url)],
    [2, ['https://media.example/1.mp4', 'https://media.example/2.mp4']],
  );
  assert.equal(details('sign-accepted').length, 1);
  assert.equal(details('sign-result').length, 2);
});

test('a text that fails fails alone, with one error', async () => {
  const { proxy, session, errors } = sessionHarness();
  const [bad, good] = ['Bad.', 'Good.'].map((text) => session.sign(text));
  await promisesSettled();
  await proxy.request('Bad.').answer({ error: 'validation_error', details: 'content' }, 400);
  await proxy.request('Good.').video();
  assert.equal(await reasonOf(bad!.result), 'validation_error');
  assert.equal(await reasonOf(bad!.accepted), 'validation_error');
  assert.equal(await reasonOf(good!.result), 'resolved');
  assert.deepEqual(errors(), [['validation_error', 'message', bad?.ref]]);
  assert.equal(session.state, 'ready');
});

test('a try that fails and is made again is a warning', async () => {
  const { proxy, clock, session, errors } = sessionHarness();
  const call = session.sign('Hello.');
  await promisesSettled();
  await proxy.last.answer({ error: 'internal_error' }, 500);
  await clock.advance(250);
  await proxy.last.video();
  assert.equal(await reasonOf(call.result), 'resolved');
  assert.deepEqual(errors(), [['internal_error', 'warning', call.ref]]);
});

test('an answer with a playlist instead of a video is a protocol_error', async () => {
  const { proxy, session } = sessionHarness();
  const call = session.sign('Hello.');
  await promisesSettled();
  await proxy.last.answer({ manifests: { hls: 'https://media.example/a.m3u8' } });
  assert.equal(await reasonOf(call.result), 'protocol_error');
});

test('an empty text is refused without a request', async () => {
  const { proxy, session, errors } = sessionHarness();
  const call = session.sign(' \n ');
  assert.equal(await reasonOf(call.result), 'empty_text');
  assert.deepEqual(errors(), [['empty_text', 'message', call.ref]]);
  assert.equal(proxy.asked.length, 0);
});

test('a ref names one text only', async () => {
  const { session } = sessionHarness();
  session.sign('One.', { ref: 'r' });
  assert.equal(await reasonOf(session.sign('Two.', { ref: 'r' }).result), 'invalid_request');
});

test('an abort ends the request and makes room for the next text', async () => {
  const { proxy, session, errors } = sessionHarness({ maxUnplayed: 1 });
  const stop = new AbortController();
  const call = session.sign('A', { signal: stop.signal });
  session.sign('B');
  await promisesSettled();
  assert.deepEqual(proxy.texts, ['A']);
  stop.abort();
  await promisesSettled();
  assert.equal(await reasonOf(call.result), 'AbortError');
  assert.equal(proxy.request('A').signal.aborted, true);
  assert.deepEqual(proxy.texts, ['A', 'B']);
  assert.deepEqual(errors(), []);
});

test('clear() drops the texts that were not requested yet', async () => {
  const { proxy, session } = sessionHarness();
  const calls = ['A', 'B', 'C', 'D'].map((text) => session.sign(text));
  await promisesSettled();
  session.clear();
  assert.equal(await reasonOf(calls[3]!.result), 'AbortError');
  for (const text of ['A', 'B', 'C']) await proxy.request(text).video();
  assert.deepEqual(
    await Promise.all(calls.slice(0, 3).map(({ result }) => reasonOf(result))),
    Array(3).fill('resolved'),
  );
  assert.equal(proxy.asked.length, 3);
});

test('end() ends every request and wait, and the next text starts anew', async () => {
  const { proxy, clock, session, details } = sessionHarness();
  const calls = ['A', 'B', 'C', 'D'].map((text) => session.sign(text));
  await promisesSettled();
  await proxy.request('B').answer({}, 500);
  await proxy.request('C').answer({ jobId: 'j-1' });
  assert.equal(await session.end(), null);
  assert.deepEqual(
    await Promise.all(calls.map(({ result }) => reasonOf(result))),
    Array(4).fill('AbortError'),
  );
  assert.equal(proxy.request('A').signal.aborted, true);
  assert.equal(clock.pending, 0);
  assert.equal(proxy.asked.length, 3);
  session.sign('E');
  await promisesSettled();
  assert.equal(proxy.last.text, 'E');
  assert.deepEqual(details('sign-statechange'), [{ state: 'ready' }, { state: 'ended' }, { state: 'ready' }]);
  assert.deepEqual(details('sign-ready').concat(details('sign-summary')), []);
});

test('connect() makes no request, and end() of an idle session changes nothing', async () => {
  const { proxy, session } = sessionHarness();
  await session.end();
  assert.equal(session.state, 'idle');
  await session.connect();
  assert.equal(session.state, 'ready');
  assert.equal(proxy.asked.length, 0);
});

test('later changes of a page to its own objects change nothing', async () => {
  const config = { digital_signer: 'RAE' };
  const generateOptions = { context: { location: 'Hall 1' } };
  const { proxy, session } = sessionHarness({ config, generateOptions });
  config.digital_signer = 'MAX';
  generateOptions.context.location = 'Hall 2';
  session.sign('Hello.');
  await promisesSettled();
  const { output, context } = proxy.last.body as {
    output: { delivery: { config: { digitalSigner: string } } };
    context: object;
  };
  assert.equal(output.delivery.config.digitalSigner, 'RAE');
  assert.deepEqual(context, { application: 'sign-elements', location: 'Hall 1' });
});

test('end() sends no waiting text when a request that it ends frees its slot', async () => {
  const { proxy, session } = sessionHarness({ maxUnplayed: 1 });
  for (const text of ['A', 'B', 'C']) session.sign(text);
  await promisesSettled();
  await session.end();
  await promisesSettled();
  assert.deepEqual(proxy.texts, ['A']);
});
