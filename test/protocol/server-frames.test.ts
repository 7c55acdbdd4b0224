// Reading what the service sends: tolerant of what is new or missing, never an exception.
import assert from 'node:assert/strict';
import test from 'node:test';
import { parseServerFrame, type ServerFrame } from '../../src/protocol/server-frames.ts';

/** The frame, which the test expects to be one. */
function frameOf(value: object): ServerFrame {
  const parsed = parseServerFrame(JSON.stringify(value));
  assert.equal(parsed.kind, 'frame');
  return parsed.frame;
}

const whole: ServerFrame[] = [
  {
    type: 'session.ready',
    session_id: 's-1',
    config_applied: { digital_signer: 'rae' },
    limits: { max_text_length: 100, max_messages_per_minute: 6, max_inflight: 2 },
  },
  { type: 'text.ack', ref: 'a', timestamp: '2026-01-01T00:00:00Z' },
  {
    type: 'result',
    ref: 'a',
    url: 'https://media.example/a.mp4?signature=x%2Fy',
    url_expires_at: '2026-01-01T00:05:00Z',
    duration_seconds: 3.25,
    pipeline_ms: { gloss: 1, render: 2, encode: 3, total: 6 },
  },
  { type: 'text.progress', ref: 'a', stage: 'gloss', status: 'completed', duration_ms: 12 },
  { type: 'session.summary', session_id: 's-1', usage: { messages_processed: 1 } },
  {
    type: 'error',
    ref: 'a',
    code: 'render_failed',
    stage: 'gloss_translation',
    message: 'no video',
    severity: 'message',
    retryable: true,
    retry_after_seconds: 0.5,
  },
];

for (const frame of whole) {
  test(`a whole ${frame.type} is read unchanged`, () => assert.deepEqual(frameOf(frame), frame));

  test(`unknown fields of ${frame.type} are kept`, () => {
    assert.deepEqual(frameOf({ ...frame, later: { deep: [1] } }), { ...frame, later: { deep: [1] } });
  });
}

test('missing limits are the beta defaults of document 3', () => {
  const defaults = { max_text_length: 5000, max_messages_per_minute: 60, max_inflight: 3 };
  assert.deepEqual(frameOf({ type: 'session.ready', session_id: 's' }), {
    type: 'session.ready',
    session_id: 's',
    config_applied: {},
    limits: defaults,
  });
  assert.deepEqual(
    frameOf({ type: 'session.ready', session_id: 's', limits: { max_inflight: 9, later: 1 } }),
    {
      type: 'session.ready',
      session_id: 's',
      config_applied: {},
      limits: { ...defaults, max_inflight: 9, later: 1 },
    },
  );
});

test('limits of null are the defaults', () => {
  const ready = { type: 'session.ready', session_id: 's' };
  assert.deepEqual(frameOf({ ...ready, limits: null }), frameOf(ready));
});

test('the seconds of a hint in digits are that number', () => {
  for (const [given, read] of [
    ['30', 30],
    ['0.5', 0.5],
    ['soon', null],
    ['', null],
    ['-1', null],
  ] as const) {
    const frame = frameOf({ type: 'error', code: 'rate_limited', retry_after_seconds: given });
    assert.deepEqual(frame.type === 'error' && frame.retry_after_seconds, read);
  }
});

test('a limit in digits is that number, a fraction is the whole number below, and one of no number is the default', () => {
  const limits = { max_text_length: '400', max_messages_per_minute: 12.5, max_inflight: null };
  assert.deepEqual(frameOf({ type: 'session.ready', session_id: 's', limits }), {
    type: 'session.ready',
    session_id: 's',
    config_applied: {},
    limits: { max_text_length: 400, max_messages_per_minute: 12, max_inflight: 3 },
  });
});

test('a limit may be the largest number that a service has, which is no safe integer here', () => {
  const limits = { max_text_length: 2 ** 63, max_messages_per_minute: 2 ** 53, max_inflight: 2 ** 31 };
  assert.deepEqual(frameOf({ type: 'session.ready', session_id: 's', limits }), {
    type: 'session.ready',
    session_id: 's',
    config_applied: {},
    limits,
  });
});

const terse: object[] = [
  { type: 'result', ref: 'a', url: 'http://media.example/a' },
  {
    type: 'result',
    ref: 'a',
    url: 'http://media.example/a',
    url_expires_at: null,
    duration_seconds: null,
    pipeline_ms: null,
  },
  { type: 'text.progress', ref: 'a', stage: 'gloss' },
  { type: 'session.summary', usage: {} },
  { type: 'error', code: 'internal_error' },
  { type: 'error', code: 'internal_error', ref: null, stage: null, message: null, retry_after_seconds: null },
];

for (const frame of terse) {
  test(`${JSON.stringify(frame)} has all required fields`, () => assert.deepEqual(frameOf(frame), frame));
}

const strange: [frame: object, reads: object][] = [
  [
    { type: 'text.ack', ref: 'a', timestamp: 1_700_000_000 },
    { type: 'text.ack', ref: 'a', timestamp: null },
  ],
  [
    {
      type: 'result',
      ref: 'a',
      url: 'https://m.example/',
      url_expires_at: 5,
      duration_seconds: -1,
      pipeline_ms: [1],
    },
    {
      type: 'result',
      ref: 'a',
      url: 'https://m.example/',
      url_expires_at: null,
      duration_seconds: null,
      pipeline_ms: null,
    },
  ],
  [
    { type: 'error', code: 'x', severity: 'fatal', retryable: 'no', retry_after_seconds: -1, message: {} },
    { type: 'error', code: 'x', severity: null, retryable: null, retry_after_seconds: null, message: null },
  ],
];

for (const [frame, reads] of strange) {
  test(`optional fields of ${JSON.stringify(frame)} that cannot be read are null`, () =>
    assert.deepEqual(frameOf(frame), reads));
}

test('a session has its id and limits when its config cannot be read', () => {
  const limits = { max_text_length: 100, max_messages_per_minute: 6, max_inflight: 2 };
  const frame = { type: 'session.ready', session_id: 's', config_applied: null, limits };
  assert.deepEqual(frameOf(frame), { ...frame, config_applied: {} });
});

for (const type of ['session.mood', 'text', '', 'constructor', '__proto__']) {
  test(`a frame of type "${type}" is of an unknown type, not a broken one`, () => {
    assert.deepEqual(parseServerFrame(JSON.stringify({ type })), { kind: 'unknown', type });
  });
}

const malformed: [what: string, data: unknown, type: string | null, ref: string | null][] = [
  ['binary', new Uint8Array([123, 125]), null, null],
  ['nothing', undefined, null, null],
  ['not JSON', 'hello', null, null],
  ['cut off', '{"type":"result"', null, null],
  ['a list', '[{"type":"text.ack"}]', null, null],
  ['null', 'null', null, null],
  ['a number', '1', null, null],
  ['without a type', '{"ref":"a"}', null, null],
  ['of a type that is no text', '{"type":1}', null, null],
  ['a session.ready without an id', '{"type":"session.ready"}', 'session.ready', null],
  [
    'limits of nothing',
    '{"type":"session.ready","session_id":"s","limits":{"max_inflight":0}}',
    'session.ready',
    null,
  ],
  ['an acknowledgement of nothing', '{"type":"text.ack"}', 'text.ack', null],
  ['a ref that is no text', '{"type":"result","ref":1,"url":"https://m.example/"}', 'result', null],
  ['a result without a URL', '{"type":"result","ref":"a"}', 'result', 'a'],
  ['a script for a URL', '{"type":"result","ref":"a","url":"javascript:alert(1)"}', 'result', 'a'],
  ['data for a URL', '{"type":"result","ref":"a","url":"data:video/mp4,x"}', 'result', 'a'],
  ['a relative URL', '{"type":"result","ref":"a","url":"/a.mp4"}', 'result', 'a'],
  ['an error without a code', '{"type":"error","ref":"a"}', 'error', 'a'],
];

for (const [what, data, type, ref] of malformed) {
  test(`${what} is malformed, with its type and ref`, () => {
    const parsed = parseServerFrame(data);
    assert.equal(parsed.kind, 'malformed');
    assert.deepEqual([parsed.type, parsed.ref], [type, ref]);
    assert.notEqual(parsed.problem, '');
  });
}

test('a byte order mark before a frame is left out, as in the answers over HTTP', () => {
  const parsed = parseServerFrame('\uFEFF{"type":"text.ack","ref":"a"}');
  assert.equal(parsed.kind, 'frame');
});

test('a very deep frame does not throw', () => {
  const deep = `{"type":"result","ref":"a","url":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  assert.equal(parseServerFrame(deep).kind, 'malformed');
});

test('__proto__ in the data is data', () => {
  const parsed = parseServerFrame('{"type":"text.ack","ref":"a","__proto__":{"polluted":true}}');
  assert.equal(parsed.kind, 'frame');
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});
