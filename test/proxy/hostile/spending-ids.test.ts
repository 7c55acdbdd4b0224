// Attempts to hide a text from the cap by ids, names of fields and session starts: the proxy would take the answer to one frame
// for the answer to another, or proxy and service read one frame differently. Also a service that reports absurd sums.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { until } from '../../until.ts';
import { SESSION_START } from '../client-socket.ts';
import { mountedProxy, type MountedProxy } from '../mounted-proxy.ts';
import { spentBy } from '../spending-harness.ts';

interface Harness extends MountedProxy {
  /** The client sends these frames in order, then the service sends these answers, and then the client leaves. */
  leaveAfter(frames: readonly string[], answers: readonly object[]): Promise<void>;
  /** The seconds of video that are counted, as soon as they are not 0. */
  seconds(): Promise<number>;
  characters(): Promise<number>;
}

async function harness(t: TestContext): Promise<Harness> {
  const proxy = await mountedProxy(t);
  return {
    ...proxy,
    async leaveAfter(frames, answers) {
      const { client, session } = await proxy.pair();
      for (const frame of frames) {
        client.socket.send(frame);
        await session.frames.next();
      }
      for (const answer of answers) {
        session.socket.send(JSON.stringify(answer));
        await client.frames.next();
      }
      proxy.clock.advance(9_000);
      client.socket.terminate();
      await session.closed;
    },
    seconds: () => until(() => spentBy(proxy, 'video_seconds')),
    characters: () => spentBy(proxy, 'characters'),
  };
}

const STREAM = SESSION_START.replace('translate', 'stream');
const FOUR_SECONDS = JSON.stringify({ type: 'text', id: 'a', data: 'One two three four five.' });
const refusedStart = { type: 'error', ref: '', code: 'invalid_session_start' };
const error = { type: 'error', ref: 'a', code: 'invalid_message' };
const result = { type: 'result', ref: 'a', duration_seconds: 3 };

test('a stream that starts after a session.start that the service refused counts its time', async (t) => {
  const { leaveAfter, seconds } = await harness(t);
  await leaveAfter([SESSION_START, STREAM], [refusedStart]);
  assert.equal(await seconds(), 9);
});

test('texts count too when they follow a session.start of a stream that the service refused', async (t) => {
  const { leaveAfter, seconds } = await harness(t);
  await leaveAfter([STREAM, SESSION_START, FOUR_SECONDS], [refusedStart]);
  assert.equal(await seconds(), 9 + 4);
});

for (const [what, start] of [
  ['with a second Mode', SESSION_START.replace('}', '},"Mode":"stream"')],
  ['with a second mode first', SESSION_START.replace('"mode"', '"Mode":"stream","mode"')],
  ['with the mode Stream', SESSION_START.replace('translate', 'Stream')],
] as const) {
  test(`the time of a session ${what} counts, because a service may read that as a stream, and its texts count too`, async (t) => {
    const { leaveAfter, seconds } = await harness(t);
    await leaveAfter([start, FOUR_SECONDS], []);
    assert.equal(await seconds(), 9 + 4);
  });
}

for (const [what, before, ofIt] of [
  ['that is no text', '{"type":"nothing","id":"a"}', 0],
  ['that cannot be read here', '{"type":"nothing","id":"a","x":NaN}', 4.5],
] as const) {
  test(`the error of a frame ${what} does not hide the text with its id that follows`, async (t) => {
    const { leaveAfter, seconds } = await harness(t);
    await leaveAfter([SESSION_START, before, FOUR_SECONDS], [error]);
    assert.equal(await seconds(), 4 + ofIt);
  });
}

for (const [what, id, ref] of [
  ['an empty id', '""', ''],
  ['the id null', 'null', null],
] as const) {
  test(`an error about no text does not hide the text that has ${what}`, async (t) => {
    const { leaveAfter, seconds } = await harness(t);
    const unnamed = FOUR_SECONDS.replace('"a"', id);
    await leaveAfter([SESSION_START, unnamed, '{"type":"nothing"}'], [{ ...error, ref }]);
    assert.equal(await seconds(), 4);
  });
}

test('a fetched result of an earlier session does not hide the text that now has its id', async (t) => {
  const { leaveAfter, seconds } = await harness(t);
  await leaveAfter([SESSION_START, FOUR_SECONDS, '{"type":"result.fetch","id":"a"}'], [result]);
  assert.equal(await seconds(), 3 + 4);
});

test('a result that is fetched before it is there, while its text is under way, is counted once', async (t) => {
  const { leaveAfter, seconds } = await harness(t);
  await leaveAfter([SESSION_START, FOUR_SECONDS, '{"type":"result.fetch","id":"a"}'], [error, result]);
  assert.equal(await seconds(), 3);
});

for (const [what, fields] of [
  ['with two data', '"id":"a","data":"One two three four five.","data":"x"'],
  [
    'with two data, one of them with an escape in its name',
    '"id":"a","data":"One two three.","d\\u0061ta":"x"',
  ],
  ['with Data in place of data', '"id":"a","Data":"One two three four five."'],
  ['with spaces around its names', '" id":"a"," data ":"One two three four five."'],
] as const) {
  test(`a text ${what} counts with all its bytes`, async (t) => {
    const { leaveAfter, characters } = await harness(t);
    const frame = `{"type":"text",${fields}}`;
    await leaveAfter([SESSION_START, frame], []);
    assert.equal(await characters(), frame.length);
  });
}

test('a text of the type Text counts, unless the service refuses it', async (t) => {
  const { leaveAfter, characters, seconds } = await harness(t);
  const other = FOUR_SECONDS.replace('"text"', '"Text"');
  await leaveAfter([SESSION_START, other, other.replace('"a"', '"b"')], [error]);
  assert.deepEqual([await seconds(), await characters()], [4, 48]);
});

test('a mode and a type that cannot be converted to strings pass unchanged, and the text after them counts', async (t) => {
  const { leaveAfter, characters, seconds } = await harness(t);
  const start = SESSION_START.replace('"translate"', '{"toString":1}');
  await leaveAfter([start, FOUR_SECONDS.replace('"text"', '[{"toString":1}]'), FOUR_SECONDS], []);
  assert.deepEqual([await seconds(), await characters()], [4, 24]);
});

test('of a frame that all parsers read in the same way only the text counts', async (t) => {
  const { leaveAfter, characters } = await harness(t);
  const odd = '{"type":"text","id":"a","data":"Say \\"data\\\\\\" é.","more":{"Data":[true,"data"]}}';
  await leaveAfter([SESSION_START, odd], []);
  assert.equal(await characters(), 'Say "data\\" é.'.length);
});

test('a summary that is more than a day above the counted seconds adds nothing to the texts', async (t) => {
  const { leaveAfter, seconds } = await harness(t);
  const summary = { type: 'session.summary', usage: { total_video_duration_sec: 3 + 86_401 } };
  const unanswered = FOUR_SECONDS.replace('"a"', '"b"');
  await leaveAfter([SESSION_START, FOUR_SECONDS, unanswered], [result, summary]);
  assert.equal(await seconds(), 3 + 4);
});

test('a result counts once for its ref, however the service writes the ref', async (t) => {
  const proxy = await mountedProxy(t);
  const { client, session } = await proxy.started();
  const frames = [
    '{"type":"result","ref":"a","duration_seconds":2}',
    '{"type":"result","ref":"b","url":"https://a.example/?b=~","duration_seconds":2.0,"pipeline_ms":{"gloss":1,"total":2.5}}',
    '{"type":"result","ref":"other","duration_seconds":90,"duration_seconds":2,"ref":"c"}',
    '{"type":"result","ref":"g","pipeline_ms":{"total":1,"duration_seconds":90},"duration_seconds":2}',
    '{"type":"result","ref":"other","duration_seconds":2,"\\u0072ef":"d"}',
    '{"type":"result","ref":"\\u0065","duration_seconds":"2"}',
    '{ "duration_seconds": 0.2e1, "ref": "f", "type": "result", "x": [null] }',
    '{"type":"result","ref":"never","duration_seconds":02}',
    '{"type":"result","ref":"never","duration_seconds":9,"x":"\t"}',
    '{"type":"result","ref":"never","duration_seconds":9,"type":"text.ack"}',
  ];
  for (const frame of [...frames, ...frames]) {
    session.socket.send(frame);
    await client.frames.next();
  }
  const metrics = await (await fetch(`${proxy.origin}/metrics`)).text();
  assert.match(metrics, /^sign_proxy_video_seconds_total\{site="default"\} 14$/m);
});
