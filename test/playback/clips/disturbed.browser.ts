// A playlist that is changed while it plays: clips removed, paused, moved, played faster, refused, broken.
import { expect } from '@open-wc/testing';
import { BEGINNING } from '../../../src/playback/clips/buffer-timeline.ts';
import { setFaults } from '../../backend/client.ts';
import { clipUrl, closeServices, encodedClipUrls } from './clip-urls.ts';
import { framesIn, inOrder, nextFrame, openPlayer, type OpenPlayer, until } from './open-player.ts';

let opened: OpenPlayer;
beforeEach(() => {
  opened = openPlayer();
});
const { setTimeout: wait } = window;
afterEach(async () => {
  window.setTimeout = wait;
  await opened.close();
});
after(closeServices);

async function frames(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await nextFrame();
}

/**
 * Holds the wait of this many milliseconds that begins when the text has ended, until the test calls `over`. An equally long wait
 * before that end is not held.
 */
function holdBeat(milliseconds: number, text: string): { readonly held: boolean; over(): void } {
  let waiting: (() => void) | null = null;
  window.setTimeout = ((run: () => void, ms = 0, ...rest: unknown[]) => {
    if (Math.round(ms) !== milliseconds) return wait(run, ms, ...rest);
    return wait(() => {
      if (opened.said.includes(`end ${text}`)) waiting = run;
      else run();
    }, ms);
  }) as typeof setTimeout;
  return {
    get held() {
      return waiting !== null;
    },
    over() {
      window.setTimeout = wait;
      waiting?.();
    },
  };
}

it('removing the clip on screen shows the next one, and removing that before its first frame shows the one after it', async () => {
  const { player } = opened;
  player.playbackRate = 0.5;
  player.pause();
  const [first, second] = await opened.add('Goes from the screen', 'Never seen', 'Third');
  await until(() => opened.said.includes('start Goes from the screen'));
  player.currentTime = 0.4;
  await until(() => opened.framesOf('Goes from the screen').at(-1)! >= 9);
  await player.play();
  player.remove(second!);
  player.remove(first!);
  await opened.played();
  expect(opened.said).to.deep.equal(['start Goes from the screen', ...inOrder('Third')]);
  expect(opened.framesOf('Never seen')).to.deep.equal([]);
  await until(() => opened.atEndOf === 'Third');
});

// Chromium has already decoded the next five frames, Firefox the next twelve.
for (const [before, playing] of [
  [2, false],
  [6, true],
] as const) {
  it(`a clip that is removed ${before} frames before its turn, ${playing ? '' : 'not '}playing, is not painted`, async () => {
    const { player } = opened;
    player.pause();
    const [, second] = await opened.add('First', 'Never seen', 'Last');
    await until(() => player.buffered.length > 0 && player.buffered.end(0) === player.duration);
    player.currentTime = (framesIn('First') - before + 0.5) / 25;
    await until(() => opened.framesOf('First').at(-1) === framesIn('First') - before);
    if (playing) void player.play();
    player.remove(second!);
    if (!playing) await frames(20);
    void player.play();
    await opened.played();
    expect(opened.said).to.deep.equal(inOrder('First', 'Last'));
    expect(opened.framesOf('Never seen')).to.deep.equal([]);
    await until(() => opened.atEndOf === 'Last');
  });
}

it('a clip that is removed on its very last frame does not come back, and the next one is shown whole', async () => {
  const { player } = opened;
  player.pause();
  const [first] = await opened.add('First', 'Next');
  await until(() => player.buffered.length > 0 && player.buffered.end(0) === player.duration);
  const last = framesIn('First') - 1;
  player.currentTime = (last + 0.5) / 25;
  await until(() => opened.framesOf('First').at(-1) === last);
  // The stamp of a frame can be read before the browser tells the player that it has painted one.
  await until(() => opened.said.includes('start First'));
  player.playbackRate = 0.5;
  player.remove(first!);
  await until(() => opened.framesOf('Next').length > 0);
  expect(opened.framesOf('Next')).to.deep.equal([0]);
  const before = opened.painted.length;
  await player.play();
  await opened.played();
  expect(opened.painted.slice(before).every(({ text }) => text === 'Next')).to.equal(true);
  expect(opened.said).to.deep.equal(['start First', ...inOrder('Next')]);
});

it('a clip that is removed while its last frames play does not come back either', async () => {
  opened.player.playbackRate = 0.5;
  const [first] = await opened.add('First', 'Next');
  await until(() => (opened.framesOf('First').at(-1) ?? 0) >= framesIn('First') - 3);
  opened.player.remove(first!);
  await opened.played();
  await until(() => opened.atEndOf === 'Next');
  const shown = opened.painted.map(({ text }) => text);
  expect(shown.slice(shown.indexOf('Next')).every((text) => text === 'Next')).to.equal(true);
  expect(shown).to.not.include('blank');
  // On a slow machine the clip has ended by then.
  expect(opened.said.filter((what) => what !== 'end First')).to.deep.equal([
    'start First',
    ...inOrder('Next'),
  ]);
});

it('a pause from outside, as by a picture-in-picture window, holds, and playback goes on across the join', async () => {
  opened.player.playbackRate = 0.5;
  await opened.add('Paused in here', 'Behind it');
  await until(() => opened.player.currentTime > 0.3);
  const { player } = opened;
  const video = player.media!;
  video.pause();
  await until(() => player.paused);
  await video.play();
  expect(player.paused).to.equal(false);
  await opened.played();
  expect(player.media === video).to.equal(true);
  expect(opened.said).to.deep.equal(inOrder('Paused in here', 'Behind it'));
});

for (const [first, which] of [
  [false, 'behind another one is the browser’s own and is undone'],
  [true, 'that is the first one holds'],
] as const)
  it(`a pause of the video before the first frame of a clip ${which}`, async () => {
    const { requestVideoFrameCallback: request } = HTMLVideoElement.prototype;
    const unreported: (() => void)[] = [];
    let isHeld = false;
    HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
      return request.call(this, (now, frame) => {
        if (isHeld) unreported.push(() => callback(now, frame));
        else callback(now, frame);
      });
    };
    // The player of `beforeEach` has already requested its first frame, so the test opens another one.
    await opened.close();
    opened = openPlayer();
    const { player } = opened;
    try {
      if (!first) {
        await opened.add('Before');
        await until(() => opened.said.includes('end Before'));
      }
      isHeld = true;
      const pauses: string[] = [];
      player.addEventListener('pause', () => pauses.push('of the player'));
      player.box.addEventListener('pause', () => pauses.push('of the video'), true);
      const pause = ({ target }: Event): void => (target as HTMLVideoElement).pause();
      // WebKitGTK pauses at the end of the clip before, when the next one plays already.
      player.box.addEventListener('playing', pause, { capture: true, once: true });
      await opened.add('Begins');
      await until(() => pauses.includes('of the video'));
      expect(opened.said).to.not.include('start Begins');
      expect(player.paused).to.equal(first);
      await until(() => player.media!.paused === first);
      expect(pauses.includes('of the player')).to.equal(first);
      isHeld = false;
      for (const report of unreported) report();
      if (first) await player.play();
      await opened.played();
      expect(opened.said).to.deep.equal(inOrder(...(first ? [] : ['Before']), 'Begins'));
    } finally {
      HTMLVideoElement.prototype.requestVideoFrameCallback = request;
    }
  });

it('a speed that is set between two clips applies to the next one, also in a browser that ignores a speed that it believes it has', async () => {
  const { player } = opened;
  await opened.add('Before');
  await until(() => opened.said.includes('end Before'));
  const media = player.media!;
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'playbackRate')!;
  let believed = media.playbackRate;
  // WebKitGTK lost the speed in 18 of 70 plays.
  Object.defineProperty(media, 'playbackRate', {
    configurable: true,
    get: () => believed,
    set(rate: number) {
      if (!media.paused && rate !== believed) set!.call(media, rate);
      believed = rate;
    },
  });
  player.playbackRate = 0.5;
  await opened.add('Slower');
  await until(() => opened.said.includes('end Slower'));
  expect([media.playbackRate, get!.call(media)]).to.deep.equal([0.5, 0.5]);
});

it('a pause holds when the browser goes on playing, as WebKitGTK does in the moment of a start', async () => {
  const { player } = opened;
  // So slow that the clip is not over when the test has seen its start.
  player.playbackRate = 0.25;
  await opened.add('Held at once');
  await until(() => opened.said.includes('start Held at once'));
  player.pause();
  player.media!.play().catch(() => {});
  await until(() => player.media!.paused);
  expect(player.paused).to.equal(true);
  expect(opened.said).to.deep.equal(['start Held at once']);
  player.playbackRate = 1;
  await player.play();
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('Held at once'));
});

it('playback goes on when the player is moved in the page', async () => {
  await opened.add('Moved while it plays', 'And on');
  await until(() => opened.player.currentTime > 0.3);
  const place = document.createElement('section');
  document.body.append(place);
  place.append(opened.player.box);
  opened.player.resume();
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('Moved while it plays', 'And on'));
  place.remove();
});

it('at double speed the last frame is held for the 300 ms of rest that were lost, and no frame of the next clip is early', async () => {
  const beat = holdBeat(300, 'Quick');
  opened.player.playbackRate = 2;
  await opened.add('Quick', 'And quick');
  await until(() => beat.held);
  await frames(20);
  expect(opened.said).to.deep.equal(inOrder('Quick'));
  expect(opened.framesOf('And quick')).to.deep.equal([]);
  beat.over();
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('Quick', 'And quick'));
});

it('a speed that is raised when the next clip is already in the buffer keeps the pause between sentences', async () => {
  const beat = holdBeat(300, 'Slow at first');
  const { player } = opened;
  player.pause();
  await opened.add('Slow at first', 'Then quick');
  await until(() => opened.said.includes('start Slow at first'));
  const { duration } = player;
  await until(() => player.media!.buffered.end(0) > BEGINNING + duration + 0.5);
  await player.play();
  player.playbackRate = 2;
  await until(() => beat.held);
  await frames(20);
  expect(opened.said).to.deep.equal(inOrder('Slow at first'));
  expect(opened.framesOf('Then quick')).to.deep.equal([]);
  beat.over();
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('Slow at first', 'Then quick'));
});

it('a clip that breaks on two videos fails before the joined clip behind it starts, and leaves no error to that one', async () => {
  // This clip is requested before the faults count texts.
  const behind = await clipUrl('Behind');
  const [turned] = await encodedClipUrls([['Breaks', { rotation: 90 }]]);
  opened.player.playbackRate = 0.5;
  opened.append('Breaks', await turned!);
  await setFaults([]);
  opened.append('Behind', behind);
  const isReady = ({ readyState }: HTMLVideoElement): boolean =>
    readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
  // Both have a picture, each on a renderer of its own.
  await until(
    () =>
      opened.said.includes('start Breaks') &&
      [...opened.player.box.querySelectorAll('video')].filter(isReady).length === 2,
  );
  opened.player.media!.src = 'data:text/plain,no-video';
  await opened.played();
  expect(opened.said).to.deep.equal(['start Breaks', 'failed Breaks media_error', ...inOrder('Behind')]);
  expect(opened.player.error).to.equal(null);
});
