// When a loop is appended once more, and when its played media is removed: with a video and a buffer that only record
// their calls.
import assert from 'node:assert/strict';
import test from 'node:test';
import { BEGINNING } from '../../../src/playback/clips/buffer-timeline.ts';
import { LoopWriter } from '../../../src/playback/silence/loop-renderer.ts';
import type { JoinedLoop } from '../../../src/playback/silence/silence-loop.ts';
import type { SourceBufferQueue } from '../../../src/playback/source-buffer-queue.ts';
import { promisesSettled } from '../../promises-settled.ts';

/** One clip of this many seconds, at rest at its beginning and in its middle. */
const loopOf = (seconds: number): JoinedLoop => {
  const clip = { mimeType: '', init: new Uint8Array(), media: new Uint8Array(), durationSeconds: seconds };
  return { clips: [clip], durationSeconds: seconds, restPoints: [0, seconds / 2] } as unknown as JoinedLoop;
};

/** The buffered range of a video that holds everything from its beginning to this second. */
const heldUntil = (second: number): TimeRanges => ({ length: 1, start: () => 0, end: () => second });

/** Seconds. */
const FRAME = 0.04;

/**
 * `round`: `Math.ceil` for a browser that removes the frames that begin after a second, `Math.floor` for one that removes those
 * that end after it.
 */
async function harness(seconds: number, round = Math.ceil) {
  const video = { currentTime: BEGINNING, paused: false, playbackRate: 1, buffered: heldUntil(Infinity) };
  /** Calls of the buffer: `+13` appends a clip at second 13, `-0..13` removes all between. */
  const calls: string[] = [];
  let bufferedEnd = 0;
  const queue: Pick<SourceBufferQueue, 'append' | 'remove' | 'bufferedEnd' | 'isBuffered'> = {
    append: async (clip, at) => {
      calls.push(`+${at}`);
      bufferedEnd = at + (clip as unknown as JoinedLoop).durationSeconds;
    },
    remove: async (from, to) => {
      calls.push(`-${from}..${to}`);
      if (to === Infinity) bufferedEnd = Math.min(bufferedEnd, round(from / FRAME) * FRAME);
    },
    isBuffered: () => true,
    get bufferedEnd() {
      return bufferedEnd;
    },
  };
  const failed = (error: unknown): never => {
    throw error;
  };
  const writer = new LoopWriter(
    video as HTMLVideoElement,
    queue as SourceBufferQueue,
    loopOf(seconds),
    failed,
  );
  await promisesSettled();
  /** The calls of the buffer when the video has come to this second. */
  const at = async (second: number): Promise<string[]> => {
    calls.length = 0;
    video.currentTime = second;
    writer.keepUp();
    await promisesSettled();
    return [...calls];
  };
  return { video, calls, writer, at };
}

test('one round of the loop, and at least four seconds, are written ahead', async () => {
  assert.deepEqual((await harness(3)).calls, ['+10', '+13']);
  assert.deepEqual((await harness(12)).calls, ['+10']);
  const { at } = await harness(12);
  assert.deepEqual([await at(10.1), await at(10.2)], [['+22'], []]);
});

test('a played round is removed two seconds late, because its painting may be that far behind', async () => {
  const { at } = await harness(3);
  assert.deepEqual(await at(12.5), ['+16']);
  assert.deepEqual(await at(14.9), []);
  assert.deepEqual(await at(15), ['-0..12.996']);
  assert.deepEqual(await at(17.9), ['+19']);
  assert.deepEqual(await at(18), ['-0..15.996']);
});

test('media that the browser removed is written again where the video waits for it; other media is left as it is', async () => {
  const { video, calls, writer, at } = await harness(3);
  await at(14);
  calls.length = 0;
  writer.wait();
  await promisesSettled();
  assert.deepEqual(calls, []);
  video.buffered = heldUntil(12);
  writer.wait();
  await promisesSettled();
  assert.deepEqual(calls, ['-0..Infinity', '+14', '+17']);
  assert.equal(video.currentTime, 14);
  assert.equal(writer.round?.start, 14);
});

test('another loop is written from the first rest point that is at least 1.2 seconds away', async () => {
  for (const [now, from] of [
    [14.7, 16],
    [14.9, 19],
  ] as const) {
    const { calls, writer, at } = await harness(6);
    await at(now);
    calls.length = 0;
    writer.change(loopOf(12));
    await promisesSettled();
    assert.deepEqual(calls, [`-${from + 0.004}..Infinity`, `-${from - 0.004}..Infinity`, `+${from}`]);
  }
});

test('the frame before a rest point stays in Firefox, which removes every frame that ends after the given second', async () => {
  const { calls, writer, at } = await harness(6, Math.floor);
  await at(14.7);
  calls.length = 0;
  writer.change(loopOf(12));
  await promisesSettled();
  assert.deepEqual(calls, ['-16.004..Infinity', '+16']);
});

test('during a pause another loop begins at the current position', async () => {
  const { video, calls, writer, at } = await harness(6);
  await at(12);
  video.paused = true;
  calls.length = 0;
  writer.change(loopOf(12));
  await promisesSettled();
  assert.deepEqual([calls, video.currentTime], [['-12.004..Infinity', '-11.996..Infinity', '+12'], 12]);
});

test('another loop begins at the end of the buffer when the browser has also removed some frames before the rest point', async () => {
  const { video, calls, writer, at } = await harness(6);
  await at(14.7);
  video.buffered = heldUntil(15.88);
  calls.length = 0;
  writer.change(loopOf(12));
  await promisesSettled();
  assert.deepEqual(calls, ['-16.004..Infinity', '-15.996..Infinity', '+15.88']);
});
