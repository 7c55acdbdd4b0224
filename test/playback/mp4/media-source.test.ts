// Remuxed clips in a browser: each is appended to a SourceBuffer twice, at second 10 and directly after that, and played to the
// end.
// - All clips play at once on one page, because each takes its real time.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { remux } from '../../../src/playback/mp4/remux.ts';
import { openBrowser } from '../../browser/open-browser.ts';
import { makeClips } from './clip-files.ts';
import { mediabunnySees } from './oracles.ts';

interface Played {
  /** Seconds. */
  readonly buffered: readonly (readonly [start: number, end: number])[];
  /** Decoded frames, including dropped ones. */
  readonly frames: number;
  /** Seconds. */
  readonly end: number;
  readonly size: string;
}

/** A remuxed clip on its way into the page: bytes as text of one letter a byte. */
interface Sent {
  readonly mimeType: string;
  readonly init: string;
  readonly media: string;
  readonly seconds: number;
  readonly firstFrameAt: number;
}

/** Runs in the page. Returns the reason in place of a clip that could not be played. */
function playAllTwice(clips: readonly Sent[]): Promise<(Played | string)[]> {
  const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const playTwice = async ({ mimeType, init, media, seconds, firstFrameAt }: Sent): Promise<Played> => {
    const video = document.body.appendChild(document.createElement('video'));
    const eventOf = (target: EventTarget, event: string): Promise<void> =>
      new Promise((resolve, reject) => {
        target.addEventListener(event, () => resolve(), { once: true });
        video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
      });
    const source = new MediaSource();
    video.muted = true;
    video.src = URL.createObjectURL(source);
    await eventOf(source, 'sourceopen');
    // Played before there is anything to play, so that the browser does not suspend it and decode its beginning twice.
    const ended = eventOf(video, 'ended');
    const started = video.play();
    const buffer = source.addSourceBuffer(mimeType);
    for (const [offset, piece] of [
      [10, init],
      [10, media],
      [10 + seconds, media],
    ] as const) {
      buffer.timestampOffset = offset - firstFrameAt;
      const appended = eventOf(buffer, 'updateend');
      buffer.appendBuffer(bytes(piece));
      await appended;
    }
    video.currentTime = 10;
    source.endOfStream();
    const buffered = [...Array(buffer.buffered.length).keys()].map(
      (i) => [buffer.buffered.start(i), buffer.buffered.end(i)] as const,
    );
    await started;
    await ended;
    const frames = video.getVideoPlaybackQuality().totalVideoFrames;
    return { buffered, frames, end: video.currentTime, size: `${video.videoWidth}x${video.videoHeight}` };
  };
  return Promise.all(clips.map((clip) => playTwice(clip).catch(String)));
}

const sizes = new Map([
  ['baseline.mp4', '160x90'],
  ['high, three B-frames.mp4', '160x90'],
  ['open groups.mp4', '160x90'],
  ['B-frames without an edit list.mp4', '160x90'],
  ['B-frames shifted backwards.mp4', '160x90'],
  ['sound first.mp4', '160x90'],
  ['size that needs cropping.mp4', '154x86'],
  ['pixels that are not square.mp4', '213x90'],
  ['turned.mp4', '90x160'],
  ['60 frames a second.mp4', '160x90'],
  ['23.976 frames a second.mp4', '160x90'],
  ['uneven times with B-frames.mp4', '160x90'],
  ['one frame.mp4', '160x90'],
  ['QuickTime.mov', '160x90'],
  ['cut at a key frame.mp4', '160x90'],
  ['fragments behind an index.mp4', '160x90'],
  ['a fragment a frame.mp4', '160x90'],
  ['VP9.mp4', '160x90'],
  ['AV1.mp4', '160x90'],
]);

const clips = (await makeClips()).filter(({ name }) => sizes.has(name));
const remuxed = clips.map(({ bytes }) => remux(bytes));
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

const browser = await openBrowser();
after(() => browser.close());
const page = await browser.newPage();
// tsx names functions by this helper, which a page does not have.
await page.evaluate('globalThis.__name = (named) => named');
const results = await page.evaluate(
  playAllTwice,
  remuxed.map(({ mimeType, init, media, durationSeconds, firstFrameAt }) => ({
    mimeType,
    init: text(init),
    media: text(media),
    seconds: durationSeconds,
    firstFrameAt,
  })),
);

test('every kind of file was made', () => {
  assert.deepEqual(new Set(clips.map(({ name }) => name)), new Set(sizes.keys()));
});

for (const [i, { name }] of clips.entries()) {
  test(`${name}, remuxed, plays from its beginning to its end, and again directly after that`, async () => {
    const { init, media, durationSeconds } = remuxed[i]!;
    const played = results[i]!;
    if (typeof played === 'string') assert.fail(played);
    const samples = await mediabunnySees(Buffer.concat([init, media]));
    assert.equal(played.size, sizes.get(name));
    assert.equal(played.frames, 2 * samples.length);
    assert.equal(played.buffered.length, 1, `one stretch without a gap: ${JSON.stringify(played.buffered)}`);
    const [start, end] = played.buffered[0]!;
    assert.ok(Math.abs(start - 10) < 0.001, `it begins at ${start} s`);
    assert.ok(
      Math.abs(end - start - 2 * durationSeconds) < 0.001,
      `${end} s are two clips of ${durationSeconds} s`,
    );
    assert.ok(Math.abs(played.end - end) < 0.001, `it ended at ${played.end} s`);
  });
}
