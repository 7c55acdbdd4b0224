// What is in the captions that HLS sources have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWebVtt } from '../../../../demo/sandbox/live/media/web-vtt.ts';

test('times are read with hours and without, and put onto the source’s clock', () => {
  const file = [
    'WEBVTT - made by hand',
    'X-TIMESTAMP-MAP=LOCAL:00:00:01.000,MPEGTS:900000',
    '',
    '00:02.500 --> 00:03.000',
    'one',
    '',
    '7',
    '01:00:00.000 --> 01:00:01.000 align:start line:0',
    'two',
    'lines',
  ].join('\r\n');
  assert.deepEqual(parseWebVtt(file), [
    { from: 11.5, to: 12, text: 'one' },
    { from: 3609, to: 3610, text: 'two lines' },
  ]);
});

test('without a map the file’s second 0 is the source’s', () => {
  assert.deepEqual(parseWebVtt('WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n'), [
    { from: 1, to: 2, text: 'hello' },
  ]);
});

test('markup is taken out, entities are what they stand for', () => {
  const [cue] = parseWebVtt(
    'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann><b>Mind</b> the\u00a0gap &amp; &lt;wait&gt;&nbsp;\n',
  );
  assert.equal(cue?.text, 'Mind the gap & <wait>');
});

for (const [what, file] of [
  ['something else', '<html></html>'],
  ['nothing', ''],
  ['times that are none', 'WEBVTT\n\n0:1 --> 0:2\nx\n\n00:00.000 -> 00:01.000\nx\n'],
  ['a cue that ends before it begins', 'WEBVTT\n\n00:02.000 --> 00:01.000\nx\n'],
  ['a cue without words', 'WEBVTT\n\n00:01.000 --> 00:02.000\n<i></i>\n'],
  ['notes and styles', 'WEBVTT\n\nNOTE x\n\nSTYLE\n::cue{}\n'],
] as const) {
  test(`there is no cue in ${what}`, () => assert.deepEqual(parseWebVtt(file), []));
}

test('at most 5000 cues are taken of a file, and 500 characters of each', () => {
  const cue = `00:01.000 --> 00:02.000\n${'word '.repeat(200)}\n\n`;
  const cues = parseWebVtt(`WEBVTT\n\n${cue.repeat(6000)}`);
  assert.equal(cues.length, 5000);
  assert.equal(cues[0]!.text.length, 500);
});

for (const [what, text] of [
  ['brackets', '<'],
  ['digits', '1'],
  ['spaces', ' '],
] as const) {
  test(`a file of a million ${what} costs no more than its length`, () => {
    const hostile = text.repeat(1_000_000);
    const times = '00:01.000 --> 00:02.000';
    const map = `X-TIMESTAMP-MAP=LOCAL:${hostile},MPEGTS:0`;
    assert.deepEqual(
      parseWebVtt(`WEBVTT\n${map}\n\n${hostile}${times}${hostile}\nx\n\n${times}\nhello${hostile}`),
      [{ from: 1, to: 2, text: text === '1' ? `hello${hostile}`.slice(0, 500) : 'hello' }],
    );
  });
}
