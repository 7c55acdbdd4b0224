// Document 3, Limits: what `session.ready` announces, and the answers at each limit and just above it.
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { paid, staged, type Case } from '../case.ts';
import { readyFrame } from '../shapes.ts';
import type { Frame } from '../socket.ts';
import { assertError } from './error-codes.ts';

export const limits: readonly Case[] = [
  staged('the limits announced are the defaults of the beta', ['3.limits.defaults'], async (service) => {
    const { limits } = z.parse(readyFrame, await (await service.connect()).start());
    assert.deepEqual(limits, { max_text_length: 5000, max_messages_per_minute: 60, max_inflight: 3 });
  }),
  staged(
    'a text of max_text_length bytes is taken, one byte more is text_too_long',
    ['3.limits.length', '3.text.bytes', '3.code.text_too_long'],
    async (service) => {
      service.set({ fault: 'limits', limits: { max_text_length: 10 } });
      const socket = await service.connect();
      await socket.start();
      await socket.sign('fits', 'ééééé');
      assertError(await socket.text('long', 'éééééx').nextOf('error'), 'text_too_long', 'long');
      assertError(await socket.text('emoji', '👍👍👍').nextOf('error'), 'text_too_long', 'emoji');
    },
  ),
  staged(
    'the 61st text of a minute is rate_limited, and is taken after the time that was named',
    [
      '3.limits.rate',
      '3.limits.defaults',
      '3.code.rate_limited',
      '3.error.resend',
      '3.error.message-goes-on',
    ],
    async (service) => {
      const socket = await service.connect();
      await socket.start();
      for (let i = 1; i <= 60; i++) await socket.sign(`text ${i}`, 'Yes');
      const wait = assertError(await socket.text('over', 'Yes').nextOf('error'), 'rate_limited', 'over');
      assert.ok(wait !== null && wait > 0 && wait <= 60, `wait ${wait} s`);
      service.advance(Math.ceil(wait));
      await socket.sign('over', 'Yes');
    },
  ),
  paid(
    'max_inflight texts are taken at once, one more is backpressure with 2 seconds and may come again',
    ['3.limits.inflight', '3.limits.inflight-over', '3.code.backpressure', '3.error.resend'],
    async (service) => {
      const socket = await service.connect();
      const { limits } = z.parse(readyFrame, await socket.start());
      const run = crypto.randomUUID();
      const ids = Array.from({ length: limits.max_inflight }, (_, i) => `${run} ${i}`);
      // All texts differ, so that no result comes from a cache while the last text is under way.
      for (const id of [...ids, 'over']) socket.text(id, `Hello ${id}`);
      const came: Frame[] = [];
      while (came.length < 2 * ids.length + 1) came.push(await socket.next());
      for (const type of ['text.ack', 'result']) {
        const refs = came.filter((frame) => frame.type === type).map(({ ref }) => ref);
        assert.deepEqual(refs.sort(), ids, type);
      }
      const refused = came.find(({ type }) => type === 'error')!;
      assert.equal(assertError(refused, 'backpressure', 'over'), 2);
      await socket.sign('over', 'Yes');
    },
  ),
];
