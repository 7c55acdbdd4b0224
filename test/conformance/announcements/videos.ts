// Document 1, Status response, States, and what the finished video shows of the fields.
import assert from 'node:assert/strict';
import { free, paid, staged, type Case } from '../case.ts';
import { call } from '../http.ts';
import { mainLuma } from '../picture.ts';
import type { SentenceId } from '../sentences/index.ts';
import { assertSigned, fetchVideo } from '../video.ts';
import {
  accepted,
  assertRefused,
  bearer,
  requestsUrl,
  stateOf,
  statusAnswer,
  tokenOf,
  videoUrl,
  watched,
} from './api.ts';

const BLACK = 16;
const route = { destination: 'EDB', timing: '0930', callingAt: 'PBO,YRK,DAR,NCL,BWK' };

/** Another id of the same shape: every digit is the next one. */
const otherId = (id: string): string => id.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10));

const flags: readonly (readonly [flag: string, shows: SentenceId, base: object])[] = [
  ['cancelled', '1.cancelled.default', { destination: 'EDB', timing: '0930' }],
  ['shortDelay', '1.short-delay.default', { destination: 'EDB', timing: '0930' }],
  ['longDelay', '1.long-delay.default', { destination: 'EDB', timing: '0930' }],
  ['noPlatform', '1.no-platform.default', { destination: 'EDB', timing: '0930' }],
  ['busReplacement', '1.bus-replacement.default', { destination: 'EDB', timing: '0930' }],
];

export const videos: readonly Case[] = [
  paid(
    'an announcement is IN_PROGRESS without a URL, then COMPLETED with a presigned one, and stays so',
    [
      '1.status.values',
      '1.status.completes',
      '1.status.url-only-then',
      '1.status.presigned',
      '1.status.filter',
      '1.status.failed-log',
    ],
    async (service) => {
      const id = await accepted(service, route);
      const seen = await watched(service, id);
      const last = seen.pop()!;
      assert.ok(seen.length > 0, 'it was never seen IN_PROGRESS');
      for (const state of seen) {
        assert.deepEqual(state, { status: 'IN_PROGRESS', url: null, errorLog: undefined });
      }
      assert.deepEqual([last.status, last.errorLog], ['COMPLETED', undefined]);
      assert.ok((await fetchVideo(last.url!)).duration > 0, 'the video lasts');
      await assertSigned(last.url!);
      const again = stateOf(await statusAnswer(service, id, '?filter=status'));
      assert.equal(again.status, 'COMPLETED');
      const whole = stateOf(await statusAnswer(service, id));
      assert.equal(whole.status, 'COMPLETED');
    },
  ),
  paid(
    'a requestId that no request has is 404',
    ['1.status.unknown', '1.error.envelope'],
    async (service) => {
      const id = await accepted(service, { destination: 'EDB' });
      assert.notEqual(otherId(id), id);
      assertRefused(await statusAnswer(service, otherId(id)), 404);
    },
  ),
  free('a status without requestId is 400', ['1.status.missing', '1.error.envelope'], async (service) => {
    const headers = bearer(await tokenOf(service));
    assertRefused(await call(`${requestsUrl(service)}/`, { headers }), 400);
  }),
  free('a malformed requestId is 400', ['1.status.malformed', '1.error.envelope'], async (service) => {
    assertRefused(await statusAnswer(service, '%21%20%21'), 400);
  }),
  staged(
    'an announcement that fails is FAILED with its errorLog and no URL',
    ['1.status.failed-log', '1.status.url-only-then', '1.status.values', '1.error.log'],
    async (service) => {
      service.set({ fault: 'announcement_fails', error_log: 'no signer is free', count: 1 });
      const last = (await watched(service, await accepted(service, { destination: 'EDB' }))).at(-1)!;
      assert.deepEqual(last, { status: 'FAILED', url: null, errorLog: 'no signer is free' });
    },
  ),
  ...flags.map(([flag, shows, base]) =>
    paid(`${flag} is false by default: only true makes another video`, [shows], async (service) => {
      const lengthWith = async (change: object): Promise<number> =>
        (await fetchVideo(await videoUrl(service, { ...base, ...change }))).duration;
      const without = await lengthWith({});
      assert.equal(await lengthWith({ [flag]: 'false' }), without);
      assert.notEqual(await lengthWith({ [flag]: 'true' }), without);
    }),
  ),
  paid(
    'bgColour is what most of the picture shows',
    ['1.bg-colour.shown', '1.bg-colour.shape'],
    async (service) => {
      const video = await fetchVideo(await videoUrl(service, { destination: 'EDB', bgColour: '0,0,0' }));
      const luma = await mainLuma(video.bytes);
      assert.ok(Math.abs(luma - BLACK) <= 8, `luma ${luma}`);
    },
  ),
  paid(
    'bgColour -1,-1,-1 yields a webm with an alpha plane',
    ['1.bg-colour.transparent', '1.type.transparent'],
    async (service) => {
      const video = await fetchVideo(await videoUrl(service, { destination: 'EDB', bgColour: '-1,-1,-1' }));
      assert.deepEqual([video.container, video.alpha], ['webm', true]);
    },
  ),
  staged(
    'a static message makes the same video whatever else is asked for',
    ['1.static-message.overrides', '1.static-message.set'],
    async (service) => {
      // The document does not show the codes; this one is the sandbox's.
      const staticMessage = 'MIND_THE_GAP';
      const alone = await fetchVideo(await videoUrl(service, { destination: 'KGX', staticMessage }));
      const others = { destination: 'EDB', timing: '0930', cancelled: 'true', operatorDelay: 'minor' };
      const both = await fetchVideo(await videoUrl(service, { ...others, staticMessage }));
      assert.equal(both.duration, alone.duration);
      assert.equal(both.bytes.length, alone.bytes.length);
    },
  ),
];
