// Document 3, stream mode: one manifest for the whole session, low-latency HLS, to which each text appends its signs.
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { paid, type Case } from '../case.ts';
import { playlistOnce } from '../hls.ts';
import { ackFrame, streamReadyFrame, summaryFrame } from '../shapes.ts';
import { endsWith, urlsIn } from '../urls.ts';
import { assertSigned } from '../video.ts';
import type { Frame, Socket } from '../socket.ts';

const startStream = (socket: Socket, config: object = {}): Promise<Frame> =>
  socket.start(config, { mode: 'stream' });

/** The one manifest URL of a `session.ready`; the name of its field is not shown. */
function manifestOf(ready: Frame): string {
  const [manifest, ...others] = urlsIn(ready).filter((url) => endsWith(url, '.m3u8'));
  assert.ok(manifest !== undefined && others.length === 0, 'one manifest URL');
  return manifest;
}

export const stream: readonly Case[] = [
  paid(
    'session.ready of stream mode carries a signed manifest of low-latency HLS',
    [
      '3.start.mode-values',
      '3.ready.fields',
      '3.ready.manifest',
      '3.config.format-default-stream',
      '3.stream.ll-hls',
    ],
    async (service) => {
      const socket = await service.connect();
      const frame = await startStream(socket);
      const { config_applied } = z.parse(streamReadyFrame, frame);
      assert.equal(config_applied.output_format.toLowerCase(), 'hls');
      const manifest = manifestOf(frame);
      await assertSigned(manifest);
      const playlist = await playlistOnce(manifest, ({ parts }) => parts > 0);
      assert.ok(playlist.partTarget !== null && playlist.blocksReload, 'LL-HLS');
      assert.ok(!playlist.ended, 'the stream goes on');
    },
  ),
  paid(
    'each text of stream mode is acknowledged, none has a result, and the stream goes on growing',
    ['3.stream.appends', '3.stream.no-result', '3.ack.shape', '3.end.closes'],
    async (service) => {
      const socket = await service.connect();
      const manifest = manifestOf(await startStream(socket, { output_format: 'hls' }));
      const last = (playlist: { mediaSequence: number; segments: readonly unknown[] }) =>
        playlist.mediaSequence + playlist.segments.length;
      const before = await playlistOnce(manifest, () => true);
      for (const id of ['a', 'b']) {
        const { ref } = z.parse(ackFrame, await socket.text(id, 'Yes').next());
        assert.equal(ref, id);
      }
      await playlistOnce(manifest, (playlist) => last(playlist) > last(before));
      assert.ok(socket.isQuiet, 'something came beyond the acknowledgements');
      z.parse(summaryFrame, await socket.send({ type: 'session.end' }).next());
      await socket.closed();
    },
  ),
];
