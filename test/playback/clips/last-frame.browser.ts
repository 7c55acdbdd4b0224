// The end of a clip: a last frame that the browser leaves out, and an end that the browser reaches twice.
// - Chromium leaves the frame out when it has decoded it too late: often at sixteen times the speed, at normal speed on a busy
//   machine. The frame stays on screen, so it is painted after the end.
import { expect } from '@open-wc/testing';
import { BEGINNING } from '../../../src/playback/clips/buffer-timeline.ts';
import { closeServices } from './clip-urls.ts';
import { framesIn, inOrder, openPlayer, type OpenPlayer, until } from './open-player.ts';
import { replace, restoreAll } from './replaced.ts';

/** Safari on a Mac has both, on an iPhone ManagedMediaSource only. */
const page = globalThis as { MediaSource?: typeof MediaSource; ManagedMediaSource?: typeof MediaSource };

let opened: OpenPlayer;
beforeEach(() => {
  opened = openPlayer();
});
afterEach(async () => {
  restoreAll();
  await opened.close();
});
after(closeServices);

it('the last frame is painted after the end, the page sees no seek, and the next clip plays', async () => {
  const { player } = opened;
  const events: string[] = [];
  for (const type of ['seeking', 'seeked', 'play', 'pause', 'ended'])
    player.addEventListener(type, () => void events.push(type));
  // Of six clips about four lose their last frame.
  const texts = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
  for (const text of texts) {
    player.moreExpected = true;
    await opened.add(text);
    await until(() => opened.said.includes(`start ${text}`));
    player.media!.playbackRate = 16;
    await opened.played();
    await until(() => opened.atEndOf === text);
    expect([player.ended, player.seeking, player.currentTime]).to.deep.equal([true, false, player.duration]);
  }
  expect(events.join(' ')).to.equal(texts.map(() => 'play pause ended').join(' '));
});

it('the player does not seek to a left out last frame when the next clip has been appended', async () => {
  const { player } = opened;
  // No frame is reported, so the last one counts as left out.
  replace(HTMLVideoElement.prototype, 'requestVideoFrameCallback', () => 0);
  const { setTimeout: wait } = window;
  /** The player's function that seeks to the frame, which the player wants to run 0.2 s after the end. */
  let seekToFrame: (() => void) | undefined;
  const take = (run: () => void, ms?: number): unknown => (ms === 200 ? (seekToFrame = run) : wait(run, ms));
  replace(window, 'setTimeout', take as typeof setTimeout);
  await opened.add('One');
  await until(() => seekToFrame);
  const began = new Promise((resolve) => {
    player.box.addEventListener('seeking', resolve, { capture: true, once: true });
  });
  await opened.add('Two');
  await began;
  const { currentTime } = player.media!;
  seekToFrame!();
  expect(player.media!.currentTime).to.equal(currentTime);
  await opened.played();
});

it('on two videos too the last frame is painted after the end, the page sees no seek, and the next clip plays', async () => {
  for (const name of ['MediaSource', 'ManagedMediaSource'] as const) replace(page, name, undefined);
  await opened.close();
  opened = openPlayer();
  const { player } = opened;
  const seeks: string[] = [];
  player.addEventListener('seeking', () => seeks.push('of the player'));
  player.box.addEventListener('seeking', () => seeks.push('of the video'), true);
  // No frame is reported, so the last one counts as left out, as in a busy WebKitGTK.
  replace(HTMLVideoElement.prototype, 'requestVideoFrameCallback', () => 0);
  await opened.add('One');
  await until(() => opened.said.includes('end One') && seeks.length > 0);
  await until(() => opened.atEndOf === 'One');
  player.moreExpected = false;
  await until(() => player.ended);
  expect([player.seeking, player.currentTime]).to.deep.equal([false, player.duration]);
  restoreAll();
  player.moreExpected = true;
  await opened.add('Two');
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('One', 'Two'));
  expect(new Set(seeks)).to.deep.equal(new Set(['of the video']));
});

for (const [what, second, says] of [
  ['is at its end once more', Infinity, 'that it has ended'],
  ['is at its end once more', Infinity, 'nothing but its time'],
  ['goes to 0 by itself', 0, 'that it seeks'],
] as const)
  it(`a browser that ${what} after the next clip has begun, and says ${says}, plays that clip on from the frame after the one on screen`, async () => {
    const { player } = opened;
    await opened.add('One');
    await until(() => opened.said.includes('end One'));
    // So slow that the clip is not over when the test has seen its first frame.
    player.playbackRate = 0.1;
    await opened.add('Two');
    // The stamp of a frame can be read before the browser tells the player that it has painted one.
    await until(() => opened.framesOf('Two').length > 0 && opened.said.includes('start Two'));
    const seeks: string[] = [];
    for (const type of ['seeking', 'seeked', 'pause']) player.addEventListener(type, () => seeks.push(type));
    const media = player.media!;
    let sought = NaN;
    // WebKitGTK stays in this state until somebody seeks.
    Object.defineProperties(media, {
      ended: { configurable: true, value: true },
      currentTime: {
        configurable: true,
        get: () => second,
        set(at: number) {
          Reflect.deleteProperty(media, 'ended');
          Reflect.deleteProperty(media, 'currentTime');
          media.currentTime = sought = at;
        },
      },
    });
    expect(player.currentTime).to.be.within(framesIn('One') / 25 - 0.001, player.duration - 0.04);
    const seen = player.currentTime;
    media.dispatchEvent(new Event(second ? 'timeupdate' : 'seeking'));
    if (says === 'that it has ended') media.dispatchEvent(new Event('ended'));
    expect(opened.said.at(-1)).to.equal('start Two');
    expect(sought - BEGINNING).to.be.closeTo(seen + 1 / 25, 0.001);
    player.playbackRate = 2;
    await opened.played();
    expect(opened.said).to.deep.equal(inOrder('One', 'Two'));
    await until(() => opened.atEndOf === 'Two');
    expect(seeks).to.deep.equal(['pause']);
  });

it('the page sees no seek of a browser that was past the end of the source when it was ended', async () => {
  const { player } = opened;
  const seeks: string[] = [];
  player.addEventListener('seeking', () => seeks.push('of the player'));
  player.box.addEventListener('seeking', () => seeks.push('of the video'), true);
  const { endOfStream } = MediaSource.prototype;
  // Chromium does so on a busy machine (MSE, duration change: a position behind the end seeks to it).
  replace(MediaSource.prototype, 'endOfStream', function end(this: MediaSource) {
    endOfStream.call(this);
    player.media!.currentTime = player.media!.duration;
  });
  await opened.add('One');
  await opened.played();
  expect([...new Set(seeks)]).to.deep.equal(['of the video']);
});

it('a seek to the left out last frame that the browser loses is repeated once, and the next clip plays', async () => {
  const { player } = opened;
  // No frame is reported, so the last one counts as left out.
  replace(HTMLVideoElement.prototype, 'requestVideoFrameCallback', () => 0);
  await opened.add('One');
  await until(() => opened.said.includes('end One'));
  const media = player.media!;
  const sought: number[] = [];
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'currentTime')!;
  // In 8 of 158 seeks at its end WebKitGTK stays in this state until the next seek.
  Object.defineProperties(media, {
    seeking: { configurable: true, get: () => sought.length === 1 },
    currentTime: {
      configurable: true,
      get: () => sought.at(-1) ?? (get!.call(media) as number),
      set(second: number) {
        if (sought.push(second) === 2) set!.call(media, second);
      },
    },
  });
  const seeked = new Promise((resolve) => media.addEventListener('seeked', resolve));
  await until(() => sought.length > 1);
  await seeked;
  expect(new Set(sought).size).to.equal(1);
  for (const name of ['seeking', 'currentTime']) Reflect.deleteProperty(media, name);
  restoreAll();
  await opened.add('Two');
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('One', 'Two'));
});
