// Sources that are pushed to a session, by FFmpeg, and the playlists that result.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { scriptOf } from '../../../../demo/sandbox/painter/script.ts';
import { clipId } from '../../../../demo/sandbox/stamp.ts';
import { probe } from '../../../ffmpeg/probe.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { until } from '../../../until.ts';
import { MediaHarness, namesOf, liveSpecOf, type ShownFrame } from './media-harness.ts';
import { endOf, ffmpegNow, push, pushUntil, stampedSource } from './stamped-source.ts';
import { withVariable } from './with-variable.ts';

const FRAME_MS = 40;
const first = clipId('source time 00:00');
const second = clipId('source time 00:05');

test('with an RTMP source the signer and the composite are in step with each other and with the source', async (t) => {
  const harness = new MediaHarness(t);
  const file = stampedSource(temporaryFolder(), 12);
  const { run, states, addresses } = await harness.start(liveSpecOf({ pictureInPicture: true }));
  const { ingestUrl, hlsUrl, dashUrl, pipUrl } = addresses;
  assert.match(ingestUrl!, /^rtmp:\/\/127\.0\.0\.1:\d+\/live\/sandbox-key$/);
  assert.equal(await harness.status(pipUrl!), 503);
  assert.equal(await harness.status(hlsUrl!), 200);
  push(t, file, 'flv', ingestUrl!);
  const playlist = await harness.grown(pipUrl!, 8);
  assert.deepEqual(states, ['pending', 'running']);

  assert.match(playlist, /#EXT-X-PART:DURATION=0\.20000,URI="\d+\.\d+\.m4s/);
  assert.match(playlist, /#EXT-X-MAP:URI="init\.mp4/);
  assert.match(await harness.text(dashUrl!), /<MPD [^]*type="dynamic"/);
  const init = await harness.bytes(pipUrl!.replace('stream.m3u8', 'init.mp4'));
  const one = await harness.bytes(new URL(namesOf(playlist)[1]!, pipUrl!).href);
  const [video] = probe(Buffer.concat([init, one])).streams;
  assert.deepEqual([video!.codec_name, video!.width, video!.height], ['h264', 320, 180]);

  const begins = (frames: readonly ShownFrame[], clip: number) =>
    frames.find((shown) => shown.clip === clip && shown.frame === 0);
  const untilSecond = (url: string): Promise<ShownFrame[]> =>
    until(
      () => harness.frames(url),
      (frames) => begins(frames, second) !== undefined,
    );
  const composite = await untilSecond(pipUrl!);
  const signer = await untilSecond(hlsUrl!);
  for (const clip of [first, second]) {
    const [alone, onSource] = [begins(signer, clip), begins(composite, clip)];
    assert.ok(alone && onSource, 'the sentence begins in both');
    assert.ok(Math.abs(alone.time - onSource.time) <= 5 * FRAME_MS, 'within a part of each other');
  }
  // The sentence that names the fifth second begins five seconds of the source, which are 125 frames, after the one that names
  // its beginning, or later where the machine is slow; what is shown of the source may be behind by two seconds.
  const between = begins(composite, second)!.source! - begins(composite, first)!.source!;
  assert.ok(between >= 75, `${between} frames of the source between the sentences`);

  const numbers = composite.map(({ source }) => source);
  assert.ok(!numbers.includes(null), 'every frame shows the source');
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a! - b!),
  );
  // Between the sentences the last frame of the first one stays; where the machine is slow, the second one may follow at once.
  const last = scriptOf('source time 00:00', null).gloss.frames - 1;
  const isLast = ({ clip, frame }: ShownFrame): boolean => clip === first && frame === last;
  const held = composite.slice(composite.findIndex(isLast), composite.indexOf(begins(composite, second)!));
  assert.ok(held.length > 0);
  assert.deepEqual(
    held.filter((shown) => !isLast(shown)),
    [],
  );

  await run.stop();
  assert.equal(states.at(-1), 'stopped');
  await until(async () => (await harness.text(pipUrl!)).includes('#EXT-X-ENDLIST'));
});

test(
  'a process with one thread for all waiting calls reports its address and reads what is pushed',
  { timeout: 300_000 },
  async (t) => {
    const harness = new MediaHarness(t);
    const { states, addresses } = await withVariable('UV_THREADPOOL_SIZE', '1', () =>
      harness.start(liveSpecOf()),
    );
    push(t, stampedSource(temporaryFolder(), 5), 'flv', addresses.ingestUrl!);
    await until(() => states.includes('running'));
  },
);

// These tests wait for seconds, so they run at the same time.
describe('a pushed source', { concurrency: true }, () => {
  it('an SRT source with a wrong passphrase is refused, and one with the right passphrase is signed', async (t) => {
    const harness = new MediaHarness(t);
    const file = stampedSource(temporaryFolder(), 6);
    const srt = { kind: 'srt', passphrase: 'sandbox-passphrase', keyLength: 32, latencyMs: 120 } as const;
    const { states, addresses } = await harness.start(liveSpecOf({ source: srt }));
    assert.match(addresses.ingestUrl!, /^srt:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(addresses.pipUrl, null);
    const address = (passphrase: string): string =>
      `${addresses.ingestUrl!}?passphrase=${passphrase}&pbkeylen=32`;
    const [refused] = (await once(push(t, file, 'mpegts', address('not-the-passphrase')), 'exit')) as [
      number,
    ];
    assert.notEqual(refused, 0);
    assert.deepEqual(states, ['pending']);
    push(t, file, 'mpegts', address('sandbox-passphrase'));
    await until(() => states.includes('running'));
    await until(async () => (await harness.frames(addresses.hlsUrl!)).some(({ clip }) => clip === first));
  });

  it('a source that disconnects and returns is used again', async (t) => {
    // On a busy machine the source takes long to come back.
    const harness = new MediaHarness(t, 60_000);
    const file = stampedSource(temporaryFolder(), 30);
    const { states, addresses } = await harness.start(liveSpecOf());
    const arrived = (): Promise<ChildProcess> => {
      const before = states.length;
      return pushUntil(() => states.length > before, t, file, 'flv', addresses.ingestUrl!);
    };
    await endOf(await arrived());
    await until(() => states.length === 3);
    await arrived();
    assert.deepEqual(states, ['pending', 'running', 'pending', 'running']);
  });

  it('a source that disconnects and stays away ends its session', async (t) => {
    const harness = new MediaHarness(t, 500);
    const file = stampedSource(temporaryFolder(), 30);
    const { states, addresses } = await harness.start(liveSpecOf());
    await endOf(await pushUntil(() => states.includes('running'), t, file, 'flv', addresses.ingestUrl!));
    await until(() => states.at(-1) === 'stopped');
    assert.deepEqual(states, ['pending', 'running', 'pending', 'stopped']);
  });

  it('bytes that are no RTMP and another stream key are refused, and the right key is accepted afterwards', async (t) => {
    const harness = new MediaHarness(t);
    const file = stampedSource(temporaryFolder(), 10);
    const { states, addresses } = await harness.start(liveSpecOf());
    const otherClient = connect(Number(new URL(addresses.ingestUrl!).port), '127.0.0.1');
    otherClient.write(Buffer.alloc(4000, 'x'));
    otherClient.resume();
    otherClient.on('error', () => {});
    await new Promise((resolve) => otherClient.once('close', resolve));
    const other = addresses.ingestUrl!.replace('sandbox-key', 'another-key');
    await once(push(t, file, 'flv', other), 'exit');
    assert.deepEqual(states, ['pending']);
    await pushUntil(() => states.includes('running'), t, file, 'flv', addresses.ingestUrl!);
  });

  it('a source that is not video fails the session, with a message without an address', async (t) => {
    const harness = new MediaHarness(t);
    const folder = temporaryFolder();
    const file = join(folder, 'sound.flv');
    ffmpegNow(['-f', 'lavfi', '-i', 'sine', '-t', '5', '-c:a', 'aac', file]);
    const { states, addresses } = await harness.start(liveSpecOf());
    push(t, file, 'flv', addresses.ingestUrl!);
    await until(() => states.length > 1);
    assert.deepEqual(states, ['pending', { failed: 'the source is no FLV stream with a picture' }]);
  });
});
