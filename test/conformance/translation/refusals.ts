// Document 2: each wrong field that `POST /v2/generate` refuses, alone, and the same in `POST /v1/generate`.
import assert from 'node:assert/strict';
import { free, type Case } from '../case.ts';
import type { SentenceId } from '../sentences/index.ts';
import { assertFlat, changed, generate, requestOf } from './api.ts';

const config = 'output.delivery.config';

/** A field, then the values that are refused there; undefined means that the field is left out. */
const wrong: readonly (readonly [shows: SentenceId, path: string, ...values: readonly unknown[]])[] = [
  ['2.content.required', 'content', undefined, 'Hello', ['Hello'], null],
  ['2.content.type', 'content.type', undefined, 'audio', 'video', 1],
  ['2.content.data', 'content.data', undefined, 5, ['Hello']],
  ['2.content.duration', 'content.duration', '5', [5]],
  ['2.output.required', 'output', undefined, 'mp4', null],
  ['2.format.required', 'output.format', undefined],
  ['2.format.values', 'output.format', 'webm', 'MKV', 4],
  ['2.delivery.required', 'output.delivery', undefined, 'download', null],
  ['2.method.required', 'output.delivery.method', undefined],
  ['2.method.values', 'output.delivery.method', 'email', 1],
  ['2.config.object', config, 'HD', ['HD'], 5],
  ['2.quality.values', `${config}.quality`, 'best', 4],
  ['2.resolution.shape', `${config}.resolution`, '720', '640x', '640 by 360', 'wide', 720],
  ['2.codec.values', `${config}.codec`, 'mpeg2', 264],
  ['2.background.colour', `${config}.backgroundColor`, 'blue', '#12', '#GGGGGG', '112233'],
  ['2.signer.values', `${config}.digitalSigner`, 'BOB', 1],
  ['2.language.values', `${config}.language`, 'LSF', 1],
  ['2.signer-size.values', `${config}.signerSize`, 'huge'],
  ['2.signer-only.boolean', `${config}.signerOnly`, 'yes', 1],
  ['2.fit-mode.values', `${config}.fitMode`, 'stretch'],
  ['2.export-type.values', `${config}.exportType`, 'AVI'],
  ['2.dimension.values', `${config}.socialMediaDimension`, '4:3'],
  ['2.low-latency.default', `${config}.lowLatencyMode`, 'yes'],
  ['2.segment-duration.range', `${config}.hlsSegmentDuration`, 0.9, 10.1, 0, -1, '2'],
  ['2.segment-type.values', `${config}.hlsSegmentType`, 'mp4'],
  ['2.subtitles.boolean', `${config}.embeddedSubtitles.enabled`, 'yes'],
  ['2.logo.url', `${config}.logo`, { position: 'top-left' }],
  ['2.logo.position', `${config}.logo`, { url: 'https://logo.example/logo.png' }],
  ['2.context.required', 'context', undefined, 'kiosk', [], null],
  ['2.application.required', 'context.application', undefined, 5],
  ['2.context.types', 'context.location', 5],
  ['2.context.types', 'context.sessionId', 5],
  ['2.context.types', 'context.screenId', 'four', 1.5],
  ['2.context.types', 'context.gate', 'four', 1.5],
];

/**
 * Requests in which two fields contradict each other or one needs another, and a body that is no object; each with a name for its
 * case.
 */
const pairs: readonly (readonly [what: string, shows: SentenceId, body: object])[] = [
  ['RAE with ASL', '2.language.match', requestOf({ config: { digitalSigner: 'RAE', language: 'ASL' } })],
  ['JAY with BSL', '2.language.match', requestOf({ config: { digitalSigner: 'JAY', language: 'BSL' } })],
  ['MAX with BSL', '2.language.match', requestOf({ config: { digitalSigner: 'MAX', language: 'BSL' } })],
  ['display without a screenId', '2.display.screen', requestOf({ method: 'display' })],
  [
    'display with a screenId that is a word',
    '2.display.screen',
    requestOf({ method: 'display', config: { screenId: 'four' } }),
  ],
  ['a body that is a list', '2.content.required', []],
];

const bodies: readonly (readonly [what: string, shows: SentenceId, body: object])[] = [
  ...wrong.flatMap(([shows, path, ...values]) =>
    values.map((value) => {
      const what = value === undefined ? `no ${path}` : `${path} ${JSON.stringify(value)}`;
      return [what, shows, changed(requestOf(), path, value)] as const;
    }),
  ),
  ...pairs,
];

const paths = [
  ['/v2/generate', 'validation_error', ['2.error.v2-code']],
  ['/v1/generate', 'invalid_request', ['2.error.v1-code', '2.v1.validation']],
] as const;

export const refusals: readonly Case[] = paths.flatMap(([path, code, also]) =>
  bodies.map(([what, shows, body]) =>
    free(`POST ${path} refuses ${what}`, [shows, '2.error.flat', ...also], async (service) => {
      assert.equal(assertFlat(await generate(service, body, path), 400).error, code);
    }),
  ),
);
