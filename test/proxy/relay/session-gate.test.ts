// Which frames pass the gate, and as what.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectFrame } from '../../../proxy/relay/session-start.ts';

const judge = (frame: string): string => {
  const verdict = inspectFrame(Buffer.from(frame));
  return verdict.kind === 'refuse' ? 'refuse' : `${verdict.kind} ${verdict.frame.toString()}`;
};
const long = 'a'.repeat(200);

for (const frame of [
  '{"type":"text","data":"we say session.start here"}',
  '{"type":"text","data":"\\u00e9"}',
  `{"type":"text","data":"${'\\"'.repeat(30_000)}session.start`,
  '["session.start"]',
  '"session.start"',
  '\\u',
  '',
]) {
  test(`${JSON.stringify(frame.slice(0, 60))} goes on byte for byte`, () => {
    assert.equal(judge(frame), `other ${frame}`);
  });
}

for (const frame of [
  '{"type":"session.start","version":"3.0"}',
  ' { "type" : "session.start", "version" : "3.0" } ',
  '{"version":"1.0","type":"text","version":"3.0","type":"session.start"}',
  '{"\\u0074ype":"session\\u002estart","version":"3.\\u0030"}',
]) {
  test(`${frame} goes on as the start that it was understood to be`, () => {
    assert.match(judge(frame), /^start /);
    const { type, version, ...rest } = JSON.parse(judge(frame).slice('start '.length)) as Record<
      string,
      unknown
    >;
    assert.deepEqual([type, version, rest], ['session.start', '3.0', {}]);
  });
}

test('a frame whose first type was session.start goes on without it', () => {
  const frame = '{"type":"session.start","version":"1.0","type":"text","id":"1"}';
  assert.equal(judge(frame), 'other {"type":"text","version":"1.0","id":"1"}');
});

for (const frame of [
  '{"type":"session.start","version":"2.0"}',
  '{"type":"session.start","version":3.0}',
  '{"type":"session.start","version":"1.0"',
  '{"type":"session.start","version":"1.0","x":NaN}',
  '{"type":"session.start","version":"2.0","x":-Infinity}',
  '{"type":"session.start","version":"1.0",}',
  '{"type":"session.start","version":"1.0"}{"type":"text"}',
  '{"type":"session.start"}',
  '{"type":"session.start","version":"3.0","Version":"1.0"}',
  '{"type":"session.start","Version":"3.0"}',
  '{"Type":"session.start","version":"1.0"}',
  '{"type":"text","TYPE":"session.start","version":"1.0"}',
  '{"type":"session.start","version":"3.0","version":"1.0"}',
  '\uFEFF{"type":"session.start","version":"1.0"}',
  `{"${long}":"${long}","type":"session.start","version":"1.0"}`,
  `{"a":"\\"","type":"${[...'session.start'].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')}"}`,
  `{"type":"session.start","version":"3.0","a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
]) {
  test(`${JSON.stringify(frame.slice(0, 80))} is refused`, () => assert.equal(judge(frame), 'refuse'));
}
