// The HLS source contract (document 2), dimension by dimension, each limit on both of its sides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  outcomeOf,
  type AudioFacts,
  type SourceFacts,
  type VideoFacts,
} from '../../../../demo/sandbox/live/source/source-contract.ts';
import { eachCase } from '../../each-case.ts';

const video: VideoFacts = {
  codec: 'h264',
  profile: 'Main',
  level: 4,
  width: 1280,
  height: 720,
  frameRate: 25,
  isConstantRate: true,
  gopSeconds: 2,
  idrSeconds: 2,
  isAligned: true,
};
const audio: AudioFacts = { codec: 'aac', profile: 'AAC-LC', bitsPerSecond: 128_000 };
const canonical: SourceFacts = { container: 'mpeg-ts', hlsVersion: 3, isEncrypted: false, video, audio };

interface Change extends Partial<Omit<SourceFacts, 'video' | 'audio'>> {
  readonly video?: Partial<VideoFacts> | null;
  readonly audio?: Partial<AudioFacts> | null;
}

function factsWith({ video: v = {}, audio: a = {}, ...rest }: Change): SourceFacts {
  return { ...canonical, ...rest, video: v && { ...video, ...v }, audio: a && { ...audio, ...a } };
}

const passing: readonly Change[] = [
  {},
  { container: 'fmp4' },
  ...[3, 6, 7].map((hlsVersion) => ({ hlsVersion })),
  ...['Baseline', 'Main', 'High'].map((profile) => ({ video: { profile } })),
  ...[24, 25, 30, 50, 60, 24.9999].map((frameRate) => ({ video: { frameRate } })),
  { video: { frameRate: null } },
  { video: { level: 4.2 } },
  { video: { width: 1920, height: 1080 } },
  { video: { width: 1080, height: 1920 } },
  { video: { gopSeconds: 6, idrSeconds: 12 } },
  { audio: { profile: 'HE-AAC' } },
  { audio: { bitsPerSecond: 192_000 } },
];
test('a source inside the contract passes unchanged', () =>
  eachCase(passing, (change) => {
    const { treatment, failing } = outcomeOf(factsWith(change));
    assert.deepEqual([treatment, failing], ['pass', []]);
  }));

const failing: readonly (readonly ['normalise' | 'reject', Change, ...dimensions: string[]])[] = [
  ['normalise', { video: { gopSeconds: 6.1 } }, 'gopSeconds'],
  ['normalise', { video: { gopSeconds: 12 } }, 'gopSeconds'],
  ['reject', { video: { gopSeconds: 12.1 } }, 'gopSeconds'],
  ['reject', { video: { gopSeconds: 30 } }, 'gopSeconds'],
  ['normalise', { video: { idrSeconds: 14 } }, 'idrCadence'],
  ['normalise', { video: { profile: 'High 10' } }, 'videoProfile'],
  ['normalise', { video: { profile: 'High 4:2:2' } }, 'videoProfile'],
  ['normalise', { video: { profile: 'High 4:4:4' } }, 'videoProfile'],
  ['normalise', { video: { isConstantRate: false } }, 'frameRate'],
  ['normalise', { video: { frameRate: 23.976 } }, 'frameRate'],
  ['normalise', { video: { frameRate: 29.97 } }, 'frameRate'],
  ['normalise', { video: { frameRate: 12 } }, 'frameRate'],
  ['normalise', { video: { level: 5 } }, 'videoLevel'],
  ['normalise', { video: { width: 3840, height: 2160, level: 5.1 } }, 'resolution'],
  ['normalise', { video: { width: 1922 } }, 'resolution'],
  ['reject', { video: { width: 3842, height: 2160 } }, 'resolution'],
  ['reject', { video: { width: 1280, height: 2162, gopSeconds: 13 } }, 'gopSeconds', 'resolution'],
  ['normalise', { video: { isAligned: false } }, 'keyframeAlignment'],
  ['normalise', { audio: { bitsPerSecond: 256_000 } }, 'audioKbps'],
  ['normalise', { audio: { bitsPerSecond: 320_000 } }, 'audioKbps'],
  ['reject', { audio: { bitsPerSecond: 400_000 } }, 'audioKbps'],
  ['normalise', { audio: { profile: 'HE-AAC v2' } }, 'audioCodec'],
  ['normalise', { audio: { codec: 'mp3', profile: null } }, 'audioCodec'],
  ['normalise', { hlsVersion: 4 }, 'hlsVersion'],
  ['normalise', { hlsVersion: 9 }, 'hlsVersion'],
  ...['hevc', 'vp9', 'av1', 'mpeg2', 'unknown'].map(
    (codec) => ['reject', { video: { codec, profile: null, level: null } }, 'videoCodec'] as const,
  ),
  ['reject', { isEncrypted: true, container: 'unknown', video: null, audio: null }, 'encryption'],
  ['reject', { container: 'unknown', video: null, audio: null }, 'container'],
  ['reject', { audio: null }, 'audio'],
  ['reject', { video: null }, 'video'],
  // Deviations that the document names may come together, any other only alone.
  [
    'normalise',
    { video: { width: 3840, height: 2160, level: 5.1, frameRate: 29.97, gopSeconds: 8 } },
    'resolution',
    'frameRate',
    'gopSeconds',
  ],
  ['reject', { video: { frameRate: 29.97, level: 5 } }, 'videoLevel', 'frameRate'],
  ['reject', { hlsVersion: 5, audio: { codec: 'mp3', profile: null } }, 'audioCodec', 'hlsVersion'],
];
test('a source outside the contract is encoded again or rejected, with each dimension that fails', () =>
  eachCase(failing, ([treatment, change, ...dimensions]) => {
    const outcome = outcomeOf(factsWith(change));
    assert.equal(outcome.treatment, treatment);
    assert.deepEqual(outcome.failing.map(({ dimension }) => dimension).sort(), [...dimensions].sort());
    for (const { found, expected } of outcome.failing) {
      assert.ok(expected.length > 0 && !expected.includes(found), 'says what would have been right');
    }
  }));

test('the dimension for which a source is refused comes first', () => {
  const { failing: named } = outcomeOf(factsWith({ video: { frameRate: 29.97 }, audio: null }));
  assert.deepEqual(named, [
    { dimension: 'audio', found: 'none', expected: ['an audio track'] },
    { dimension: 'frameRate', found: 29.97, expected: [24, 25, 30, 50, 60] },
  ]);
});
