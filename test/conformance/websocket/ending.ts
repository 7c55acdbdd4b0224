// Document 3, session.end and session.summary, and the other ends that a session can have.
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { free, paid, staged, type Case } from '../case.ts';
import { summaryFrame } from '../shapes.ts';
import { assertError } from './error-codes.ts';

export const ending: readonly Case[] = [
  free(
    'session.end gives the summary and closes the socket',
    ['3.end.summary', '3.end.closes', '3.end.usage'],
    async (service) => {
      const socket = await service.connect();
      const ready = await socket.start();
      const summary = z.parse(summaryFrame, await socket.send({ type: 'session.end' }).next());
      assert.equal(summary.session_id, ready['session_id']);
      await socket.closed();
      assert.ok(socket.isQuiet, 'something came after the summary');
    },
  ),
  paid(
    'the summary counts the texts, the errors and the seconds of the session',
    ['3.end.counts', '3.end.usage'],
    async (service) => {
      const socket = await service.connect();
      await socket.start();
      const results = [
        await socket.sign('a', 'One that no other case signs'),
        await socket.sign('b', 'Nor this'),
      ];
      await socket.text('a', 'again').nextOf('error');
      const frame = await socket.send({ type: 'session.end' }).nextOf('session.summary');
      const { usage } = z.parse(summaryFrame, frame);
      const seconds = results.reduce((sum, result) => sum + Number(result['duration_seconds']), 0);
      assert.equal(usage.messages_processed, 2);
      assert.equal(usage.errors_encountered, 1);
      const off = Math.abs(usage.total_video_duration_sec - seconds);
      assert.ok(off < 0.05, `${off} s off`);
      assert.ok(usage.session_duration_sec > 0, 'the session lasted');
      assert.ok(usage.bytes_transferred > 0, 'bytes went both ways');
    },
  ),
  staged(
    'an hour without a message is session_expired and closes the socket, a minute less is not',
    ['3.limits.idle', '3.code.session_expired', '3.error.session-ends'],
    async (service) => {
      const socket = await service.connect();
      await socket.start();
      // The clock goes on by itself too: a slow machine may take a minute for a text.
      service.advance(3600 - 60);
      await socket.sign('a', 'Yes');
      service.advance(3600 - 60);
      await socket.sign('b', 'Yes');
      service.advance(3600);
      assertError(await socket.nextOf('error'), 'session_expired', '');
      await socket.closed();
    },
  ),
];
