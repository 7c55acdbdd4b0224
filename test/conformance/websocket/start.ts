// Document 3, session.start and session.ready: which fields are required, accepted and refused, and their defaults.
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { free, paid, type Case } from '../case.ts';
import { fetchVideo } from '../video.ts';
import { readyFrame } from '../shapes.ts';
import { sessionStart, type Frame } from '../socket.ts';
import type { SentenceId } from '../sentences/index.ts';
import { assertError } from './error-codes.ts';

const refused: readonly (readonly [what: string, message: Frame, shows: SentenceId])[] = [
  ['without version', sessionStart({}, { version: undefined }), '3.start.version-required'],
  ['with version 9.9', sessionStart({}, { version: '9.9' }), '3.start.version-required'],
  ['without mode', sessionStart({}, { mode: undefined }), '3.start.mode-required'],
  ['with an unknown mode', sessionStart({}, { mode: 'interpret' }), '3.start.mode-values'],
  ['without config', sessionStart({}, { config: undefined }), '3.start.config-required'],
  ['with a config that is a word', sessionStart({}, { config: 'RAE' }), '3.start.config-required'],
  ['with a config that is a list', sessionStart({}, { config: ['RAE'] }), '3.start.config-required'],
  ['without a signer', sessionStart({ digital_signer: undefined }), '3.config.signer-required'],
  ['with a signer that is a number', sessionStart({ digital_signer: 7 }), '3.config.signer-required'],
  ['with an unknown language', sessionStart({ language: 'XXX' }), '3.config.language-values'],
  ['with an unknown output_format', sessionStart({ output_format: 'gif' }), '3.config.format-values'],
  ['with an unknown resolution', sessionStart({ resolution: '144p' }), '3.config.resolution-values'],
  ['with debug that is a word', sessionStart({ debug: 'yes' }), '3.config.debug-boolean'],
];

/** What `config_applied` holds, in capitals: the documents leave its letter case open. */
async function applied(ready: Promise<Frame>): Promise<Record<string, string>> {
  const { config_applied } = z.parse(readyFrame, await ready);
  return Object.fromEntries(
    Object.entries(config_applied).map(([field, value]) => [field, value.toUpperCase()]),
  );
}

const lines = { '480p': 480, '720p': 720, '1080p': 1080 } as const;

export const start: readonly Case[] = [
  ...refused.map(([what, message, shows]) =>
    free(
      `session.start ${what} is invalid_session_start, and another try may follow`,
      [shows, '3.code.invalid_session_start', '3.error.message-goes-on', '3.error.ref'],
      async (service) => {
        const socket = await service.connect();
        assertError(await socket.send(message).nextOf('error'), 'invalid_session_start', '');
        await socket.start();
      },
    ),
  ),
  free(
    'a config of nothing but a signer is applied with every default',
    [
      '3.ready.fields',
      '3.ready.config',
      '3.ready.limits',
      '3.config.language-default',
      '3.config.format-default-translate',
      '3.config.resolution-default',
    ],
    async (service) => {
      const socket = await service.connect();
      const ready = socket.start({ resolution: undefined });
      assert.deepEqual(await applied(ready), {
        digital_signer: 'RAE',
        language: 'BSL',
        output_format: 'MP4',
        resolution: '720P',
      });
    },
  ),
  free(
    'a config that names everything is applied as it is',
    ['3.ready.config', '3.config.language-values', '3.config.format-values', '3.config.resolution-values'],
    async (service) => {
      const socket = await service.connect();
      const config = { digital_signer: 'MAX', language: 'ASL', output_format: 'mp4', resolution: '1080p' };
      assert.deepEqual(await applied(socket.start({ ...config, debug: false })), {
        digital_signer: 'MAX',
        language: 'ASL',
        output_format: 'MP4',
        resolution: '1080P',
      });
    },
  ),
  ...['rae', 'Rae', 'RAE'].map((signer) =>
    free(`the signer ${signer} is taken`, ['3.config.signer-case'], async (service) => {
      const socket = await service.connect();
      const { digital_signer } = await applied(socket.start({ digital_signer: signer }));
      assert.equal(digital_signer, 'RAE');
    }),
  ),
  free('hls settings are ignored in translate mode', ['3.config.hls-ignored'], async (service) => {
    const socket = await service.connect();
    const { output_format } = await applied(socket.start({ hls: { anything: ['at all'] } }));
    assert.equal(output_format, 'MP4');
  }),
  ...(['480p', '720p', '1080p'] as const).map((resolution) =>
    paid(
      `a result of ${resolution} is a video of so many lines`,
      ['3.config.resolution-values', '3.config.resolution-default', '3.result.mp4'],
      async (service) => {
        const socket = await service.connect();
        await socket.start({ resolution: resolution === '720p' ? undefined : resolution });
        const video = await fetchVideo(String((await socket.sign('a', 'Hello'))['url']));
        assert.deepEqual([video.container, video.height], ['mp4', service.linesOf(lines[resolution])]);
      },
    ),
  ),
];
