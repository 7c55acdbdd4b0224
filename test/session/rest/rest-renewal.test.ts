// A fresh result by REST, for a video whose address is refused.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../../promises-settled.ts';
import { sessionHarness } from './rest-harness.ts';
import { reasonOf } from '../harness.ts';

test('a renewal signs the part again and fires no event', async () => {
  const { proxy, session, events } = sessionHarness({ maxUnplayed: 1 });
  const call = session.sign('Hello.');
  await promisesSettled();
  await proxy.last.video();
  const before = events.length;
  const renewed = session.renew(call.ref);
  await promisesSettled();
  assert.deepEqual(proxy.texts, ['Hello.', 'Hello.']);
  await proxy.last.answer({ mediaUrl: 'https://media.example/again.mp4' });
  assert.equal((await renewed).url, 'https://media.example/again.mp4');
  assert.equal(events.length, before);
});

test('a text without a result cannot be renewed', async () => {
  const { session } = sessionHarness();
  const { ref } = session.sign('Hello.');
  assert.equal(await reasonOf(session.renew(ref)), 'invalid_request');
  assert.equal(await reasonOf(session.renew('nobody')), 'invalid_request');
});

test('a renewal ends with its signal and with the session', async () => {
  const { proxy, session } = sessionHarness();
  const call = session.sign('Hello.');
  await promisesSettled();
  await proxy.last.video();
  const stop = new AbortController();
  const renewals = [session.renew(call.ref, { signal: stop.signal }), session.renew(call.ref)];
  await promisesSettled();
  stop.abort();
  assert.equal(await reasonOf(renewals[0]!), 'AbortError');
  void session.end();
  assert.equal(await reasonOf(renewals[1]!), 'AbortError');
  assert.deepEqual(
    proxy.asked.map(({ signal }) => signal.aborted),
    [false, true, true],
  );
});

test('the last 1,024 texts can be renewed', async () => {
  const { proxy, session } = sessionHarness();
  const refs: string[] = [];
  for (let i = 0; i <= 1_024; i += 1) {
    refs.push(session.sign(`Text ${i}.`).ref);
    await promisesSettled();
    await proxy.last.video();
  }
  assert.equal(await reasonOf(session.renew(refs[0] ?? '')), 'invalid_request');
  void session.renew(refs[1] ?? '');
  await promisesSettled();
  assert.equal(proxy.last.text, 'Text 1.');
});
