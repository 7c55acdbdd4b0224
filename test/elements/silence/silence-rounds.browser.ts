// The real files of the silence endpoint over the end of a round, again and again: the stamp of each painted frame is compared
// with the second of the clip at which it is shown.
import { expect } from '@open-wc/testing';
import type { SignSilenceLoop } from '../../../src/elements/sign-silence-loop.ts';
import { BEGINNING } from '../../../src/playback/clips/buffer-timeline.ts';
import { stampOf } from '../../page/read-stamp.ts';
import { clear, mount } from './silence-harness.ts';
import { until } from '../harness.ts';

/** Rounds of each of the three loops. */
const ROUNDS = 30;
/** Frames a second of the sandbox's clips. */
const RATE = 25;
const NEAR_SECONDS = 0.16;
/** Frames that a busy machine may leave out on either side of the end. */
const MISSED = 6;

interface Painted {
  /** Number of the frame in the file. */
  readonly frame: number;
  /** Frames since second 0 of the clip. */
  readonly at: number;
}

/**
 * Firefox 153 gives the timestamp of a VideoFrame in seconds instead of microseconds. There the test uses the time of the last
 * reported frame, which on a busy machine may be the frame before or after.
 */
let isRough = false;

const nextFrame = (video: HTMLVideoElement): Promise<VideoFrameCallbackMetadata> =>
  new Promise((resolve) => video.requestVideoFrameCallback((_, frame) => resolve(frame)));

async function paintedNow(
  video: HTMLVideoElement,
  reported: VideoFrameCallbackMetadata,
): Promise<Painted | null> {
  const now = new VideoFrame(video);
  const stamp = await stampOf(now);
  isRough = now.timestamp < 1000;
  const at = (isRough ? reported.mediaTime : now.timestamp / 1_000_000) * RATE;
  now.close();
  return stamp && { frame: stamp.frame, at };
}

/** The frames that were painted before and after each end. The loop seeks to shortly before the end and plays over it. */
async function overEnds(element: SignSilenceLoop): Promise<[before: Painted, after: Painted][]> {
  await until(() => element.currentTime > 0);
  const video = element.media!;
  const ends: [Painted, Painted][] = [];
  for (const last = element.duration * RATE - 1; ends.length < ROUNDS;) {
    element.currentTime = element.duration - NEAR_SECONDS;
    let before: Painted | null = null;
    for (;;) {
      const reported = await nextFrame(video);
      const painted = video.seeking ? null : await paintedNow(video, reported);
      if (painted && painted.frame >= last - MISSED) before = painted;
      else if (painted && before) {
        // When more frames were missed, this end does not count and the loop seeks there again.
        if (painted.frame <= MISSED) ends.push([before, painted]);
        // A frame may be painted a moment before its time is reported.
        await until(() => element.currentTime < 1);
        break;
      }
    }
  }
  return ends;
}

afterEach(clear);

it('30 rounds of segments, of one file and of keyed files have no seam: every frame is painted at its time', async function () {
  // The sandbox renders three clips first; then ninety ends are played.
  this.timeout(300_000);
  const all = await Promise.all(
    [{ format: 'ts' }, { format: 'mp4' }, { transparent: '' }].map((attributes) =>
      mount({ ...attributes, style: 'inline-size: 200px' } as Record<string, string>),
    ),
  );
  const rounds = await Promise.all(all.map(({ element }) => overEnds(element)));
  for (const [index, { element, errors }] of all.entries()) {
    const frames = Math.round(element.duration * RATE);
    // The time between two frames fits their numbers: no frame is missing, and none is shown twice as long.
    const off = rounds[index]!.map(
      ([before, after]) => after.at - before.at - (after.frame + frames - before.frame),
    );
    const inOrder = off.toSorted((a, b) => a - b);
    const counted = isRough ? inOrder.slice(ROUNDS / 2, ROUNDS / 2 + 1) : inOrder;
    for (const one of counted)
      expect(Math.abs(one), `${element.format} ${inOrder.join(' ')}`).to.be.below(0.1);
    const { buffered } = element.media!;
    expect([buffered.length, errors, element.paused]).to.deep.equal([1, [], false]);
    // All rounds of the clip have been played on one timeline.
    expect(buffered.end(0)).to.be.above(BEGINNING + ROUNDS * element.duration);
  }
});
