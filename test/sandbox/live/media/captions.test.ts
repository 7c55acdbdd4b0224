// What is in the captions that HLS sources have, and how they are fetched.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { followCaptions } from '../../../../demo/sandbox/live/media/captions.ts';
import type { Cue } from '../../../../demo/sandbox/live/media/sentences.ts';
import { parseWebVtt } from '../../../../demo/sandbox/live/media/web-vtt.ts';
import { listening } from '../../../listening.ts';
import { eachCase } from '../../each-case.ts';

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

test('markup is removed and entities are decoded', () => {
  const [cue] = parseWebVtt(
    'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann><b>Mind</b> the\u00a0gap &amp; &lt;wait&gt;&nbsp;\n',
  );
  assert.equal(cue?.text, 'Mind the gap & <wait>');
});

test('a file that has no valid cue gives none', () =>
  eachCase(
    [
      ['something else', '<html></html>'],
      ['nothing', ''],
      ['times that are none', 'WEBVTT\n\n0:1 --> 0:2\nx\n\n00:00.000 -> 00:01.000\nx\n'],
      ['a cue that ends before it begins', 'WEBVTT\n\n00:02.000 --> 00:01.000\nx\n'],
      ['a cue without words', 'WEBVTT\n\n00:01.000 --> 00:02.000\n<i></i>\n'],
      ['notes and styles', 'WEBVTT\n\nNOTE x\n\nSTYLE\n::cue{}\n'],
    ] as const,
    ([, file]) => assert.deepEqual(parseWebVtt(file), []),
  ));

test('at most 5000 cues are taken of a file, and 500 characters of each', () => {
  const cue = `00:01.000 --> 00:02.000\n${'word '.repeat(200)}\n\n`;
  const cues = parseWebVtt(`WEBVTT\n\n${cue.repeat(6000)}`);
  assert.equal(cues.length, 5000);
  assert.equal(cues[0]!.text.length, 500);
});

test('a hostile file costs no more than its length', () =>
  eachCase(
    [
      ['brackets', '<'],
      ['digits', '1'],
      ['spaces', ' '],
    ] as const,
    ([, text]) => {
      const hostile = text.repeat(1_000_000);
      const times = '00:01.000 --> 00:02.000';
      const map = `X-TIMESTAMP-MAP=LOCAL:${hostile},MPEGTS:0`;
      assert.deepEqual(
        parseWebVtt(`WEBVTT\n${map}\n\n${hostile}${times}${hostile}\nx\n\n${times}\nhello${hostile}`),
        [{ from: 1, to: 2, text: text === '1' ? `hello${hostile}`.slice(0, 500) : 'hello' }],
      );
    },
  ));

test('a caption file that fails delays no other; it is requested three times, and signed when it comes', async (t) => {
  const head = '#EXTM3U\n#EXT-X-VERSION:4\n';
  const names = ['first', 'gone', 'away', 'late', 'last'];
  const listed = names.map((name) => `#EXTINF:2,\n${name === 'away' ? 'file:///' : ''}${name}.vtt\n`);
  const vtt = (name: string): string => `WEBVTT\n\n00:0${names.indexOf(name)}.000 --> 00:09.000\n${name}\n`;
  const asked: string[] = [];
  const origin = await listening(
    t,
    createServer((request, response) => {
      const name = /^\/(\w+)/.exec(request.url ?? '')![1]!;
      asked.push(name);
      const isThere =
        name !== 'gone' && (name !== 'late' || asked.filter((each) => each === name).length > 1);
      response.statusCode = isThere ? 200 : 404;
      if (name === 'main') {
        const media = '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",URI="captions.m3u8"\n';
        response.end(`${head}${media}#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="s"\nvod.m3u8\n`);
      } else if (name === 'captions') response.end(`${head}${listed.join('')}#EXT-X-ENDLIST\n`);
      else response.end(isThere ? vtt(name) : 'WEBVTT');
    }),
  );
  const signed: string[] = [];
  const add = (cues: readonly Cue[]): void => void signed.push(...cues.map(({ text }) => text));
  await followCaptions(`${origin}/main.m3u8`, { hasRoom: true, add });
  assert.deepEqual(signed, ['first', 'last', 'late']);
  const times = (name: string): number => asked.filter((each) => each === name).length;
  assert.deepEqual(names.map(times), [1, 3, 0, 2, 1]);
});
