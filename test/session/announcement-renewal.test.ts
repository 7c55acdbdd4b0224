// An announcement that was made is looked up again to get a fresh address.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../promises-settled.ts';
import { clientHarness, watched } from './rest/rest-harness.ts';

const completed = { data: { status: 'COMPLETED', downloadUrl: 'https://media.example/b.mp4' } };

test('an announcement that is ready is looked up once, without a wait', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.announcement('r-1'));
  await promisesSettled();
  assert.deepEqual([proxy.last.method, proxy.last.path], ['GET', 'v1/sign-requests/r-1?filter=status']);
  await proxy.last.answer(completed);
  assert.deepEqual(seen.value, { requestId: 'r-1', url: 'https://media.example/b.mp4' });
  assert.equal(clock.pending, 0);
});

test('an announcement that is still being made is looked up again after 1 s', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.announcement('r-1'));
  await promisesSettled();
  await proxy.last.answer({ data: { status: 'IN_PROGRESS' } });
  await clock.advance(1000);
  await proxy.last.answer(completed);
  assert.equal(seen.value?.url, 'https://media.example/b.mp4');
});

test('an announcement is looked up again while the proxy is away', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.announcement('r-1'));
  for (const end = clock.now() + 30_000; clock.now() < end; await clock.advance(250)) {
    await promisesSettled();
    await proxy.last.breakOff();
  }
  assert.equal(seen.error, undefined);
  await clock.advance(10_000);
  await proxy.last.answer(completed);
  assert.equal(seen.value?.url, 'https://media.example/b.mp4');
});

test('an announcement that has failed rejects announcement_failed', async () => {
  const { proxy, client } = clientHarness();
  const seen = watched(client.announcement('r-1'));
  await promisesSettled();
  await proxy.last.answer({ data: { status: 'FAILED', errorLog: 'no clip' } });
  assert.deepEqual([seen.error?.code, seen.error?.message], ['announcement_failed', 'no clip']);
});

test('announce() reports the id as soon as the service took the request', async () => {
  const { proxy, client } = clientHarness();
  const accepted: string[] = [];
  const stop = new AbortController();
  const options = { signal: stop.signal, accepted: (id: string) => accepted.push(id) };
  client.announce({ destination: 'EDB' }, options).catch(() => {});
  await promisesSettled();
  assert.deepEqual(accepted, []);
  await proxy.last.answer({ data: { id: 'r-1' } });
  assert.deepEqual(accepted, ['r-1']);
  stop.abort();
});
