// Which responses clients share, and which no cache may keep.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedResponses } from '../../../proxy/upstream/shared-responses.ts';
import { manualClock } from '../manual-clock.ts';
import { mountedProxy } from '../mounted-proxy.ts';

function harness({ bytes = 1, failed = false } = {}) {
  const clock = manualClock();
  const share = sharedResponses<number>(clock, { bytesOf: () => bytes, hasFailed: () => failed });
  let asked = 0;
  const ask = async (): Promise<number> => ++asked;
  return { clock, share, ask };
}

test('requests that come while one is pending, or in the second after its answer, get the same answer', async () => {
  const { clock, share, ask } = harness();
  assert.deepEqual(await Promise.all([share('a', ask), share('a', ask)]), [1, 1]);
  clock.advance(999);
  assert.equal(await share('a', ask), 1);
  clock.advance(1);
  assert.equal(await share('a', ask), 2);
});

test('a request with another key is a request of its own', async () => {
  const { share, ask } = harness();
  assert.deepEqual([await share('a', ask), await share('b', ask)], [1, 2]);
});

test('a failure reaches all clients that wait for it, and no later one', async () => {
  const { share, ask, clock } = harness();
  const fail = async (): Promise<number> => Promise.reject(new Error('no'));
  const both = await Promise.allSettled([share('a', fail), share('a', ask)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await share('a', ask), 1);
  assert.equal(clock.pending, 1);
});

test('an answer over 16 kB is shared while it is under way and not kept', async () => {
  const { share, ask, clock } = harness({ bytes: 16 * 1024 + 1 });
  assert.deepEqual(await Promise.all([share('a', ask), share('a', ask)]), [1, 1]);
  assert.equal(await share('a', ask), 2);
  assert.equal(clock.pending, 0);
});

test('a response that is a failure is shared while it is under way and not kept', async () => {
  const { share, ask, clock } = harness({ failed: true });
  assert.deepEqual(await Promise.all([share('a', ask), share('a', ask)]), [1, 1]);
  assert.equal(await share('a', ask), 2);
  assert.equal(clock.pending, 0);
});

test('at most 1,000 answers are kept: above that each client has a request of its own', async () => {
  const { share, ask, clock } = harness();
  for (let n = 0; n < 1_001; n++) await share(String(n), ask);
  assert.equal(clock.pending, 1_000);
  assert.equal(await share('1000', ask), 1_002);
  assert.equal(await share('999', ask), 1_000);
});

const TOKEN = 'token-of-the-operator';
const SESSIONS = '/sign/v2/live/sessions';
const operator = { Authorization: `Bearer ${TOKEN}` };

test('no cache may keep what the operator gets, nor give it to a client', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env: { SIGN_OPERATOR_TOKEN: TOKEN } });
  upstream.answer = (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, s-maxage=60' })
      .end('{"sessionId":"live-1","streamKey":"hidden"}');
  const json = { ...operator, 'Content-Type': 'application/json' };
  for (const [path, init] of [
    [SESSIONS, { method: 'POST', headers: json, body: '{}' }],
    [SESSIONS, { headers: operator }],
    [`${SESSIONS}/live-1`, { method: 'DELETE', headers: operator }],
  ] as const) {
    assert.equal((await fetch(origin + path, init)).headers.get('cache-control'), 'no-store');
  }
  for (const [headers, cached] of [
    [operator, 'no-store'],
    [{}, 'public, s-maxage=60'],
  ] as const) {
    const response = await fetch(`${origin}${SESSIONS}/live-1`, { headers });
    assert.equal(response.headers.get('cache-control'), cached);
    assert.equal(response.headers.get('vary'), 'Origin, Authorization');
  }
});
