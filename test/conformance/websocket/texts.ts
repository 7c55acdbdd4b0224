// Document 3, text, text.ack, result and text.progress: the answers to each text, and its video.
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { free, paid, type Case } from '../case.ts';
import { ackFrame, progressFrame, readyFrame, resultFrame } from '../shapes.ts';
import type { Frame } from '../socket.ts';
import { assertSigned, fetchVideo } from '../video.ts';
import { assertError } from './error-codes.ts';

const FRAME_SECONDS = 0.05;
const URL_LIFETIME_MS = 5 * 60_000;
/** How long a text of one word may take to render, in milliseconds. */
const RENDERING_MS = 60_000;

export const texts: readonly Case[] = [
  paid(
    'a text is acknowledged and then answered with a result of its own video',
    [
      '3.text.ref',
      '3.ack.shape',
      '3.ack.at-once',
      '3.result.fields',
      '3.result.mp4',
      '3.result.signed',
      '3.result.expires',
      '3.result.duration',
      '3.result.timings',
    ],
    async (service) => {
      const socket = await service.connect();
      await socket.start();
      const ack = z.parse(ackFrame, await socket.text('one', 'Hello').next());
      const result = z.parse(resultFrame, await socket.next());
      assert.deepEqual([ack.ref, result.ref], ['one', 'one']);

      const lifetime = Date.parse(result.url_expires_at) - Date.parse(ack.timestamp);
      assert.ok(lifetime >= URL_LIFETIME_MS - 1000, `the URL lives ${lifetime} ms`);
      assert.ok(lifetime <= URL_LIFETIME_MS + RENDERING_MS, `the URL lives ${lifetime} ms`);

      const video = await fetchVideo(result.url);
      assert.deepEqual([video.container, video.contentType], ['mp4', 'video/mp4']);
      const off = Math.abs(video.duration - result.duration_seconds);
      assert.ok(off < FRAME_SECONDS, `${off} s off`);
      await assertSigned(result.url);
    },
  ),
  paid(
    'each text has one acknowledgement and one result, found by their ref',
    ['3.result.one-each', '3.text.ref', '3.limits.inflight'],
    async (service) => {
      const socket = await service.connect();
      const { limits } = z.parse(readyFrame, await socket.start());
      const ids = ['a', 'b', 'c'].slice(0, limits.max_inflight);
      for (const id of ids) socket.text(id, 'Yes');
      const frames: Frame[] = [];
      while (frames.length < 2 * ids.length) frames.push(await socket.next());
      for (const type of ['text.ack', 'result']) {
        const refs = frames.filter((frame) => frame.type === type).map(({ ref }) => ref);
        assert.deepEqual(refs.sort(), ids, type);
      }
      await socket.send({ type: 'session.end' }).nextOf('session.summary');
    },
  ),
  paid(
    'an id that was used is duplicate_id, before its result and after it',
    ['3.text.id-unique', '3.code.duplicate_id', '3.error.shape', '3.error.message-goes-on'],
    async (service) => {
      const socket = await service.connect();
      await socket.start();
      await socket.text('a', 'Yes').text('a', 'No').nextOf('text.ack');
      const answers = [await socket.next(), await socket.next()];
      assertError(
        answers.find(({ type }) => type === 'error')!,
        'duplicate_id',
        'a',
      );
      assert.ok(
        answers.some(({ type }) => type === 'result'),
        'the first text has its result',
      );
      assertError(await socket.text('a', 'No').nextOf('error'), 'duplicate_id', 'a');
      await socket.sign('b', 'Yes');
    },
  ),
  free(
    'a text of too many bytes is text_too_long, although its characters are fewer',
    ['3.text.bytes', '3.code.text_too_long', '3.error.ref', '3.error.shape'],
    async (service) => {
      const socket = await service.connect();
      const { limits } = await socket.start();
      const most = (limits as { max_text_length: number }).max_text_length;
      const data = 'é'.repeat(Math.floor(most / 2) + 1);
      assert.ok(data.length < most, 'fewer characters than the limit has bytes');
      assertError(await socket.text('long', data).nextOf('error'), 'text_too_long', 'long');
    },
  ),
  paid(
    'with debug each stage of the pipeline is reported once, before the result',
    ['3.progress.debug-only', '3.progress.shape', '3.progress.one-a-stage'],
    async (service) => {
      const socket = await service.connect();
      await socket.start({ debug: true });
      await socket.text('a', 'Good morning').nextOf('text.ack');
      const stages: string[] = [];
      for (let frame = await socket.next(); frame.type !== 'result'; frame = await socket.next()) {
        const progress = z.parse(progressFrame, frame);
        assert.equal(progress.ref, 'a');
        stages.push(progress.stage);
      }
      assert.ok(stages.length > 0, 'no stage was reported');
      assert.deepEqual(stages, [...new Set(stages)], 'a stage was reported twice');
    },
  ),
  ...[{}, { debug: false }].map((config) =>
    paid(
      `without debug (${JSON.stringify(config)}) no stage is reported`,
      ['3.config.debug-default', '3.progress.debug-only'],
      async (service) => {
        const socket = await service.connect();
        await socket.start(config);
        await socket.text('a', 'Yes').nextOf('text.ack');
        await socket.nextOf('result');
        await socket.send({ type: 'session.end' }).nextOf('session.summary');
      },
    ),
  ),
];
