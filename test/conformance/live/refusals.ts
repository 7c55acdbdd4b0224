// Document 2, everything that creating a live session refuses, one wrong field at a time; ids and keys of all operations.
import assert from 'node:assert/strict';
import { free, staged, type Case } from '../case.ts';
import { call } from '../http.ts';
import type { SentenceId } from '../sentences/index.ts';
import { withKey } from '../translation/api.ts';
import { assertLive, create, sessionsUrl } from './api.ts';

const unknownId = '00000000-0000-4000-a000-000000000000';
const rtmp = { sourceType: 'RTMP_PUSH' };

const wrong: readonly (readonly [what: string, shows: SentenceId, body: object])[] = [
  ['no sourceType', '2.live.source.values', {}],
  ['a sourceType that there is not', '2.live.source.values', { sourceType: 'WEBRTC_PUSH' }],
  ['a sourceType that is a number', '2.live.source.values', { sourceType: 1 }],
  ['HLS_PULL without hlsSourceUrl', '2.live.hls-url', { sourceType: 'HLS_PULL' }],
  ['an hlsSourceUrl that is a number', '2.live.hls-url', { sourceType: 'HLS_PULL', hlsSourceUrl: 5 }],
  ['an srtConfig that is a word', '2.live.srt-config', { sourceType: 'SRT_PUSH', srtConfig: 'fast' }],
  ['a key of 24 bytes', '2.live.srt-config', { sourceType: 'SRT_PUSH', srtConfig: { keyLength: 24 } }],
  ['an outputType that there is not', '2.live.output.values', { ...rtmp, outputType: 'DASH' }],
  ['a pictureInPicture that is a word', '2.live.pip.boolean', { ...rtmp, pictureInPicture: 'yes' }],
  ['RTMP output without rtmpOutputUrl', '2.live.rtmp-url', { ...rtmp, outputType: 'RTMP' }],
  ['SRT output without outputDestinationUrl', '2.live.destination', { ...rtmp, outputType: 'SRT' }],
  [
    'an outputSrtConfig with a key of 8 bytes',
    '2.live.output-srt',
    {
      ...rtmp,
      outputType: 'SRT',
      outputDestinationUrl: 'srt://192.0.2.1:9000',
      outputSrtConfig: { keyLength: 8 },
    },
  ],
  [
    'a latency that is a word',
    '2.live.srt-config',
    { sourceType: 'SRT_PUSH', srtConfig: { latency: 'low' } },
  ],
  ['a stream key that is a number', '2.live.rtmp-key', { ...rtmp, rtmpOutputStreamKey: 5 }],
  ['a connectionId that is a number', '2.live.connection', { ...rtmp, connectionId: 5 }],
  ['a language that is a number', '2.live.language.values', { ...rtmp, language: 2 }],
  ['a language that there is not', '2.live.language.values', { ...rtmp, language: 'LSF' }],
  ['a signer that there is not', '2.live.signer.values', { ...rtmp, signer: 'BOB' }],
  ['RAE with ASL', '2.live.language.match', { ...rtmp, signer: 'RAE', language: 'ASL' }],
  ['JAY with BSL', '2.live.language.match', { ...rtmp, signer: 'JAY', language: 'BSL' }],
  ['MAX with BSL', '2.live.language.match', { ...rtmp, signer: 'MAX', language: 'BSL' }],
  ['a body that is a list', '2.live.source.values', []],
];

const operations = [
  ['POST', ''],
  ['GET', ''],
  ['GET', `/${unknownId}`],
  ['DELETE', `/${unknownId}`],
] as const;

export const refusals: readonly Case[] = [
  ...operations.flatMap(([method, path]) =>
    (
      [
        ['without a key', {}, '2.live.key.absent'],
        ['with a wrong key', { 'X-API-KEY': 'wrong' }, '2.live.key.wrong'],
      ] as const
    ).map(([what, headers, shows]) =>
      free(
        `${method} /v2/live/sessions${path && '/{id}'} ${what} is 401`,
        [shows, '2.live.error.envelope'],
        async (service) => {
          assertLive(await call(sessionsUrl(service) + path, { method, headers }), 401);
        },
      ),
    ),
  ),
  ...wrong.map(([what, shows, body]) =>
    free(
      `POST /v2/live/sessions refuses ${what}`,
      [shows, '2.live.error.bad-request', '2.live.error.envelope'],
      async (service) => {
        const { code, type } = assertLive(await create(service, body), 400);
        assert.deepEqual([code, type], ['BAD_REQUEST', 'VALIDATION_ERROR']);
      },
    ),
  ),
  ...(['GET', 'DELETE'] as const).map((method) =>
    free(
      `${method} of an unknown session is 404 and echoes X-Request-Id`,
      ['2.live.error.not-found', '2.live.error.types', '2.live.error.request-id'],
      async (service) => {
        const headers = { ...withKey(service), 'X-Request-Id': 'conformance-1' };
        const answer = await call(`${sessionsUrl(service)}/${unknownId}`, { method, headers });
        const { code, type, message, requestId } = assertLive(answer, 404);
        assert.deepEqual([code, type, requestId], ['NOT_FOUND', 'NOT_FOUND', 'conformance-1']);
        assert.match(message, /session/i);
      },
    ),
  ),
  ...(['GET', 'DELETE'] as const).map((method) =>
    free(
      `${method} of a malformed identifier is 400`,
      ['2.live.error.malformed-id', '2.live.error.bad-request'],
      async (service) => {
        const headers = withKey(service);
        const answer = await call(`${sessionsUrl(service)}/%20not%20an%20id%20`, { method, headers });
        assert.equal(assertLive(answer, 400).code, 'BAD_REQUEST');
      },
    ),
  ),
  ...(
    [
      ['PICTURE_IN_PICTURE_UNSUPPORTED_FOR_SOURCE', '2.live.error.pip-source', 501, 'RTMP_PUSH'],
      ['MEDIA_LIVE_NOT_CONFIGURED', '2.live.error.not-configured', 501, 'RTMP_PUSH'],
      ['SRT_RELAY_NOT_CONFIGURED', '2.live.error.srt-relay', 501, 'SRT_PUSH'],
      ['RTMP_ENDPOINT_UNREACHABLE', '2.live.error.rtmp-endpoint', 503, 'RTMP_PUSH'],
    ] as const
  ).map(([code, shows, status, sourceType]) =>
    staged(`${code} is ${status}`, [shows, '2.live.error.types'], async (service) => {
      service.set({ fault: 'live_error', code });
      const refused = assertLive(await create(service, { sourceType, pictureInPicture: true }), status);
      const type = status === 501 ? 'UNSUPPORTED_OPERATION' : 'SERVICE_UNAVAILABLE';
      assert.deepEqual([refused.code, refused.type], [code, type]);
    }),
  ),
  staged('a failure of the service is 500 in the live envelope', ['2.live.error.500'], async (service) => {
    service.set({ fault: 'rest_error', status: 500, operation: 'live_sessions' });
    assertLive(await create(service, rtmp), 500);
  }),
];
