// Document 3, result.fetch: a result that was missed can be fetched for 5 minutes, in translate mode.
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { paid, staged, type Case } from '../case.ts';
import { open } from '../http.ts';
import { resultFrame } from '../shapes.ts';
import { fetchVideo } from '../video.ts';
import { assertError } from './error-codes.ts';

const fetchOf = (id: string) => ({ type: 'result.fetch', id });

export const fetching: readonly Case[] = [
  paid(
    'result.fetch gives the result again, in its session and in a new one',
    ['3.fetch.cached', '3.fetch.other-session'],
    async (service) => {
      const first = await service.connect();
      await first.start();
      // An id that no other run has used: results are kept beyond their session.
      const id = crypto.randomUUID();
      const result = await first.sign(id, 'Hello');
      const again = z.parse(resultFrame, await first.send(fetchOf(id)).nextOf('result'));
      first.break();
      const second = await service.connect();
      await second.start();
      const elsewhere = z.parse(resultFrame, await second.send(fetchOf(id)).nextOf('result'));
      for (const fetched of [again, elsewhere]) {
        assert.deepEqual([fetched.ref, fetched.duration_seconds], [id, result['duration_seconds']]);
        assert.equal((await fetchVideo(fetched.url)).container, 'mp4');
      }
    },
  ),
  staged(
    'after 5 minutes the file is gone and result.fetch is result_expired',
    ['3.fetch.expired', '3.limits.url', '3.code.result_expired', '3.result.expires'],
    async (service) => {
      const socket = await service.connect();
      await socket.start();
      const { url } = await socket.sign('old', 'Hello');
      // The clock goes on by itself too: a slow machine may take a minute for this.
      service.advance(300 - 60);
      assert.equal((await open(String(url))).status, 200);
      await socket.send(fetchOf('old')).nextOf('result');
      service.advance(61);
      assert.ok((await open(String(url))).status >= 400, 'the file is still served');
      assertError(await socket.send(fetchOf('old')).nextOf('error'), 'result_expired', 'old');
    },
  ),
  paid(
    'result.fetch in stream mode is mode_not_allowed',
    ['3.fetch.stream', '3.code.mode_not_allowed'],
    async (service) => {
      const socket = await service.connect();
      await socket.start({}, { mode: 'stream' });
      assertError(await socket.send(fetchOf('a')).nextOf('error'), 'mode_not_allowed', 'a');
    },
  ),
];
