// Document 2, the life of a live session whose source is pushed: the answer for each source and output, how it starts
// and stops.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { aac, everyTwoSeconds, h264, picture, tone } from '../../sandbox/live/encoded-source.ts';
import { paid, type Case } from '../case.ts';
import type { Service } from '../service.ts';
import { endsWith } from '../urls.ts';
import {
  get,
  hasEnded,
  holds,
  sessionOnce,
  stop,
  withSession,
  withSessions,
  type LiveSession,
} from './api.ts';

/**
 * Pushes a test picture to this address while `use` runs. It connects again when its connection fails, as encoders do: on a busy
 * machine FFmpeg gives up after three seconds.
 */
async function pushing(
  to: { readonly format: 'flv' | 'mpegts'; readonly url: string },
  use: () => Promise<unknown>,
): Promise<void> {
  const source = [...picture, ...tone, ...h264, ...everyTwoSeconds, ...aac];
  const args = ['-v', 'error', '-nostdin', '-re', ...source, '-f', to.format, to.url];
  let isOver = false;
  let sender: ChildProcess;
  const push = async (): Promise<void> => {
    while (!isOver) {
      sender = spawn('ffmpeg', args, { stdio: 'ignore' });
      await once(sender, 'exit');
    }
  };
  const pushed = push();
  try {
    await use();
  } finally {
    isOver = true;
    sender!.kill('SIGKILL');
    await pushed;
  }
}

/** The session has the fields of a new one, manifests and a composite, and none of other outputs. */
function assertComposite({
  status,
  outputType,
  pictureInPicture,
  manifests,
  outputManifestUrl,
}: LiveSession) {
  assert.deepEqual([status, outputType, pictureInPicture], ['active', 'HLS', true]);
  const { hls, dash, pip } = manifests!;
  assert.deepEqual(
    [endsWith(hls, '.m3u8'), endsWith(dash, '.mpd'), endsWith(pip!, '.m3u8')],
    [true, true, true],
  );
  assert.equal(outputManifestUrl, hls);
}

async function startsAndStops(
  service: Service,
  sessionId: string,
  to: Parameters<typeof pushing>[0],
): Promise<void> {
  const { stoppedAt, error } = await get(service, sessionId);
  assert.deepEqual([stoppedAt, error], [undefined, undefined]);
  await pushing(to, () => sessionOnce(service, sessionId, ({ startedAt }) => startedAt !== undefined));
  await stop(service, sessionId);
  assert.notEqual((await get(service, sessionId)).status, 'active');
  const ended = await sessionOnce(service, sessionId, hasEnded);
  assert.ok(ended.stoppedAt !== undefined && ended.error === undefined, 'a time, no error');
}

const passphrase = 'a passphrase of ours';

export const pushedSessions: readonly Case[] = [
  paid(
    'RTMP_PUSH and SRT_PUSH give their ingest and manifests, start with the stream, and end when they are stopped',
    [
      '2.live.create',
      '2.live.output.default',
      '2.live.rtmp',
      '2.live.srt',
      '2.live.srt-config',
      '2.live.srt-config.only',
      '2.live.manifests',
      '2.live.legacy',
      '2.live.pip.manifest',
      '2.live.pip.sources',
      '2.live.cookies',
      '2.live.get',
      '2.live.started',
      '2.live.stopped',
      '2.live.error-field',
      '2.live.state.new',
      '2.live.state.push',
      '2.live.state.stop',
    ],
    (service) => {
      const srtConfig = { passphrase, keyLength: 16, latency: 200 };
      const bodies = ['RTMP_PUSH', 'SRT_PUSH'].map((sourceType) => ({
        sourceType,
        srtConfig,
        pictureInPicture: true,
      }));
      return withSessions(service, bodies, async (rtmp, srt) => {
        for (const { session, answer } of [rtmp!, srt!]) {
          assertComposite(session);
          assert.ok(answer.headers.getSetCookie().length > 0, 'cookies');
        }
        const [byRtmp, bySrt] = [rtmp!.session, srt!.session];
        assert.equal(typeof byRtmp.relayActive, 'boolean');
        assert.deepEqual([byRtmp.ingestUrl, byRtmp.srtPassphrase], [undefined, undefined]);
        assert.deepEqual([bySrt.rtmpEndpoints, bySrt.relayActive], [undefined, undefined]);
        assert.equal(bySrt.srtPassphrase, passphrase);
        const { sourceType, language, signer } = await get(service, byRtmp.sessionId);
        assert.deepEqual([sourceType, language, signer], ['RTMP_PUSH', 'BSL', 'RAE']);
        const query = new URLSearchParams({ passphrase, pbkeylen: '16' });
        await Promise.all([
          startsAndStops(service, byRtmp.sessionId, { format: 'flv', url: byRtmp.rtmpEndpoints![0]! }),
          startsAndStops(service, bySrt.sessionId, { format: 'mpegts', url: `${bySrt.ingestUrl!}?${query}` }),
        ]);
      });
    },
  ),
  paid(
    'SRT_PUSH to RTMP gives no manifest, and the stream key is only in the answer to get',
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
        srtConfig: { passphrase, keyLength: 32, latency: 200 },
        outputType: 'RTMP',
        rtmpOutputUrl,
        rtmpOutputStreamKey: 'the-stream-key',
        pictureInPicture: true,
        signer: 'JAY',
        connectionId: '',
      };
      await withSession(service, body, async (made, { body: raw }) => {
        assert.ok(made.ingestUrl, 'an SRT ingest');
        assert.equal(made.srtPassphrase, passphrase);
        assert.deepEqual([made.manifests, made.outputManifestUrl], [undefined, undefined]);
        assert.ok(holds(raw, rtmpOutputUrl), 'the destination');
        assert.ok(!holds(raw, body.rtmpOutputStreamKey), 'no stream key');
        const got = await get(service, made.sessionId);
        assert.deepEqual([got.language, got.signer], ['ASL', 'JAY']);
        assert.ok(holds(got, body.rtmpOutputStreamKey), 'the stream key');
      });
    },
  ),
];
