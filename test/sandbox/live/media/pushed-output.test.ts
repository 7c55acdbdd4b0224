// A signer that is pushed to a destination, where FFmpeg receives it. Such a session has no playlists.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { LiveState } from '../../../../demo/sandbox/live/media/live-media.ts';
import type { LiveOutput } from '../../../../demo/sandbox/live/media/live-messages.ts';
import { sourceAddress } from '../../../../demo/sandbox/live/media/source-address.ts';
import { clipId } from '../../../../demo/sandbox/stamp.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { until } from '../../../until.ts';
import { decodeClip } from '../../media/decode-clip.ts';
import { stampOf } from '../../media/media-spec.ts';
import { MediaHarness, liveSpecOf } from './media-harness.ts';
import { ffmpeg, push, stampedSource } from './stamped-source.ts';

const fileSize = (file: string): number => (existsSync(file) ? statSync(file).size : 0);
const stampsIn = async (file: string) => (await decodeClip(readFileSync(file))).pictures.map(stampOf);
const passphrase = 'sandbox-passphrase';
const srt = { kind: 'srt', passphrase, keyLength: 16, latencyMs: 120 } as const;

/** Where the signer is pushed to, and the options with which FFmpeg receives it. */
const destinations: readonly {
  readonly name: string;
  readonly make: () => Promise<{ readonly output: LiveOutput; readonly receive: readonly string[] }>;
}[] = [
  {
    name: 'RTMP with its stream key',
    make: async () => {
      const { url } = await sourceAddress({ kind: 'rtmp', streamKey: 'their-key' });
      const output = { kind: 'rtmp', url: url.replace('/their-key', ''), streamKey: 'their-key' } as const;
      return { output, receive: ['-listen', '1', '-i', url] };
    },
  },
  {
    name: 'SRT with its passphrase',
    make: async () => {
      const { url } = await sourceAddress(srt);
      const receive = ['-i', `${url}?mode=listener&passphrase=${passphrase}&pbkeylen=16`];
      return { output: { ...srt, url }, receive };
    },
  },
];

// The tests wait for seconds, so they run at the same time.
describe('an output', { concurrency: true }, () => {
  for (const { name, make } of destinations) {
    it(`the signer is pushed by ${name}, and the push is closed when the session is stopped`, async (t) => {
      const harness = new MediaHarness(t);
      const folder = temporaryFolder();
      const received = join(folder, 'received.ts');
      const { output, receive } = await make();
      const receiver = ffmpeg(t, [...receive, '-c', 'copy', '-flush_packets', '1', '-f', 'mpegts', received]);
      const { run, states, addresses } = await harness.start(liveSpecOf({ output }));
      assert.deepEqual(
        { ...addresses, ingestUrl: null },
        { ingestUrl: null, hlsUrl: null, dashUrl: null, pipUrl: null },
      );
      push(t, stampedSource(folder, 10), 'flv', addresses.ingestUrl!);
      await until(() => states.includes('running'));
      const exit = once(receiver, 'exit');
      // The test reads up to the first sentence, because all received bytes are read again each time that there are more.
      let seen = fileSize(received);
      await until(async () => {
        if (fileSize(received) < seen + 30_000) return false;
        seen = fileSize(received);
        return (await stampsIn(received)).some((stamp) => stamp?.clip === clipId('source time 00:00'));
      });
      await run.stop();
      await exit;
      const { width, height, codec } = await decodeClip(readFileSync(received));
      assert.deepEqual([width, height, codec.slice(0, 4)], [640, 360, 'avc1']);
      assert.ok(!(await stampsIn(received)).includes(null), 'every frame can be read');
    });
  }

  for (const [what, url, failed] of [
    ['is not there', 'rtmp://127.0.0.1:1/live', 'the destination of the output cannot be reached'],
    ['is a file', 'file:///tmp/x.flv', 'the destination of the output is no address to push to'],
  ] as const) {
    it(`a destination that ${what} fails the session, in words without its address`, async (t) => {
      const harness = new MediaHarness(t, 500);
      const output = { kind: 'rtmp', url, streamKey: 'their-key' } as const;
      const run = harness.media.start(liveSpecOf({ output }));
      const states: LiveState[] = [];
      run.on((state) => states.push(state));
      await until(() => states.length > 1);
      assert.deepEqual(states, ['pending', { failed }]);
    });
  }
});
