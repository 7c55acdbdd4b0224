// The tries of a REST request: which requests are made again, when, and what ends them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../../promises-settled.ts';
import { PROXY } from '../fake-proxy.ts';
import { clientHarness, download, watched } from './rest-harness.ts';

const nobodyThere = `no sign proxy at ${PROXY}: no answer`;

test('a 500 is tried again up to three times, each try reported as a warning, with full jitter from half a second', async () => {
  const { proxy, client, clock } = clientHarness(0.5);
  const warnings: string[] = [];
  const seen = watched(
    client.generate(download, { retrying: ({ code, severity }) => warnings.push(`${severity} ${code}`) }),
  );
  await promisesSettled();
  for (const waitMs of [250, 500, 1000]) {
    const before = proxy.asked.length;
    await proxy.last.answer({ error: 'internal_error' }, 500);
    await clock.advance(waitMs - 1);
    assert.equal(proxy.asked.length, before);
    await clock.advance(1);
    assert.equal(proxy.asked.length, before + 1);
  }
  await proxy.last.answer({ error: 'internal_error' }, 500);
  assert.deepEqual([seen.error?.code, seen.error?.severity], ['internal_error', 'message']);
  assert.equal(proxy.asked.length, 4);
  assert.deepEqual(warnings, Array(3).fill('warning internal_error'));
  assert.equal(clock.pending, 0);
});

test('while the proxy does not reach the service a text is tried again for a minute, ever less often', async () => {
  const { proxy, client, clock } = clientHarness(0);
  const problem = { code: 'upstream_unreachable', title: 'Bad Gateway' };
  const seen = watched(client.generate(download));
  await promisesSettled();
  const start = clock.now();
  const waits: number[] = [];
  while (!seen.error && waits.length < 20) {
    const [before, at] = [proxy.asked.length, clock.now()];
    await proxy.last.answer(problem, 502, { 'retry-after': '2' });
    while (!seen.error && proxy.asked.length === before) await clock.advance(250);
    if (!seen.error) waits.push((clock.now() - at) / 1000);
  }
  assert.deepEqual(waits, [2, 3, 4.5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]);
  assert.equal(clock.now() - start, 59_500);
  assert.equal(seen.error?.code, 'upstream_unreachable');
  assert.equal(clock.pending, 0);
});

test('while the service is unavailable a text is tried again for a minute, because a 503 says that it was not signed', async () => {
  const { proxy, client, clock } = clientHarness(0);
  const seen = watched(client.generate(download));
  await promisesSettled();
  for (const waitMs of [2000, 3000, 4500, ...Array<number>(10).fill(5000)]) {
    await proxy.last.answer({ message: 'Service Unavailable' }, 503);
    await clock.advance(waitMs);
  }
  await proxy.last.answer({ error: 'busy' }, 503);
  assert.deepEqual([seen.error?.code, proxy.texts.length], ['busy', 14]);
});

test('a service that the proxy reaches again signs the text', async () => {
  const { proxy, client, clock } = clientHarness(0);
  const seen = watched(client.generate(download));
  await promisesSettled();
  for (let look = 0; look < 6; look += 1) {
    // Connecting took too long.
    await proxy.last.answer({ code: 'upstream_unreachable', title: 'Gateway Timeout' }, 504);
    await clock.advance(8_000);
  }
  await proxy.last.video();
  assert.ok(seen.value?.mediaUrl, 'the seventh try brought the video');
});

test('a poll whose connection breaks is made again as after a 500', async () => {
  const { proxy, client, clock } = clientHarness(0.5);
  const seen = watched(client.silence());
  await promisesSettled();
  for (const waitMs of [250, 500, 1000]) {
    await proxy.last.breakOff();
    await clock.advance(waitMs);
  }
  await proxy.last.breakOff();
  assert.deepEqual([seen.error?.code, seen.error?.severity], ['proxy_unreachable', 'message']);
  assert.equal(seen.error?.message, nobodyThere);
  assert.equal(proxy.asked.length, 4);
});

test('while no proxy answers no POST is sent; the HEAD before it is made again for a minute, ever less often', async () => {
  const { proxy, client, clock } = clientHarness();
  proxy.head = null;
  const seen = watched(client.generate(download));
  await promisesSettled();
  for (const waitMs of [2000, 3000, 4500, ...Array<number>(10).fill(5000)]) {
    await proxy.refuseLook();
    await clock.advance(waitMs);
  }
  await proxy.refuseLook();
  assert.deepEqual([seen.error?.code, seen.error?.severity], ['proxy_unreachable', 'message']);
  assert.equal(seen.error?.message, nobodyThere);
  assert.deepEqual([proxy.heads, proxy.texts], [14, []]);
});

test('a POST whose connection broke is never sent again, because it may have been billed', async () => {
  for (const isThere of [true, false]) {
    const { proxy, client, clock } = clientHarness();
    const seen = watched(client.generate(download));
    await promisesSettled();
    await proxy.last.breakOff();
    const headers = { 'content-type': 'application/problem+json' };
    if (isThere) await proxy.last.answer({ code: 'upgrade_required' }, 426, headers);
    else await proxy.refuseLook();
    assert.deepEqual([seen.error?.code, seen.error?.retryable], ['proxy_unreachable', false]);
    await clock.advance(600_000);
    assert.equal(proxy.texts.length, 1);
  }
});

test('a job is still polled after polls that did not reach the proxy', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer({ jobId: 'j-1' });
  for (let look = 0; look < 10; look += 1) {
    await clock.advance(8_000);
    if (proxy.last.path === 'v1/status/j-1') await proxy.last.breakOff();
  }
  assert.equal(seen.error, undefined);
  await clock.advance(16_000);
  await proxy.last.answer({ status: 'completed', downloadUrl: 'https://media.example/j' });
  assert.equal(seen.value?.mediaUrl, 'https://media.example/j');
});

test('a request without an answer is ended after 60 s and not made again', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.generate(download));
  await promisesSettled();
  await clock.advance(59_999);
  assert.equal(proxy.last.signal.aborted, false);
  await clock.advance(1);
  assert.equal(proxy.last.signal.aborted, true);
  assert.deepEqual([seen.error?.code, seen.error?.retryable], ['no_answer', false]);
  await clock.advance(600_000);
  assert.equal(proxy.asked.length, 1);
});

test('a poll of a job that is not answered is made again', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer({ jobId: 'j-1' });
  await clock.advance(1_000);
  await clock.advance(8_000);
  await proxy.last.answer('<h1>504</h1>', 504);
  await clock.advance(4_000);
  await proxy.last.answer({ status: 'completed', downloadUrl: 'https://media.example/j' });
  assert.equal(seen.value?.mediaUrl, 'https://media.example/j');
});

test('a request that timed out behind the proxy is not made again', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer({ code: 'no_answer', title: 'Gateway Timeout' }, 504);
  assert.equal(seen.error?.code, 'no_answer');
  assert.equal(clock.pending, 0);
});

for (const status of [429, 503]) {
  test(`a ${status} waits as long as its Retry-After says, to the millisecond`, async () => {
    const { proxy, client, clock } = clientHarness(0.5);
    const seen = watched(client.generate(download));
    await promisesSettled();
    await proxy.last.answer({ error: 'busy' }, status, { 'retry-after': '7' });
    await clock.advance(6999);
    assert.equal(proxy.asked.length, 1);
    await clock.advance(1);
    await proxy.last.video();
    assert.ok(seen.value?.mediaUrl, 'the second try brought the video');
  });
}

test('a Retry-After that is a date is read by the clock of the server', async () => {
  const { proxy, client, clock } = clientHarness(0.5);
  watched(client.generate(download));
  await promisesSettled();
  const date = 'Fri, 01 Jan 2010 00:00:00 GMT';
  await proxy.last.answer({}, 429, { date, 'retry-after': 'Fri, 01 Jan 2010 00:00:07 GMT' });
  await clock.advance(6_999);
  assert.equal(proxy.texts.length, 1);
  await clock.advance(1);
  assert.equal(proxy.texts.length, 2);
  await proxy.last.answer({}, 425, { 'retry-after': date });
  await clock.advance(500);
  assert.equal(proxy.texts.length, 3);
});

test('429 is no failed try, however often it comes', async () => {
  const { proxy, client, clock } = clientHarness(0.5);
  const seen = watched(client.generate(download));
  await promisesSettled();
  for (let i = 0; i < 10; i += 1) {
    await proxy.last.answer({ code: 'rate_limited' }, 429, { 'retry-after': '1' });
    await clock.advance(1000);
  }
  await proxy.last.video();
  assert.ok(seen.value?.mediaUrl, 'it passed in the end');
});

test('after a 429 that asks for no wait the request is not made again at once', async () => {
  const { proxy, client, clock } = clientHarness(0.5);
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer({}, 429, { 'retry-after': '0' });
  await clock.advance(249);
  assert.equal(proxy.asked.length, 1);
  await clock.advance(1);
  assert.equal(proxy.asked.length, 2);
  assert.equal(seen.error, undefined);
});

for (const [status, code] of [
  [400, 'validation_error'],
  [403, 'origin_refused'],
  [501, 'not_implemented'],
] as const) {
  test(`a ${status} is final`, async () => {
    const { proxy, client, clock } = clientHarness();
    const seen = watched(client.generate(download));
    await promisesSettled();
    await proxy.last.answer({ error: code }, status, { 'x-request-id': 'r-1' });
    assert.deepEqual([seen.error?.code, seen.error?.requestId], [code, 'r-1']);
    assert.equal(clock.pending, 0);
  });
}

test('an answer of more than a megabyte is not read to its end', async () => {
  const { proxy, client } = clientHarness();
  const seen = watched(client.generate(download));
  await promisesSettled();
  await proxy.last.answer(
    JSON.stringify({ mediaUrl: 'https://media.example/a.mp4', more: 'x'.repeat(1_000_001) }),
  );
  assert.equal(seen.error?.code, 'protocol_error');
});

test('an abort ends the request with the signal’s own reason', async () => {
  const { proxy, client, clock } = clientHarness();
  const stop = new AbortController();
  const seen = watched(client.generate(download, { signal: stop.signal }));
  await promisesSettled();
  const reason = new Error('enough');
  stop.abort(reason);
  await promisesSettled();
  assert.equal(seen.error, reason);
  assert.equal(proxy.last.signal.aborted, true);
  assert.equal(clock.pending, 0);
});

test('an abort ends a wait too', async () => {
  const { proxy, client, clock } = clientHarness(0.5);
  const stop = new AbortController();
  const seen = watched(client.generate(download, { signal: stop.signal }));
  await promisesSettled();
  await proxy.last.answer({}, 500);
  assert.equal(clock.pending, 1);
  stop.abort();
  await promisesSettled();
  assert.equal(seen.error?.name, 'AbortError');
  assert.equal(clock.pending, 0);
});

test('an abort before the request makes no request', async () => {
  const { proxy, client } = clientHarness();
  await assert.rejects(client.silence({}, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal(proxy.asked.length, 0);
});

test('a network that answers 511 until its visitor has logged in loses no text, also when its 511 is the very first answer', async () => {
  const { proxy, client, clock } = clientHarness(0.5);
  const login = () => proxy.last.answer('<h1>Log in</h1>', 511);
  proxy.head = () => new Response(null, { status: 511 });
  const seen = watched(client.generate(download));
  await promisesSettled();
  await login();
  proxy.head = () => new Response();
  await clock.advance(5_000);
  await login();
  await clock.advance(5_000);
  await proxy.last.video();
  assert.ok(seen.value?.mediaUrl, 'the text is signed');
  assert.deepEqual([proxy.texts.length, clock.pending], [2, 0]);
});
