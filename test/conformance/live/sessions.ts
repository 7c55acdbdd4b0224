// Document 2, the life of a live session: what is answered for each source and output, how it starts, stops and fails, and
// what its manifests give.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { aac, everyTwoSeconds, h264, makeSource, picture, tone } from '../../sandbox/live/made-source.ts';
import { paid, staged, type Case } from '../case.ts';
import { playlistOnce } from '../hls.ts';
import { call } from '../http.ts';
import { withKey } from '../translation/api.ts';
import { until } from '../until.ts';
import { endsWith } from '../urls.ts';
import { assertSigned } from '../video.ts';
import {
  create,
  get,
  hasEnded,
  holds,
  sessionIn,
  sessionOnce,
  sessionsUrl,
  stop,
  withSession,
} from './api.ts';
import { withSource } from './source-server.ts';

/** Pushes a test picture there while `use` runs. */
async function pushing(url: string, use: () => Promise<void>): Promise<void> {
  const source = [...picture, ...tone, ...h264, ...everyTwoSeconds, ...aac];
  const args = ['-v', 'error', '-nostdin', '-re', ...source, '-f', 'flv', url];
  const sender = spawn('ffmpeg', args, { stdio: 'ignore' });
  const exit = once(sender, 'exit');
  try {
    await use();
  } finally {
    sender.kill('SIGKILL');
    await exit;
  }
}

/** Waits until the address serves something; gives its answer. */
const served = (url: string) =>
  until(
    () => call(url),
    ({ status }) => status === 200,
  );

export const sessions: readonly Case[] = [
  paid(
    'RTMP_PUSH gives endpoints and manifests, starts with the stream, and ends when it is stopped',
    [
      '2.live.create',
      '2.live.output.default',
      '2.live.rtmp',
      '2.live.manifests',
      '2.live.legacy',
      '2.live.pip.manifest',
      '2.live.cookies',
      '2.live.get',
      '2.live.started',
      '2.live.stopped',
      '2.live.error-field',
      '2.live.state.push',
      '2.live.state.stop',
    ],
    (service) =>
      withSession(service, { sourceType: 'RTMP_PUSH', pictureInPicture: true }, async (made, { headers }) => {
        assert.deepEqual([made.status, made.outputType, made.pictureInPicture], ['active', 'HLS', true]);
        assert.ok(headers.getSetCookie().length > 0, 'cookies');
        assert.equal(typeof made.relayActive, 'boolean');
        assert.deepEqual([made.ingestUrl, made.srtPassphrase], [undefined, undefined]);
        const { hls, dash, pip } = made.manifests!;
        assert.deepEqual(
          [endsWith(hls, '.m3u8'), endsWith(dash, '.mpd'), endsWith(pip!, '.m3u8')],
          [true, true, true],
        );
        assert.equal(made.outputManifestUrl, hls);
        const { sourceType, language, signer, stoppedAt, error } = await get(service, made.sessionId);
        assert.deepEqual([sourceType, language, signer], ['RTMP_PUSH', 'BSL', 'RAE']);
        assert.deepEqual([stoppedAt, error], [undefined, undefined]);
        await pushing(made.rtmpEndpoints![0]!, async () => {
          await sessionOnce(service, made.sessionId, ({ startedAt }) => startedAt !== undefined);
        });
        await stop(service, made.sessionId);
        assert.notEqual((await get(service, made.sessionId)).status, 'active');
        const ended = await sessionOnce(service, made.sessionId, hasEnded);
        assert.ok(ended.stoppedAt !== undefined && ended.error === undefined, 'a time, no error');
      }),
  ),
  paid(
    'SRT_PUSH to RTMP gives an ingest and a passphrase, no manifest, and tells the stream key to get alone',
    [
      '2.live.srt',
      '2.live.srt-config',
      '2.live.manifests',
      '2.live.pip.manifest',
      '2.live.rtmp-destination',
      '2.live.rtmp-key',
      '2.live.connection',
      '2.live.signer.values',
    ],
    async (service) => {
      const rtmpOutputUrl = 'rtmp://127.0.0.1:1/live';
      const body = {
        sourceType: 'SRT_PUSH',
        srtConfig: { passphrase: 'a passphrase of ours', keyLength: 32, latency: 200 },
        outputType: 'RTMP',
        rtmpOutputUrl,
        rtmpOutputStreamKey: 'the-stream-key',
        pictureInPicture: true,
        signer: 'JAY',
        connectionId: '',
      };
      await withSession(service, body, async (made, { body: raw }) => {
        assert.ok(made.ingestUrl, 'an SRT ingest');
        assert.equal(made.srtPassphrase, body.srtConfig.passphrase);
        assert.deepEqual([made.rtmpEndpoints, made.relayActive], [undefined, undefined]);
        assert.deepEqual([made.manifests, made.outputManifestUrl], [undefined, undefined]);
        assert.ok(holds(raw, rtmpOutputUrl), 'the destination');
        assert.ok(!holds(raw, body.rtmpOutputStreamKey), 'no stream key');
        const got = await get(service, made.sessionId);
        assert.deepEqual([got.language, got.signer], ['ASL', 'JAY']);
        assert.ok(holds(got, body.rtmpOutputStreamKey), 'the stream key');
      });
    },
  ),
  staged(
    'the list gives page after page, the last one without a cursor',
    [
      '2.live.list',
      '2.live.cursor',
      '2.live.id',
      '2.live.connection',
      '2.live.output-srt',
      '2.live.pip.default',
    ],
    async (service) => {
      const push = { sourceType: 'RTMP_PUSH', connectionId: 'connection-1' };
      const outputSrtConfig = { passphrase: 'a passphrase of ours', keyLength: 16 };
      const out = { outputType: 'SRT', outputDestinationUrl: 'srt://127.0.0.1:1', outputSrtConfig };
      await withSession(service, { ...push, ...out }, async (one) => {
        await withSession(service, push, async (other) => {
          assert.notEqual(one.sessionId, other.sessionId);
          assert.deepEqual([one.pictureInPicture, one.manifests], [false, undefined]);
          service.set({ fault: 'limits', limits: { live_page_size: 1 } });
          const seen: string[] = [];
          for (let cursor: string | null = ''; cursor !== null;) {
            const query: string = cursor && `?cursor=${encodeURIComponent(cursor)}`;
            const { status, body } = await call(sessionsUrl(service) + query, { headers: withKey(service) });
            assert.equal(status, 200);
            const page = body as { sessions: unknown[]; cursor?: string };
            assert.ok(page.sessions.length <= 1, 'a page of one');
            for (const each of page.sessions) {
              const listed = sessionIn({ status, body: each, headers: new Headers() });
              assert.ok(listed.sourceType, 'the source type');
              seen.push(listed.sessionId);
            }
            cursor = page.cursor ?? null;
          }
          assert.equal(new Set(seen).size, seen.length);
          for (const { sessionId } of [one, other]) assert.ok(seen.includes(sessionId), sessionId);
        });
      });
    },
  ),
  staged(
    'HLS_PULL starts by itself; the composite is low-latency fMP4 and the signer’s manifests serve beside it',
    [
      '2.live.state.pull',
      '2.live.source-url',
      '2.live.started',
      '2.live.pip.container',
      '2.live.pip.signer',
      '2.live.dash',
      '2.live.signed',
      '2.source.gop',
    ],
    (service) =>
      withSource(
        () => makeSource([...picture, ...tone, '-t', '15', ...h264, ...everyTwoSeconds, ...aac]),
        async (hlsSourceUrl) => {
          const body = { sourceType: 'HLS_PULL', hlsSourceUrl, pictureInPicture: true };
          await withSession(service, body, async ({ sessionId, manifests }, { body: raw }) => {
            assert.ok(holds(raw, hlsSourceUrl), 'the pulled URL');
            const { hls, dash, pip } = manifests!;
            await served(pip!);
            const composite = await playlistOnce(pip!, ({ segments }) => segments.length > 0);
            assert.ok((await get(service, sessionId)).startedAt, 'it has started');
            assert.ok(endsWith(composite.map!, '/init.mp4'), composite.map!);
            for (const { url } of composite.segments) assert.ok(endsWith(url, '.m4s'), url);
            assert.ok(composite.partTarget !== null && composite.blocksReload, 'low latency');
            await served(hls);
            const signer = await playlistOnce(hls, ({ segments }) => segments.length > 0);
            const mpd = await served(dash);
            assert.match(mpd.headers.get('content-type') ?? '', /^application\/dash\+xml/);
            assert.match(
              String(mpd.body),
              /<MPD[^>]*type="dynamic"[^>]*profiles="[^"]*live[^"]*"|<MPD[^>]*profiles="[^"]*live[^"]*"[^>]*type="dynamic"/,
            );
            const inside = [composite, signer].flatMap(({ map, segments }) => [map!, segments[0]!.url]);
            for (const url of [hls, dash, pip!, ...inside]) await assertSigned(url);
          });
        },
      ),
  ),
  staged(
    'a source outside the contract may be pulled for the signer alone; a session that fails is ended with its error',
    ['2.source.applies', '2.live.state.failed', '2.live.error-field', '2.live.stopped'],
    (service) =>
      withSource(
        // No sound, and a frame rate that is not canonical.
        () => makeSource(['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=12', '-t', '4', ...h264]),
        async (hlsSourceUrl) => {
          service.set({ fault: 'live_session_fails', error: 'as it was asked to' });
          const answer = await create(service, { sourceType: 'HLS_PULL', hlsSourceUrl });
          const { sessionId } = sessionIn(answer, 201);
          const { error, stoppedAt } = await sessionOnce(service, sessionId, hasEnded);
          assert.deepEqual([error, typeof stoppedAt], ['as it was asked to', 'string']);
        },
      ),
  ),
];
