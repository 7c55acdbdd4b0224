// The create request (document 2, Live session create request), field by field: what is accepted, and what is refused by name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLiveRequest } from '../../../demo/sandbox/live/live-request.ts';
import { eachCase } from '../each-case.ts';

const rtmp = { sourceType: 'RTMP_PUSH' };
const namesOf = (body: unknown): string[] => {
  const parsed = parseLiveRequest(body);
  return 'problems' in parsed ? parsed.problems.map(({ field }) => field) : [];
};

const wrong: readonly (readonly [what: string, body: unknown, ...fields: string[]])[] = [
  ['no object', null, 'body'],
  ['a list', [], 'body'],
  ['nothing', {}, 'sourceType'],
  ['an unknown source', { sourceType: 'WEBRTC' }, 'sourceType'],
  ['a source in small letters', { sourceType: 'rtmp_push' }, 'sourceType'],
  ['a pull of nothing', { sourceType: 'HLS_PULL' }, 'hlsSourceUrl'],
  ['a pull of a file', { sourceType: 'HLS_PULL', hlsSourceUrl: 'file:///etc/passwd' }, 'hlsSourceUrl'],
  ['a pull of a word', { sourceType: 'HLS_PULL', hlsSourceUrl: 'source.m3u8' }, 'hlsSourceUrl'],
  [
    'an address of 5000 characters',
    { ...rtmp, hlsSourceUrl: `http://a/${'b'.repeat(5000)}` },
    'hlsSourceUrl',
  ],
  ['null for an optional field', { ...rtmp, language: null }, 'language'],
  ['an unknown output', { ...rtmp, outputType: 'DASH' }, 'outputType'],
  ['RTMP output without its URL', { ...rtmp, outputType: 'RTMP' }, 'rtmpOutputUrl'],
  ['RTMP output over http', { ...rtmp, outputType: 'RTMP', rtmpOutputUrl: 'http://a/b' }, 'rtmpOutputUrl'],
  ['RTMP output to no host', { ...rtmp, outputType: 'RTMP', rtmpOutputUrl: 'rtmp:///live' }, 'rtmpOutputUrl'],
  ['an empty stream key', { ...rtmp, rtmpOutputStreamKey: '' }, 'rtmpOutputStreamKey'],
  ['SRT output without its URL', { ...rtmp, outputType: 'SRT' }, 'outputDestinationUrl'],
  [
    'SRT output over udp',
    { ...rtmp, outputType: 'SRT', outputDestinationUrl: 'udp://a:1' },
    'outputDestinationUrl',
  ],
  ['a composite that is a word', { ...rtmp, pictureInPicture: 'true' }, 'pictureInPicture'],
  ['an unknown language', { ...rtmp, language: 'LSF' }, 'language'],
  ['an unknown signer', { ...rtmp, signer: 'BOB' }, 'signer'],
  ['RAE for ASL', { ...rtmp, signer: 'RAE', language: 'ASL' }, 'language'],
  ['MAX for BSL', { ...rtmp, signer: 'MAX', language: 'BSL' }, 'language'],
  [
    'a passphrase of 9 characters',
    { ...rtmp, srtConfig: { passphrase: '123456789' } },
    'srtConfig.passphrase',
  ],
  ['a passphrase of 80', { ...rtmp, srtConfig: { passphrase: 'x'.repeat(80) } }, 'srtConfig.passphrase'],
  ['a key of 24 bytes', { ...rtmp, outputSrtConfig: { keyLength: 24 } }, 'outputSrtConfig.keyLength'],
  ['a negative latency', { ...rtmp, srtConfig: { latency: -1 } }, 'srtConfig.latency'],
  ['half a millisecond', { ...rtmp, srtConfig: { latency: 0.5 } }, 'srtConfig.latency'],
  ['an SRT configuration that is a word', { ...rtmp, srtConfig: 'secret' }, 'srtConfig'],
  ['a connection id that is a number', { ...rtmp, connectionId: 7 }, 'connectionId'],
  [
    'many mistakes',
    { sourceType: 'HLS_PULL', outputType: 'SRT', language: 'LSF' },
    'language',
    'hlsSourceUrl',
    'outputDestinationUrl',
  ],
];
test('a wrong field is refused by its name', () =>
  eachCase(wrong, ([, body, ...fields]) => {
    assert.deepEqual(namesOf(body).sort(), [...fields].sort());
  }));

test('the language follows the signer, and the signer the language', () =>
  eachCase(
    [
      [{}, 'BSL', 'RAE'],
      [{ language: 'BSL' }, 'BSL', 'RAE'],
      [{ language: 'ASL' }, 'ASL', 'MAX'],
      [{ signer: 'RAE' }, 'BSL', 'RAE'],
      [{ signer: 'MAX' }, 'ASL', 'MAX'],
      [{ signer: 'JAY' }, 'ASL', 'JAY'],
      [{ signer: 'JAY', language: 'ASL' }, 'ASL', 'JAY'],
    ] as const,
    ([asked, language, signer]) => {
      const parsed = parseLiveRequest({ ...rtmp, ...asked });
      assert.ok(!('problems' in parsed), 'accepted');
      assert.deepEqual([parsed.language, parsed.signer], [language, signer]);
    },
  ));

test('output is HLS by default, and there is a composite only when it is requested', () => {
  const parsed = parseLiveRequest(rtmp);
  assert.ok(!('problems' in parsed), 'accepted');
  assert.deepEqual([parsed.outputType, parsed.pictureInPicture], ['HLS', false]);
});

test('unknown fields pass, and so does a connection id, empty or not', () => {
  for (const connectionId of ['', 'connection-1']) {
    assert.deepEqual(namesOf({ ...rtmp, connectionId, colour: 'green' }), []);
  }
});
