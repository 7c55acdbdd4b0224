// Clips as encoders make them, alone, before, between and after others, each playlist in a player of its own.
// - Four playlists play at once, and each kind has a test of its own, which waits for its playlist.
import { expect } from '@open-wc/testing';
import type { Encoding } from '../../../demo/sandbox/media/media-spec.ts';
import { restartWhenStalled } from '../../../src/playback/clips/video-slot.ts';
import { remux } from '../../../src/playback/mp4/remux.ts';
import { setFaults } from '../../backend/client.ts';
import { clipUrl, closeServices, encodedClipUrls } from './clip-urls.ts';
import { framesIn, inOrder, openPlayer, until } from './open-player.ts';

interface Case {
  readonly encoding: Encoding;
  /** The duration of the clip. Null: the one that the browser reports. */
  readonly seconds: number | null;
  /** Whether the clip joins on one video. Null: not checked, because browsers differ. */
  readonly joins: boolean | 'where buffered' | null;
}

const words = framesIn('One');
const whole = { seconds: words / 25 };
const cases: Readonly<Record<string, Case>> = {
  'B-frames that others need': { encoding: { order: 'b_pyramid' }, ...whole, joins: true },
  'open groups': { encoding: { order: 'open_groups', key_every: 10 }, ...whole, joins: true },
  'no key frame': {
    encoding: { order: 'refresh', key_every: 10 },
    seconds: (words - 10) / 25,
    // Chromium leaves out the frames before its first key frame, Firefox none.
    joins: null,
  },
  'the index behind': { encoding: { order: 'b_frames', index: 'behind' }, ...whole, joins: true },
  fragments: { encoding: { order: 'b_frames', index: 'fragments', key_every: 10 }, ...whole, joins: true },
  '29.97 frames a second': {
    encoding: { order: 'b_frames', frames_per_second: 30_000 / 1001 },
    seconds: (words * 1001) / 30_000,
    joins: true,
  },
  '5 frames a second': {
    encoding: { order: 'b_frames', frames: 6, frames_per_second: 5 },
    seconds: 1.2,
    joins: false,
  },
  // WebKitGTK 2.50 gives a held frame no more time than the others.
  'a last frame that is held': {
    encoding: { order: 'b_frames', hold: { frame: words - 1, seconds: 1.2 } },
    seconds: words / 25 + 1.2,
    joins: 'where buffered',
  },
  'a frame inside that is held': {
    encoding: { order: 'b_frames', hold: { frame: 12, seconds: 1.2 } },
    seconds: words / 25 + 1.2,
    joins: 'where buffered',
  },
  'one frame of an encoder with B-frames': {
    encoding: { order: 'b_frames', frames: 1 },
    seconds: 0.04,
    joins: false,
  },
  'three frames': { encoding: { order: 'b_frames', frames: 3 }, seconds: 0.12, joins: false },
  'an odd timescale': { encoding: { ticks: 40_009 }, ...whole, joins: true },
  'a delay that an edit takes back': { encoding: { edit: 'delay' }, ...whole, joins: true },
  'an empty edit in front': { encoding: { edit: 'empty' }, ...whole, joins: true },
  'a beginning that is cut off': {
    encoding: { edit: 'trimmed' },
    // Firefox 153 shows all of it, and reports the duration only after that.
    seconds: null,
    joins: false,
  },
  'places of 64 bits, and sound': {
    encoding: { offsets: 'co64', sound: { track: 'first' } },
    ...whole,
    joins: true,
  },
  'an avc3 entry': { encoding: { entry: 'avc3' }, ...whole, joins: true },
  'wide pixels': { encoding: { pixels: 'wide' }, ...whole, joins: true },
  'no B-frames': { encoding: { order: 'as_shown' }, ...whole, joins: true },
  'a turned picture': { encoding: { order: 'b_frames', rotation: 90 }, ...whole, joins: false },
};

after(async () => {
  await setFaults([]);
  closeServices();
});

/** The duration that a `<video>` reports when it has played this file. */
async function secondsOf(url: string): Promise<number> {
  const video = Object.assign(document.createElement('video'), { src: url, muted: true });
  // WebKitGTK 2.50 stops at the end of some files without an `ended`.
  restartWhenStalled(video);
  const ended = new Promise((resolve) => video.addEventListener('ended', resolve, { once: true }));
  await video.play();
  await ended;
  const { duration } = video;
  video.removeAttribute('src');
  video.load();
  return duration;
}

/** Seconds by which what is buffered of a clip may be shorter; browsers differ by a frame. */
const LOST = 0.15;

/** Whether a MediaSource of this browser buffers all of this file. */
async function isBufferedWhole(url: string): Promise<boolean> {
  const file = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const { mimeType, init, media, durationSeconds } = remux(file);
  const video = document.createElement('video');
  const source = new MediaSource();
  video.src = URL.createObjectURL(source);
  await until(() => source.readyState === 'open');
  const buffer = source.addSourceBuffer(mimeType);
  for (const bytes of [init, media]) {
    buffer.appendBuffer(bytes);
    await until(() => !buffer.updating);
  }
  const { buffered } = buffer;
  const seconds = buffered.length === 1 ? buffered.end(0) - buffered.start(0) : 0;
  video.removeAttribute('src');
  video.load();
  return seconds > durationSeconds - LOST;
}

/** Played alone to its last frame, then once more between two other clips. */
async function play({ encoding, seconds, joins }: Case, one: string, two: string): Promise<void> {
  const opened = openPlayer();
  try {
    opened.append('One', one);
    await until(() => opened.said.includes('end One'));
    // The last frame stays on screen.
    const last = (encoding.frames ?? words) - 1;
    await until(() => opened.framesOf('One').at(-1) === last);
    opened.append('Plain', await clipUrl('Plain'));
    let videos = 0;
    const clip = opened.append('Two', two);
    const { ended } = clip;
    clip.ended = () => {
      videos = opened.player.box.querySelectorAll('video').length;
      ended();
    };
    opened.append('Last', await clipUrl('Last'));
    await opened.played();
    const texts = ['One', 'Plain', 'Two', 'Last'];
    expect(opened.said).to.deep.equal(inOrder(...texts));
    await until(() => opened.atEndOf === 'Last');
    const shown = opened.painted.map(({ text }) => text).filter((text, at, all) => text !== all[at - 1]);
    // A busy browser may leave out a clip of one frame.
    expect(shown.filter((text) => text !== 'blank')).to.deep.equal(
      texts.filter((text) => shown.includes(text)),
    );
    const inTurn = opened.painted.every(({ text, frame }, at) => {
      const before = opened.painted[at - 1];
      return before?.text !== text || frame > before.frame;
    });
    expect(
      inTurn,
      'each frame in its turn' + JSON.stringify(opened.painted.map((p) => p.text + p.frame).join(' ')),
    ).to.equal(true);
    const plain = (framesIn('Plain') + framesIn('Last')) / 25;
    const lasts = seconds ?? (await secondsOf(one));
    expect(opened.player.duration).to.be.closeTo(2 * lasts + plain, 0.01);
    const expected = joins === 'where buffered' ? await isBufferedWhole(two) : joins;
    if (expected !== null) expect(videos === 1, 'joined').to.equal(expected);
    // A clip that could not be joined does not affect the others.
    expect(opened.player.box.querySelectorAll('video')).to.have.length(1);
  } finally {
    await opened.close();
  }
}

/** The results of the playlists, of which four play at once. The test of each kind waits for its result. */
const results = new Map<string, Promise<unknown>>();

before(async () => {
  // These two clips are requested first, because the faults count the texts that follow.
  await Promise.all([clipUrl('Plain'), clipUrl('Last')]);
  const kinds = Object.values(cases);
  const urls = await encodedClipUrls(
    kinds.flatMap(({ encoding }) => [['One', encoding] as const, ['Two', encoding] as const]),
  );
  const rows: Promise<unknown>[] = Array.from({ length: 4 }, () => Promise.resolve());
  Object.keys(cases).forEach((name, at) => {
    const played = rows[at % 4]!.then(async () =>
      play(kinds[at]!, await urls[2 * at]!, await urls[2 * at + 1]!),
    );
    const result = played.then(
      () => null,
      (error: unknown) => error,
    );
    rows[at % 4] = result;
    results.set(name, result);
  });
});

for (const name of Object.keys(cases)) {
  it(`${name}: played in its turn and to its last frame, alone and between others, which lose no frame`, async () => {
    const error = await results.get(name);
    if (error) throw error as Error;
  });
}
