// Train announcements by the REST client: they are submitted once, then polled until their video is there.
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Asked } from '../fake-proxy.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { replaceGlobals } from '../../replace-globals.ts';
import { clientHarness, download, watched } from './rest-harness.ts';
import type { SignClient } from '../../../src/session/rest/rest-client.ts';

/** An announcement that was submitted, and is polled for the first time. */
async function firstPoll() {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.announce({ destination: 'EDB' }));
  await promisesSettled();
  await proxy.last.answer({ data: { id: 'r-1' } });
  await clock.advance(1000);
  return { proxy, seen };
}

test('an announcement is submitted, and its compact status is requested after 1, 2 and 4 s', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.announce({ destination: 'EDB', cancelled: true }));
  await promisesSettled();
  assert.deepEqual(
    [proxy.last.method, proxy.last.path, proxy.last.body],
    ['POST', 'v1/sign-requests/train-announcements', { destination: 'EDB', cancelled: 'true' }],
  );
  await proxy.last.answer({ data: { id: 'r-1' } });
  for (const seconds of [1, 2, 4]) {
    await clock.advance(seconds * 1000);
    assert.equal(proxy.last.path, 'v1/sign-requests/r-1?filter=status');
    await proxy.last.answer(
      seconds === 4
        ? { data: { status: 'COMPLETED', downloadUrl: 'https://media.example/a.webm' } }
        : { data: { status: 'IN_PROGRESS' } },
    );
  }
  assert.deepEqual(seen.value, { requestId: 'r-1', url: 'https://media.example/a.webm' });
  assert.equal(clock.pending, 0);
});

test('an announcement that is requested without a network is submitted once when the network is back', async () => {
  const { proxy, client, clock } = clientHarness();
  const head = proxy.head;
  proxy.head = null;
  const seen = watched(client.announce({ destination: 'EDB' }));
  await promisesSettled();
  while (clock.now() < 40_000) {
    await proxy.refuseLook();
    const looks = proxy.asked.length;
    while (proxy.asked.length === looks && !seen.error) await clock.advance(250);
    assert.equal(seen.error, undefined);
  }
  proxy.head = head;
  await proxy.refuseLook();
  while (proxy.last.method !== 'POST') await clock.advance(250);
  await proxy.last.answer({ data: { id: 'r-1' } });
  await clock.advance(1000);
  await proxy.last.answer({ data: { status: 'COMPLETED', url: 'https://media.example/a.mp4' } });
  assert.equal(seen.value?.requestId, 'r-1');
  assert.equal(proxy.asked.filter(({ method }) => method === 'POST').length, 1);
});

test('an announcement that is requested while the browser is offline waits, however long that takes', async (t) => {
  const navigator = { onLine: false };
  replaceGlobals(t, { navigator });
  const { proxy, client, clock } = clientHarness();
  const head = proxy.head;
  proxy.head = null;
  const seen = watched(client.announce({ destination: 'EDB' }));
  await promisesSettled();
  while (clock.now() < 300_000) {
    await proxy.refuseLook();
    const looks = proxy.asked.length;
    while (proxy.asked.length === looks && !seen.error) await clock.advance(250);
    assert.equal(seen.error, undefined);
  }
  navigator.onLine = true;
  proxy.head = head;
  await proxy.refuseLook();
  const since = clock.now();
  while (proxy.last.method !== 'POST') await clock.advance(250);
  assert.ok(clock.now() - since <= 2_000);
  void proxy.last.breakOff();
});

for (const [outage, fail] of [
  ['without a proxy', (poll: Asked) => poll.breakOff()],
  ['of a service that fails', (poll: Asked) => poll.answer({ code: 'upstream_unreachable' }, 502)],
  ['without an answer', (poll: Asked) => poll.answer({ code: 'no_answer' }, 504)],
] as const) {
  test(`an announcement that was accepted outlasts a minute ${outage}`, async () => {
    const { proxy, client, clock } = clientHarness();
    const seen = watched(client.announce({ destination: 'EDB' }));
    await promisesSettled();
    await proxy.last.answer({ data: { id: 'r-1' } });
    const failed = new Set([proxy.last]);
    const nextPoll = async (): Promise<Asked> => {
      while (failed.has(proxy.last) && !seen.error) await clock.advance(1000);
      failed.add(proxy.last);
      return proxy.last;
    };
    while (clock.now() < 60_000 && !seen.error) await fail(await nextPoll());
    const poll = await nextPoll();
    await poll.answer({ data: { status: 'COMPLETED', url: 'https://media.example/a.mp4' } });
    assert.deepEqual(seen, { value: { requestId: 'r-1', url: 'https://media.example/a.mp4' } });
    assert.equal(clock.pending, 0);
  });
}

for (const [what, submit] of [
  ['an announcement', (client: SignClient) => client.announce({ destination: 'EDB' })],
  ['a job', (client: SignClient) => client.generate(download)],
] as const) {
  test(`a poll of ${what} without a status in 8 s is made again once, which has 60 s; then the next poll comes`, async () => {
    const { proxy, client, clock } = clientHarness();
    const seen = watched<unknown>(submit(client));
    await promisesSettled();
    await proxy.last.answer({ jobId: 'r-1', data: { id: 'r-1' } });
    await clock.advance(1000);
    const waits: number[] = [];
    for (let poll = 0; poll < 4; poll += 1) {
      const [silent, begun] = [proxy.last, clock.now()];
      while (!silent.signal.aborted) await clock.advance(1000);
      waits.push((clock.now() - begun) / 1000);
      while (proxy.last === silent) await clock.advance(1000);
    }
    assert.deepEqual(waits, [8, 60, 8, 60]);
    await proxy.last.answer({
      status: 'completed',
      downloadUrl: 'https://media.example/a.mp4',
      data: { status: 'COMPLETED', url: 'https://media.example/a.mp4' },
    });
    assert.ok(seen.value, 'the video is there');
    assert.equal(clock.pending, 0);
  });
}

for (const [what, late] of [
  ['that is not known yet', (poll: Asked) => poll.answer({ data: { errorLog: 'no request' } }, 404)],
  [
    'that is completed before its address is there',
    (poll: Asked) => poll.answer({ data: { status: 'COMPLETED' } }),
  ],
] as const) {
  test(`an announcement ${what} is polled for another half a minute`, async () => {
    const { proxy, client, clock } = clientHarness();
    const submit = async (): Promise<ReturnType<typeof watched>> => {
      const seen = watched(client.announce({ destination: 'EDB' }));
      await promisesSettled();
      await proxy.last.answer({ data: { id: 'r-1' } });
      return seen;
    };
    const seen = await submit();
    await clock.advance(1000);
    await late(proxy.last);
    await clock.advance(2000);
    await proxy.last.answer({ data: { status: 'COMPLETED', url: 'https://media.example/a.mp4' } });
    assert.deepEqual(seen, { value: { requestId: 'r-1', url: 'https://media.example/a.mp4' } });

    const never = await submit();
    const submittedAt = clock.now();
    let polls = proxy.asked.length;
    while (!never.error) {
      await clock.advance(1000);
      for (; proxy.asked.length > polls; polls += 1) await late(proxy.last);
    }
    const seconds = (clock.now() - submittedAt) / 1000;
    assert.ok(seconds >= 30 && seconds <= 40, `given up after ${seconds} s`);
  });
}

test('the full status is requested when the compact one of a finished announcement names no video', async () => {
  const { proxy, seen } = await firstPoll();
  await proxy.last.answer({ data: { status: 'COMPLETED' } });
  assert.equal(proxy.last.path, 'v1/sign-requests/r-1');
  await proxy.last.answer({ data: { status: 'COMPLETED', url: 'https://media.example/a.mp4' } });
  assert.deepEqual(seen.value, { requestId: 'r-1', url: 'https://media.example/a.mp4' });
});

test('an announcement that fails rejects announcement_failed with its errorLog', async () => {
  const { proxy, seen } = await firstPoll();
  await proxy.last.answer({ data: { status: 'FAILED', errorLog: 'no clip for EDB' } });
  assert.deepEqual(
    [seen.error?.code, seen.error?.message, seen.error?.requestId],
    ['announcement_failed', 'no clip for EDB', 'r-1'],
  );
});

test('the full status is requested when the compact one names no reason of the failure', async () => {
  const { proxy, seen } = await firstPoll();
  await proxy.last.answer({ data: { status: 'FAILED' } });
  assert.equal(proxy.last.path, 'v1/sign-requests/r-1');
  await proxy.last.answer({ data: { status: 'FAILED', errorLog: 'no clip for EDB' } });
  assert.deepEqual([seen.error?.code, seen.error?.message], ['announcement_failed', 'no clip for EDB']);
});

test('an announcement that failed without a reason rejects after one full status', async () => {
  const { proxy, seen } = await firstPoll();
  await proxy.last.answer({ data: { status: 'FAILED' } });
  await proxy.last.answer({ data: { status: 'FAILED' } });
  assert.equal(seen.error?.code, 'announcement_failed');
});

test('an announcement that is refused rejects invalid_request with its errorLog', async () => {
  const { proxy, client } = clientHarness();
  const seen = watched(client.announce({ destination: 'XXX' }));
  await promisesSettled();
  await proxy.last.answer({ data: { status: 'FAILED', errorLog: 'destination: unknown' } }, 400);
  assert.deepEqual([seen.error?.code, seen.error?.message], ['invalid_request', 'destination: unknown']);
});

test('an announcement without a destination makes no request', async () => {
  const { proxy, client } = clientHarness();
  await assert.rejects(client.announce({ timing: '0930' }), { code: 'invalid_request' });
  assert.equal(proxy.asked.length, 0);
});
