// Which messages are read from their bytes without parsing, and that they are counted as parsed messages are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOf } from '../../../proxy/relay/id-key.ts';
import { plainResult, plainText, PLAIN_ID_AT } from '../../../proxy/relay/plain-frames.ts';
import { spacesIn } from '../../../proxy/relay/text-estimate.ts';
import { randomOf } from '../fuzz/random.ts';

/** `read` gets the message between other bytes that would end it or continue it. */
function readIn<Plain>(read: (data: Uint8Array, from: number, to: number) => Plain, message: string): Plain {
  const data = Buffer.from(`"}${message}"}`, 'latin1');
  return read(data, 2, data.length - 2);
}

for (const [id, data] of [
  ['1', 'The train is late'],
  ['', ''],
  ['a b', '  two  spaces '],
  ['session.starts', 'we say session.start here'],
  ['[]{},:', '{"'.replace('"', ',')],
] as const) {
  test(`the text ${JSON.stringify({ id, data })} is read from its bytes`, () => {
    const message = JSON.stringify({ type: 'text', id, data });
    assert.deepEqual(readIn(plainText, message), {
      key: keyOf(id),
      idLength: id.length,
      characters: data.length,
      spaces: spacesIn(data),
      hasEscapes: false,
    });
    assert.equal(message.slice(PLAIN_ID_AT, PLAIN_ID_AT + id.length), id);
    for (let at = 0; at < message.length; at += 1) {
      assert.equal(readIn(plainText, message.slice(0, at)), null, `${at} bytes of it are not whole`);
    }
  });
}

for (const message of [
  '{"type":"text","id":"1","data":"a\\"b"}',
  '{"type":"text","id":"\\u0031","data":"a"}',
  '{"type":"text","id":"1","data":"\u00e9"}',
  '{"type":"text","id":"1","data":"a\tb"}',
  '{"type":"text","id":"1","data":"a","data":"b"}',
  '{"type":"text","id":"1","data":"a"} ',
  '{"type":"text","id":1,"data":"a"}',
  '{"type":"text","data":"a","id":"1"}',
  '{"type":"text","id":"session.start","data":"a"}',
  '{"type":"text","id":"1","data":"session.start"}',
  '{"type":"Text","id":"1","data":"a"}',
  '',
]) {
  test(`${JSON.stringify(message)} is no plain text`, () => assert.equal(readIn(plainText, message), null));
}

for (const sign of ['%', '&']) {
  test(`an escape may begin with ${sign} in an id, a text, a ref and an address`, () => {
    for (const [id, data] of [
      [sign, ''],
      ['', sign],
    ]) {
      assert.equal(readIn(plainText, JSON.stringify({ type: 'text', id, data }))?.hasEscapes, true);
      const result = { type: 'result', ref: id, duration_seconds: 1, url: data };
      assert.equal(readIn(plainResult, JSON.stringify(result))?.hasEscapes, true);
    }
  });
}

for (const members of [
  { duration_seconds: 2.5 },
  { url: 'https://media.example/1.mp4', duration_seconds: 0 },
  { duration_seconds: 86_400.125, pipeline_ms: { gloss: 1, total: 2.5 }, url: 'u' },
]) {
  const message = JSON.stringify({ type: 'result', ref: 'a-1', ...members });
  test(`${message} is read from its bytes`, () => {
    assert.deepEqual(readIn(plainResult, message), {
      key: keyOf('a-1'),
      seconds: members.duration_seconds,
      hasEscapes: false,
    });
    for (let at = 0; at < message.length; at += 1) {
      assert.equal(readIn(plainResult, message.slice(0, at)), null, `${at} bytes of it are not whole`);
    }
  });
}

for (const members of [
  '"url":"u"',
  '"duration_seconds":1,"duration_seconds":2',
  '"duration_seconds":1,"ref":"2"',
  '"duration_seconds":1,"type":"error"',
  '"duration_seconds":1,"usage":{"total_video_duration_sec":1}',
  '"duration_seconds":"1"',
  '"duration_seconds":-1',
  '"duration_seconds":1e3',
  '"duration_seconds":01',
  '"duration_seconds":1.',
  '"duration_seconds":.5',
  '"duration_seconds":',
  '"duration_seconds":1234567.123456789',
  '"duration_seconds":1,"more":[1]',
  '"duration_seconds":1,"more":{}',
  '"duration_seconds":1,"more":{"a":{"b":1}}',
  '"duration_seconds":1,"more":{"a":1,}',
  '"duration_seconds":1,"url":"\\u0061"',
  '"duration_seconds":1,"url":"\u00e9"',
  '"duration_seconds":1,',
  '"duration_seconds":1,,"url":"u"',
  '"duration_seconds": 1',
]) {
  test(`a result with ${members} is parsed`, () => {
    assert.equal(readIn(plainResult, `{"type":"result","ref":"1",${members}}`), null);
  });
}

test('the seconds of a plain result are the same number as when they are parsed', () => {
  const random = randomOf(16);
  let read = 0;
  for (let count = 0; count < 20_000; count += 1) {
    const digits = (most: number): string =>
      Array.from({ length: random.below(most + 1) }, () => random.below(10)).join('');
    const number = random.chance(0.3) ? digits(16) : `${digits(8)}.${digits(9)}`;
    const plain = readIn(plainResult, `{"type":"result","ref":"1","duration_seconds":${number}}`);
    if (plain === null) continue;
    read += 1;
    assert.equal(plain.seconds, JSON.parse(number), number);
  }
  assert.ok(read > 10_000, `${read} were read`);
});
