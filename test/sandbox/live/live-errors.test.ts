// The live error envelope and its codes (document 2, Errors): each code with its status and type, the request's id in every
// answer, and nothing of what is inside.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../../demo/sandbox/fault-table.ts';
import { until } from '../../until.ts';
import { errorOf, KEY, LiveDesk, SESSIONS } from './live-desk.ts';

const unknown = '00000000-0000-4000-a000-000000000000';
const requests = [
  ['POST', SESSIONS],
  ['GET', SESSIONS],
  ['GET', `${SESSIONS}/${unknown}`],
  ['DELETE', `${SESSIONS}/${unknown}`],
] as const;

test('without the key, or with another, every operation is 401 before its body is looked at', async (t) => {
  const desk = new LiveDesk(t);
  for (const [method, url] of requests) {
    for (const key of [null, '', `${KEY}x`]) {
      const error = errorOf(await desk.ask({ method, url, payload: '{' }, key), 401);
      assert.deepEqual([error.code, error.type], ['UNAUTHORIZED', 'VALIDATION_ERROR']);
      assert.ok(!JSON.stringify(error).includes(KEY), 'the key is not told');
    }
  }
});

test('X-Request-Id is echoed in the envelope and as a header, with success too; without one the answer has its own', async (t) => {
  const desk = new LiveDesk(t);
  const headers = { 'x-request-id': 'request "1" é' };
  const refused = await desk.ask({ method: 'GET', url: `${SESSIONS}/${unknown}`, headers });
  assert.equal(errorOf(refused, 404).requestId, headers['x-request-id']);
  const listed = await desk.ask({ method: 'GET', url: SESSIONS, headers: { 'x-request-id': 'request-2' } });
  assert.equal(listed.headers['x-request-id'], 'request-2');
  const [one, other] = [await desk.get(unknown), await desk.get(unknown)];
  const ids = [errorOf(one, 404).requestId, errorOf(other, 404).requestId];
  assert.ok(ids.every((id) => id.length > 0) && ids[0] !== ids[1], ids.join());
  assert.equal(one.headers['x-request-id'], ids[0]);
});

test('an id that is not known is 404, one that is no UUID 400', async (t) => {
  const desk = new LiveDesk(t);
  for (const ask of [(id: string) => desk.get(id), (id: string) => desk.stop(id)]) {
    const { code, type, message } = errorOf(await ask(unknown), 404);
    assert.deepEqual([code, type], ['NOT_FOUND', 'NOT_FOUND']);
    assert.match(message, /session/);
    assert.equal(errorOf(await ask('live-1'), 400).code, 'BAD_REQUEST');
  }
});

test('an id is found in any letter case', async (t) => {
  const desk = new LiveDesk(t);
  const id = await desk.created({ sourceType: 'RTMP_PUSH' });
  assert.equal((await desk.get(id.toUpperCase())).status, 200);
});

test('a wrong body names every field of it at once', async (t) => {
  const desk = new LiveDesk(t);
  const wrong = { sourceType: 'HLS_PULL', outputType: 'RTMP', signer: 'BOB', pictureInPicture: 'yes' };
  const { code, type, message, details } = errorOf(await desk.create(wrong), 400);
  assert.deepEqual([code, type], ['BAD_REQUEST', 'VALIDATION_ERROR']);
  const named = (details?.['fields'] as { field: string }[]).map(({ field }) => field).sort();
  assert.deepEqual(named, ['hlsSourceUrl', 'pictureInPicture', 'rtmpOutputUrl', 'signer']);
  for (const field of named) assert.match(message, new RegExp(`${field}: `));
});

const unreadable = {
  'not JSON': { payload: '{', type: 'application/json' },
  'another type': { payload: 'sourceType=RTMP_PUSH', type: 'application/x-www-form-urlencoded' },
  text: { payload: '{"sourceType":"RTMP_PUSH"}', type: 'text/plain' },
  nothing: { payload: '', type: 'application/json' },
};
for (const [what, { payload, type }] of Object.entries(unreadable)) {
  test(`a body that is ${what} is BAD_REQUEST`, async (t) => {
    const desk = new LiveDesk(t);
    const headers = { 'content-type': type };
    const answer = await desk.ask({ method: 'POST', url: SESSIONS, payload, headers });
    assert.equal(errorOf(answer, 400).code, 'BAD_REQUEST');
  });
}

test('a method that is not served is 405 and says which are', async (t) => {
  const desk = new LiveDesk(t);
  for (const [method, url, allow] of [
    ['DELETE', SESSIONS, 'GET, POST'],
    ['PUT', SESSIONS, 'GET, POST'],
    ['POST', `${SESSIONS}/${unknown}`, 'GET, DELETE'],
    ['PATCH', `${SESSIONS}/${unknown}`, 'GET, DELETE'],
  ] as const) {
    const answer = await desk.ask({ method, url });
    const { code, type } = errorOf(answer, 405);
    assert.deepEqual([code, type], ['METHOD_NOT_ALLOWED', 'UNSUPPORTED_OPERATION']);
    assert.equal(answer.headers['allow'], allow);
  }
});

type LiveErrorFault = Extract<Fault, { fault: 'live_error' }>;
const rtmp = { sourceType: 'RTMP_PUSH' };
const pulled = { sourceType: 'HLS_PULL', hlsSourceUrl: 'http://127.0.0.1:1/a.m3u8' };

/** Code, status, type, a request that meets it, and one that does not where there is one. */
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
for (const [code, status, type, meets, spared] of codes) {
  test(`the fault of ${code} gives it with ${status} to the requests that could meet it`, async (t) => {
    const desk = new LiveDesk(t);
    desk.setFaults({ fault: 'live_error', code, count: 1 });
    if (spared) await desk.created(spared);
    const started = desk.media.runs.length;
    const answer = await desk.create(meets);
    const error = errorOf(answer, status);
    assert.deepEqual([error.code, error.type], [code, type]);
    const wait = code === 'HLS_INPUT_NORMALIZE_CAPACITY' ? '30' : undefined;
    assert.equal(answer.headers['retry-after'], wait);
    assert.equal(desk.media.runs.length, started);
    await desk.created(meets);
  });
}

test('a fault of a status answers in the live envelope, with the wait that it names and no other', async (t) => {
  const desk = new LiveDesk(t);
  desk.setFaults({ fault: 'rest_error', status: 503, operation: 'live_sessions', count: 1 });
  const unavailable = await desk.list();
  assert.equal(errorOf(unavailable, 503).type, 'SERVICE_UNAVAILABLE');
  assert.equal(unavailable.headers['retry-after'], undefined);
  desk.setFaults({ fault: 'rest_error', status: 429, operation: 'live_sessions', retry_after: 7, count: 1 });
  const limited = await desk.list();
  assert.equal(errorOf(limited, 429).code, 'BAD_REQUEST');
  assert.equal(limited.headers['retry-after'], '7');
  desk.setFaults({ fault: 'rest_error', status: 500, operation: 'live_sessions' });
  assert.equal(errorOf(await desk.get(unknown), 500).code, 'INTERNAL_ERROR');
});

test('an RTMP ingest that cannot be had is 503, other media 500; neither leaves a session, nor tells what is inside', async (t) => {
  const logged = t.mock.method(console, 'error', () => {});
  const desk = new LiveDesk(t);
  desk.media.atOnce = false;
  for (const [sourceType, status, code] of [
    ['RTMP_PUSH', 503, 'RTMP_ENDPOINT_UNREACHABLE'],
    ['SRT_PUSH', 500, 'INTERNAL_ERROR'],
  ] as const) {
    const answer = desk.create({ sourceType });
    await until(
      () => desk.media.runs.at(-1)?.order.source.kind,
      (kind) => kind === sourceType.slice(0, -5).toLowerCase(),
    );
    desk.run.refuse(new Error('secret inside'));
    const error = errorOf(await answer, status);
    assert.equal(error.code, code);
    assert.doesNotMatch(JSON.stringify(error), /secret/);
    assert.equal(desk.run.stops, 1);
  }
  assert.deepEqual((await desk.list()).body, { sessions: [] });
  assert.equal(logged.mock.callCount(), 2);
});

test('a failure inside is 500, printed and not told', async (t) => {
  const logged = t.mock.method(console, 'error', () => {});
  const desk = new LiveDesk(t);
  desk.media.start = () => {
    throw new Error('secret inside');
  };
  const error = errorOf(await desk.create({ sourceType: 'SRT_PUSH' }), 500);
  assert.deepEqual([error.code, error.type], ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);
  assert.doesNotMatch(JSON.stringify(error), /secret/);
  assert.equal(logged.mock.callCount(), 1);
});
