// The REST client, resource by resource, with jobs that are polled until their media is there. Announcements are in
// announcements.test.ts.
import assert from 'node:assert/strict';
import test from 'node:test';
import { createSignClient, type SignClient } from '../../../src/session/rest/rest-client.ts';
import { FakeProxy, PROXY } from '../fake-proxy.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { clientHarness, download, watched, withMethod } from './rest-harness.ts';

for (const proxy of ['/sign', '', 'ftp://page.example/sign', 'javascript:alert(1)']) {
  test(`a client needs an absolute http address, not ${proxy || 'nothing'}`, () => {
    assert.throws(() => createSignClient({ proxy }), { code: 'invalid_request' });
  });
}

test('slashes at the end of the prefix do not matter', async () => {
  const proxy = new FakeProxy();
  const client = createSignClient({ proxy: `${PROXY}//`, fetch: proxy.fetch });
  const silence = client.silence();
  await promisesSettled();
  await proxy.last.answer({ segments: ['https://media.example/0.ts'] });
  assert.deepEqual((await silence).urls, ['https://media.example/0.ts']);
});

test('a translation that comes at once is one POST of JSON', async () => {
  const { proxy, client, clock } = clientHarness();
  const generated = client.generate(download);
  await promisesSettled();
  const { method, path, body } = proxy.last;
  assert.deepEqual([method, path, body], ['POST', 'v2/generate', download]);
  await proxy.last.answer({ mediaUrl: 'https://media.example/a.mp4' });
  assert.equal((await generated).mediaUrl, 'https://media.example/a.mp4');
  assert.equal(clock.pending, 0);
});

test('a job is polled after 1, 2, 4, 8 and again 8 seconds until its media is there, and not after that', async () => {
  const { proxy, client, clock } = clientHarness();
  const accepted: (string | null)[] = [];
  const seen = watched(client.generate(download, { accepted: ({ jobId }) => accepted.push(jobId) }));
  await promisesSettled();
  await proxy.last.answer({ jobId: 'j/1', status: 'queued' });
  assert.deepEqual(accepted, ['j/1']);
  for (const seconds of [1, 2, 4, 8, 8]) {
    const before = proxy.asked.length;
    await clock.advance(seconds * 1000 - 1);
    assert.equal(proxy.asked.length, before);
    await clock.advance(1);
    assert.deepEqual([proxy.last.method, proxy.last.path], ['GET', 'v1/status/j%2F1']);
    assert.equal(seen.value, undefined);
    await proxy.last.answer(
      seconds === 8 && before === 5
        ? { jobId: 'j/1', status: 'completed', downloadUrl: 'https://media.example/j' }
        : { jobId: 'j/1', status: 'processing', progress: 10 },
    );
  }
  assert.equal(seen.value?.mediaUrl, 'https://media.example/j');
  assert.equal(proxy.asked.length, 6);
  assert.equal(clock.pending, 0);
});

test('a job that is not known yet is polled for half a minute', async () => {
  const { proxy, client, clock } = clientHarness();
  const unknown = (): Promise<unknown> => proxy.last.answer({ error: 'not_found' }, 404);
  const begin = async (): Promise<ReturnType<typeof watched>> => {
    const seen = watched(client.generate(download));
    await promisesSettled();
    await proxy.last.answer({ jobId: 'j-1' });
    return seen;
  };
  const seen = await begin();
  await clock.advance(1000);
  await unknown();
  await clock.advance(2000);
  await proxy.last.answer({ status: 'completed', downloadUrl: 'https://media.example/j.mp4' });
  assert.equal((seen.value as { mediaUrl?: string } | undefined)?.mediaUrl, 'https://media.example/j.mp4');

  const never = await begin();
  const acceptedAt = clock.now();
  for (let polls = proxy.asked.length; !never.error; await clock.advance(1000))
    for (; proxy.asked.length > polls; polls += 1) await unknown();
  const seconds = (clock.now() - acceptedAt) / 1000;
  assert.equal(never.error?.code, 'not_found');
  assert.ok(seconds >= 30 && seconds <= 40, `given up after ${seconds} s`);
});

for (const format of ['mp4', 'mov'] as const) {
  test(`of the downloads of a job the one in the requested format, ${format}, is its media`, async () => {
    const { proxy, client, clock } = clientHarness();
    const output = { format, delivery: { method: 'download' } } as const;
    const seen = watched(client.generate({ ...download, output }));
    await promisesSettled();
    await proxy.last.answer({ jobId: 'j-1' });
    await clock.advance(1000);
    const downloads = { mp4: 'https://media.example/j.mp4', mov: 'https://media.example/j.mov' };
    await proxy.last.answer({ status: 'completed', downloads });
    assert.equal(seen.value?.mediaUrl, downloads[format]);
  });
}

test('jitter shortens a wait by a quarter at most', async () => {
  const { proxy, client, clock } = clientHarness(0.999);
  void client.generate(download).catch(() => {});
  await promisesSettled();
  await proxy.last.answer({ jobId: 'j-1' });
  await clock.advance(749);
  assert.equal(proxy.asked.length, 1);
  await clock.advance(2);
  assert.equal(proxy.asked.length, 2);
});

test('a job that fails is render_failed with the words of the service', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer({ jobId: 'j-1', status: 'queued' });
  await clock.advance(1000);
  await proxy.last.answer({ status: 'failed', error: 'no pose' });
  assert.deepEqual(
    [seen.error?.code, seen.error?.message, seen.error?.requestId],
    ['render_failed', 'no pose', 'j-1'],
  );
});

test('a job that is over without media is a protocol_error', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer({ jobId: 'j-1' });
  await clock.advance(1000);
  await proxy.last.answer({ status: 'completed' });
  assert.equal(seen.error?.code, 'protocol_error');
});

test('the polls of a job that never ends stop after ten minutes', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer({ jobId: 'j-1' });
  for (let seconds = 0; seconds < 620 && !seen.error; seconds += 1) {
    await clock.advance(1000);
    if (proxy.last.method === 'GET') await proxy.last.answer({ status: 'processing' });
  }
  assert.equal(seen.error?.code, 'no_answer');
  assert.ok(proxy.asked.length < 80, 'it was not asked for more often than every 8 s');
  assert.equal(clock.pending, 0);
});

test('after the machine slept for an hour, a job is still polled', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer({ jobId: 'j-1' });
  await clock.sleep(3_600_000);
  await proxy.last.answer({ status: 'processing' });
  await clock.advance(8_000);
  assert.equal(seen.error, undefined);
  assert.equal(proxy.last.method, 'GET');
});

test('an answer with neither media nor a job is a protocol_error', async () => {
  for (const answer of [{}, { status: 'done' }, '<html>', '']) {
    const { proxy, client } = clientHarness();
    const seen = watched(client.generate(download));
    await promisesSettled();
    await proxy.last.answer(answer);
    assert.equal(seen.error?.code, 'protocol_error');
  }
});

test('a translation to a stream resolves with its manifests', async () => {
  const { proxy, client } = clientHarness();
  const seen = watched(client.generate(withMethod('stream')));
  await promisesSettled();
  const manifests = { hls: 'https://media.example/a.m3u8', dash: 'https://media.example/a.mpd' };
  await proxy.last.answer({ jobId: 'j-1', status: 'processing', manifests });
  assert.deepEqual(seen.value?.manifests, manifests);
  assert.equal(proxy.asked.length, 1);
});

test('a text for a screen needs no media', async () => {
  const { proxy, client } = clientHarness();
  const seen = watched(client.generate(withMethod('display')));
  await promisesSettled();
  await proxy.last.answer({ jobId: 'j-1', status: 'queued' });
  assert.deepEqual(seen.value, { jobId: 'j-1', status: 'queued', mediaUrl: null, manifests: null });
});

for (const [what, body, status] of [
  ['an empty object', {}, 200],
  ['a field that no document names', { screen: 7 }, 202],
  ['no body', null, 204],
] as const) {
  test(`any success accepts a text for a screen: ${what}`, async () => {
    const { proxy, client } = clientHarness();
    const seen = watched(client.generate(withMethod('display')));
    await promisesSettled();
    await proxy.last.answer(body, status);
    assert.deepEqual(seen.value, { jobId: null, status: null, mediaUrl: null, manifests: null });
  });
}

test('silence is requested with its query', async () => {
  const { proxy, client } = clientHarness();
  const silence = client.silence({ language: 'ASL', signer: 'MAX', format: 'mp4' });
  await promisesSettled();
  assert.equal(proxy.last.path, 'v1/silence?language=asl&signer=max&format=mp4');
  await proxy.last.answer({ url: 'https://media.example/s.mp4', durationSeconds: 12 });
  assert.deepEqual(await silence, {
    urls: ['https://media.example/s.mp4'],
    durationSeconds: 12,
    expiresAt: null,
  });
});

test('status() makes one request and gives the state of a job', async () => {
  const { proxy, client } = clientHarness();
  const job = client.status('j-1');
  await promisesSettled();
  await proxy.last.answer({ status: 'processing', progress: 40 });
  assert.deepEqual([(await job).state, (await job).progress], ['running', 40]);
});

test('a live session is looked up by its id', async () => {
  const { proxy, client } = clientHarness();
  const live = client.liveSession('l 1');
  await promisesSettled();
  assert.equal(proxy.last.path, 'v2/live/sessions/l%201');
  await proxy.last.answer({
    sessionId: 'l 1',
    status: 'active',
    manifests: { hls: 'https://media.example/l.m3u8' },
  });
  assert.equal((await live).manifests.hls, 'https://media.example/l.m3u8');
});

test('a live session that is not there rejects with the service’s NOT_FOUND', async () => {
  const { proxy, client } = clientHarness();
  const seen = watched(client.liveSession('l-1'));
  await promisesSettled();
  const error = { code: 'NOT_FOUND', type: 'NOT_FOUND', message: 'no such session', requestId: 'r-9' };
  await proxy.last.answer({ error }, 404);
  assert.deepEqual([seen.error?.code, seen.error?.requestId], ['NOT_FOUND', 'r-9']);
});

for (const id of ['', '.', '..']) {
  test(`${JSON.stringify(id)} is no id, and no request is made`, async () => {
    const { proxy, client } = clientHarness();
    await assert.rejects(client.status(id), { code: 'invalid_request' });
    await assert.rejects(client.liveSession(id), { code: 'invalid_request' });
    assert.equal(proxy.asked.length, 0);
  });
}

for (const [what, ask] of [
  ['a live session', (client: SignClient): Promise<unknown> => client.liveSession('abc')],
  ['the signer at rest', (client: SignClient): Promise<unknown> => client.silence()],
] as const) {
  test(`a page of the site in place of ${what} means a wrong address, as long as no proxy has ever answered`, async () => {
    const { proxy, client, clock } = clientHarness();
    const seen = watched(ask(client));
    await promisesSettled();
    await proxy.last.answer('<h1>Shop</h1>', 200, { 'content-type': 'text/html' });
    assert.deepEqual([seen.error?.code, seen.error?.retryable], ['proxy_unreachable', false]);
    assert.match(seen.error?.message ?? '', /^no sign proxy at .*: something else answers there, with 200$/);
    assert.equal(clock.pending, 0);
  });
}
