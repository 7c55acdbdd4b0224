// Whether a playlist's picture has the canonical shape of the HLS source contract (document 2): H.264 Baseline, Main or High,
// level 4.2 or lower, 1920x1080 or lower, a constant canonical rate between discontinuities, a key frame at the start of every
// segment.
import assert from 'node:assert/strict';
import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny';
import type { Playlist } from '../hls.ts';
import { fetchMedia } from '../video.ts';

const PROFILES = [0x42, 0x4d, 0x64];
const HIGHEST_LEVEL = 42;
const RATES = [24, 25, 30, 50, 60];
/** The time of a frame is rounded to whole ticks of the track's clock. */
const JITTER_SECONDS = 0.001;

const bytesOf = async (url: string): Promise<Uint8Array> => (await fetchMedia(url)).bytes;

export async function assertCanonical({ map, segments }: Playlist): Promise<void> {
  const init = await bytesOf(map!);
  const stretches: number[][] = [[]];
  for (const { url, discontinuity } of segments) {
    const bytes = Buffer.concat([init, await bytesOf(url)]);
    const track = await new Input({ formats: [MP4], source: new BufferSource(bytes) }).getPrimaryVideoTrack();
    assert.ok(track, 'a picture');
    const [, profile, level] = /^avc1\.(..)..(..)$/.exec((await track.getCodecParameterString()) ?? '') ?? [];
    assert.ok(PROFILES.includes(parseInt(profile ?? '', 16)), `profile ${profile}`);
    assert.ok(parseInt(level ?? '', 16) <= HIGHEST_LEVEL, `level ${level}`);
    assert.ok(track.codedWidth <= 1920 && track.codedHeight <= 1080, 'a size that passes');
    const packets = [];
    for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet);
    assert.equal(packets[0]?.type, 'key');
    if (discontinuity) stretches.push([]);
    stretches.at(-1)!.push(...packets.map(({ timestamp }) => timestamp));
  }
  const steps = stretches.flatMap((times) => times.slice(1).map((time, at) => time - times[at]!));
  const rate = RATES.find((one) => Math.abs(1 / one - steps[0]!) < JITTER_SECONDS);
  assert.ok(rate, `a canonical rate, not ${1 / steps[0]!}`);
  for (const step of steps) assert.ok(Math.abs(step - 1 / rate) < JITTER_SECONDS, `a step of ${step} s`);
}
