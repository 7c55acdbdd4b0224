// The live error envelope and its codes (document 2, Errors): each code with its status and type, the request's id in every
// answer, and no internal message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../../demo/sandbox/fault-table.ts';
import { until } from '../../until.ts';
import { errorOf, KEY, LiveHarness, SESSIONS } from './live-harness.ts';
import { eachCase } from '../each-case.ts';

const unknown = '00000000-0000-4000-a000-000000000000';
const requests = [
  ['POST', SESSIONS],
  ['GET', SESSIONS],
  ['GET', `${SESSIONS}/${unknown}`],
  ['DELETE', `${SESSIONS}/${unknown}`],
] as const;

test('without the key, or with another, every operation is 401 before its body is read', async (t) => {
  const harness = new LiveHarness(t);
  for (const [method, url] of requests) {
    for (const key of [null, '', `${KEY}x`]) {
      const error = errorOf(await harness.ask({ method, url, payload: '{' }, key), 401);
      assert.deepEqual([error.code, error.type], ['UNAUTHORIZED', 'VALIDATION_ERROR']);
      assert.ok(!JSON.stringify(error).includes(KEY), 'the answer does not contain the key');
    }
  }
});

test('X-Request-Id is echoed in the envelope and as a header, with success too; without one the answer has its own', async (t) => {
  const harness = new LiveHarness(t);
  const headers = { 'x-request-id': 'request "1" é' };
  const refused = await harness.ask({ method: 'GET', url: `${SESSIONS}/${unknown}`, headers });
  assert.equal(errorOf(refused, 404).requestId, headers['x-request-id']);
  const listed = await harness.ask({
    method: 'GET',
    url: SESSIONS,
    headers: { 'x-request-id': 'request-2' },
  });
  assert.equal(listed.headers['x-request-id'], 'request-2');
  const [one, other] = [await harness.get(unknown), await harness.get(unknown)];
  const ids = [errorOf(one, 404).requestId, errorOf(other, 404).requestId];
  assert.ok(ids.every((id) => id.length > 0) && ids[0] !== ids[1], ids.join());
  assert.equal(one.headers['x-request-id'], ids[0]);
});

test('an unknown id is 404, and an id that is no UUID is 400', async (t) => {
  const harness = new LiveHarness(t);
  for (const ask of [(id: string) => harness.get(id), (id: string) => harness.stop(id)]) {
    const { code, type, message } = errorOf(await ask(unknown), 404);
    assert.deepEqual([code, type], ['NOT_FOUND', 'NOT_FOUND']);
    assert.match(message, /session/);
    assert.equal(errorOf(await ask('live-1'), 400).code, 'BAD_REQUEST');
  }
});

test('an id is found in any letter case', async (t) => {
  const harness = new LiveHarness(t);
  const id = await harness.created({ sourceType: 'RTMP_PUSH' });
  assert.equal((await harness.get(id.toUpperCase())).status, 200);
});

test('a wrong body names every field of it at once', async (t) => {
  const harness = new LiveHarness(t);
  const wrong = { sourceType: 'HLS_PULL', outputType: 'RTMP', signer: 'BOB', pictureInPicture: 'yes' };
  const { code, type, message, details } = errorOf(await harness.create(wrong), 400);
  assert.deepEqual([code, type], ['BAD_REQUEST', 'VALIDATION_ERROR']);
  const named = (details!['fields'] as { field: string }[]).map(({ field }) => field).sort();
  assert.deepEqual(named, ['hlsSourceUrl', 'pictureInPicture', 'rtmpOutputUrl', 'signer']);
  for (const field of named) assert.match(message, new RegExp(`${field}: `));
});

const unreadable = {
  'not JSON': { payload: '{', type: 'application/json' },
  'another type': { payload: 'sourceType=RTMP_PUSH', type: 'application/x-www-form-urlencoded' },
  text: { payload: '{"sourceType":"RTMP_PUSH"}', type: 'text/plain' },
  nothing: { payload: '', type: 'application/json' },
};
test('a body that cannot be read is BAD_REQUEST', (t) =>
  eachCase(Object.entries(unreadable), async ([, { payload, type }]) => {
    const harness = new LiveHarness(t);
    const headers = { 'content-type': type };
    const answer = await harness.ask({ method: 'POST', url: SESSIONS, payload, headers });
    assert.equal(errorOf(answer, 400).code, 'BAD_REQUEST');
  }));

test('a method that is not served is 405, and the answer says which methods are', async (t) => {
  const harness = new LiveHarness(t);
  for (const [method, url, allow] of [
    ['DELETE', SESSIONS, 'GET, POST'],
    ['PUT', SESSIONS, 'GET, POST'],
    ['POST', `${SESSIONS}/${unknown}`, 'GET, DELETE'],
    ['PATCH', `${SESSIONS}/${unknown}`, 'GET, DELETE'],
  ] as const) {
    const answer = await harness.ask({ method, url });
    const { code, type } = errorOf(answer, 405);
    assert.deepEqual([code, type], ['METHOD_NOT_ALLOWED', 'UNSUPPORTED_OPERATION']);
    assert.equal(answer.headers['allow'], allow);
  }
});

type LiveErrorFault = Extract<Fault, { fault: 'live_error' }>;
const rtmp = { sourceType: 'RTMP_PUSH' };
const pulled = { sourceType: 'HLS_PULL', hlsSourceUrl: 'http://127.0.0.1:1/a.m3u8' };

/** Code, status, type, a request that the fault affects, and one that it does not affect, where there is one. */
const codes: readonly (readonly [
  code: LiveErrorFault['code'],
  status: number,
  type: string,
  meets: object,
  spared: object | null,
])[] = [
  ['BAD_REQUEST', 400, 'VALIDATION_ERROR', rtmp, null],
  ['NOT_FOUND', 404, 'NOT_FOUND', rtmp, null],
  ['HLS_INPUT_UNREACHABLE', 400, 'VALIDATION_ERROR', pulled, rtmp],
  ['HLS_INPUT_MALFORMED', 400, 'VALIDATION_ERROR', pulled, rtmp],
  ['HLS_INPUT_INCOMPATIBLE', 400, 'VALIDATION_ERROR', pulled, rtmp],
  ['HLS_INPUT_NORMALIZE_CAPACITY', 503, 'SERVICE_UNAVAILABLE', pulled, rtmp],
  [
    'PICTURE_IN_PICTURE_UNSUPPORTED_FOR_SOURCE',
    501,
    'UNSUPPORTED_OPERATION',
    { ...rtmp, pictureInPicture: true },
    rtmp,
  ],
  ['MEDIA_LIVE_NOT_CONFIGURED', 501, 'UNSUPPORTED_OPERATION', rtmp, null],
  ['SRT_RELAY_NOT_CONFIGURED', 501, 'UNSUPPORTED_OPERATION', { sourceType: 'SRT_PUSH' }, rtmp],
  ['RTMP_ENDPOINT_UNREACHABLE', 503, 'SERVICE_UNAVAILABLE', rtmp, { sourceType: 'SRT_PUSH' }],
];
test('the fault of each code gives it with its status to the requests that could meet it', (t) =>
  eachCase(codes, async ([code, status, type, meets, spared]) => {
    const harness = new LiveHarness(t);
    harness.setFaults({ fault: 'live_error', code, count: 1 });
    if (spared) await harness.created(spared);
    const started = harness.media.runs.length;
    const answer = await harness.create(meets);
    const error = errorOf(answer, status);
    assert.deepEqual([error.code, error.type], [code, type]);
    const wait = code === 'HLS_INPUT_NORMALIZE_CAPACITY' ? '30' : undefined;
    assert.equal(answer.headers['retry-after'], wait);
    assert.equal(harness.media.runs.length, started);
    await harness.created(meets);
  }));

test('a fault of a status answers in the live envelope, with the wait that it names and no other', async (t) => {
  const harness = new LiveHarness(t);
  harness.setFaults({ fault: 'rest_error', status: 503, operation: 'live_sessions', count: 1 });
  const unavailable = await harness.list();
  assert.equal(errorOf(unavailable, 503).type, 'SERVICE_UNAVAILABLE');
  assert.equal(unavailable.headers['retry-after'], undefined);
  harness.setFaults({
    fault: 'rest_error',
    status: 429,
    operation: 'live_sessions',
    retry_after: 7,
    count: 1,
  });
  const limited = await harness.list();
  assert.equal(errorOf(limited, 429).code, 'BAD_REQUEST');
  assert.equal(limited.headers['retry-after'], '7');
  harness.setFaults({ fault: 'rest_error', status: 500, operation: 'live_sessions' });
  assert.equal(errorOf(await harness.get(unknown), 500).code, 'INTERNAL_ERROR');
});

test('an RTMP ingest that cannot be opened is 503 and other media are 500, and neither leaves a session or describes the failure', async (t) => {
  const logged = t.mock.method(console, 'error', () => {});
  const harness = new LiveHarness(t);
  harness.media.atOnce = false;
  for (const [sourceType, status, code] of [
    ['RTMP_PUSH', 503, 'RTMP_ENDPOINT_UNREACHABLE'],
    ['SRT_PUSH', 500, 'INTERNAL_ERROR'],
  ] as const) {
    const answer = harness.create({ sourceType });
    await until(
      () => harness.media.runs.at(-1)?.spec.source.kind,
      (kind) => kind === sourceType.slice(0, -5).toLowerCase(),
    );
    harness.run.refuse(new Error('secret inside'));
    const error = errorOf(await answer, status);
    assert.equal(error.code, code);
    assert.doesNotMatch(JSON.stringify(error), /secret/);
    assert.equal(harness.run.stops, 1);
  }
  assert.deepEqual((await harness.list()).body, { sessions: [] });
  assert.equal(logged.mock.callCount(), 2);
});

test('an internal failure is 500, printed and not described to the client', async (t) => {
  const logged = t.mock.method(console, 'error', () => {});
  const harness = new LiveHarness(t);
  harness.media.start = () => {
    throw new Error('secret inside');
  };
  const error = errorOf(await harness.create({ sourceType: 'SRT_PUSH' }), 500);
  assert.deepEqual([error.code, error.type], ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);
  assert.doesNotMatch(JSON.stringify(error), /secret/);
  assert.equal(logged.mock.callCount(), 1);
});
