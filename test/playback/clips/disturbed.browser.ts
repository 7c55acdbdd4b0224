// A row of clips that is changed while it plays: clips removed, paused, moved, played faster, refused, broken.
import { expect } from '@open-wc/testing';
import { BEGINNING } from '../../../src/playback/clips/buffer-timeline.ts';
import { setFaults } from '../../backend/client.ts';
import {
  clipUrl,
  closeServices,
  encodedClipUrls,
  framesIn,
  inOrder,
  nextFrame,
  openRow,
  until,
  type OpenRow,
} from './row.ts';

let row: OpenRow;
beforeEach(() => {
  row = openRow();
});
const { setTimeout: wait } = window;
afterEach(async () => {
  window.setTimeout = wait;
  await row.close();
});
after(closeServices);

async function frames(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await nextFrame();
}

/**
 * The wait of so many milliseconds that was begun when a text ended is over when the test says so, and only then. The
 * wait for that end itself may be as long.
 */
function holdBeat(milliseconds: number, text: string): { readonly held: boolean; over(): void } {
  let waiting: (() => void) | null = null;
  window.setTimeout = ((run: () => void, ms = 0, ...rest: unknown[]) => {
    if (Math.round(ms) !== milliseconds) return wait(run, ms, ...rest);
    return wait(() => {
      if (row.said.includes(`end ${text}`)) waiting = run;
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

it('removing the clip on screen shows the next, removing that one before it came shows the one behind', async () => {
  const { timeline } = row;
  timeline.playbackRate = 0.5;
  timeline.pause();
  const [first, second] = await row.add('Goes from the screen', 'Never seen', 'Third');
  await until(() => row.said.includes('start Goes from the screen'));
  timeline.currentTime = 0.4;
  await until(() => row.framesOf('Goes from the screen').at(-1)! >= 9);
  await timeline.play();
  timeline.remove(second!);
  timeline.remove(first!);
  await row.played();
  expect(row.said).to.deep.equal(['start Goes from the screen', ...inOrder('Third')]);
  expect(row.framesOf('Never seen')).to.deep.equal([]);
  await until(() => row.atEndOf === 'Third');
});

// Chromium has already decoded the next five frames, Firefox the next twelve.
for (const [before, playing] of [
  [2, false],
  [6, true],
] as const) {
  it(`a clip that is removed ${before} frames before its turn, ${playing ? '' : 'not '}playing, is not painted`, async () => {
    const { timeline } = row;
    timeline.pause();
    const [, second] = await row.add('First', 'Never seen', 'Last');
    await until(() => timeline.buffered.length > 0 && timeline.buffered.end(0) === timeline.duration);
    timeline.currentTime = (framesIn('First') - before + 0.5) / 25;
    await until(() => row.framesOf('First').at(-1) === framesIn('First') - before);
    if (playing) void timeline.play();
    timeline.remove(second!);
    if (!playing) await frames(20);
    void timeline.play();
    await row.played();
    expect(row.said).to.deep.equal(inOrder('First', 'Last'));
    expect(row.framesOf('Never seen')).to.deep.equal([]);
    expect(row.framesOf('Last').at(-1)).to.equal(framesIn('Last') - 1);
  });
}

it('a clip that is removed on its very last frame does not come back, and the next is shown whole', async () => {
  const { timeline } = row;
  timeline.pause();
  const [first] = await row.add('First', 'Next');
  await until(() => timeline.buffered.length > 0 && timeline.buffered.end(0) === timeline.duration);
  const last = framesIn('First') - 1;
  timeline.currentTime = (last + 0.5) / 25;
  await until(() => row.framesOf('First').at(-1) === last);
  // The stamp of a frame can be read before the browser tells the player that it has painted one.
  await until(() => row.said.includes('start First'));
  timeline.playbackRate = 0.5;
  timeline.remove(first!);
  await until(() => row.framesOf('Next').length > 0);
  expect(row.framesOf('Next')).to.deep.equal([0]);
  const before = row.painted.length;
  await timeline.play();
  await row.played();
  expect(row.painted.slice(before).every(({ text }) => text === 'Next')).to.equal(true);
  expect(row.said).to.deep.equal(['start First', ...inOrder('Next')]);
});

it('a clip that is removed while its last frames play does not come back either', async () => {
  row.timeline.playbackRate = 0.5;
  const [first] = await row.add('First', 'Next');
  await until(() => (row.framesOf('First').at(-1) ?? 0) >= framesIn('First') - 3);
  row.timeline.remove(first!);
  await row.played();
  const shown = row.painted.map(({ text }) => text);
  expect(shown.slice(shown.indexOf('Next')).every((text) => text === 'Next')).to.equal(true);
  expect(shown).to.not.include('blank');
  expect(row.framesOf('Next').at(-1)).to.equal(framesIn('Next') - 1);
  // On a slow machine it has ended by then.
  expect(row.said.filter((what) => what !== 'end First')).to.deep.equal(['start First', ...inOrder('Next')]);
});

it('a pause from outside, as by a picture-in-picture window, holds, and playback goes on across the join', async () => {
  row.timeline.playbackRate = 0.5;
  await row.add('Paused in here', 'Behind it');
  await until(() => row.timeline.currentTime > 0.3);
  const { timeline } = row;
  const video = timeline.media!;
  video.pause();
  await until(() => timeline.paused);
  await video.play();
  expect(timeline.paused).to.equal(false);
  await row.played();
  expect(timeline.media === video).to.equal(true);
  expect(row.said).to.deep.equal(inOrder('Paused in here', 'Behind it'));
});

it('a pause holds when the browser goes on playing, as WebKitGTK does in the moment of a start', async () => {
  const { timeline } = row;
  await row.add('Held at once');
  await until(() => row.said.includes('start Held at once'));
  timeline.pause();
  timeline.media!.play().catch(() => {});
  await until(() => timeline.media!.paused);
  expect(timeline.paused).to.equal(true);
  expect(row.said).to.deep.equal(['start Held at once']);
  await timeline.play();
  await row.played();
  expect(row.said).to.deep.equal(inOrder('Held at once'));
});

it('goes on when it is moved in the page', async () => {
  await row.add('Moved while it plays', 'And on');
  await until(() => row.timeline.currentTime > 0.3);
  const place = document.createElement('section');
  document.body.append(place);
  place.append(row.timeline.box);
  row.timeline.resume();
  await row.played();
  expect(row.said).to.deep.equal(inOrder('Moved while it plays', 'And on'));
  place.remove();
});

it('at double speed the last frame is held for the 300 ms of rest that were lost, and nothing of the next is early', async () => {
  const beat = holdBeat(300, 'Quick');
  row.timeline.playbackRate = 2;
  await row.add('Quick', 'And quick');
  await until(() => beat.held);
  await frames(20);
  expect(row.said).to.deep.equal(inOrder('Quick'));
  expect(row.framesOf('And quick')).to.deep.equal([]);
  beat.over();
  await row.played();
  expect(row.said).to.deep.equal(inOrder('Quick', 'And quick'));
});

it('a speed that is raised when the next clip is already in the buffer keeps the pause between sentences', async () => {
  const beat = holdBeat(300, 'Slow at first');
  const { timeline } = row;
  timeline.pause();
  await row.add('Slow at first', 'Then quick');
  await until(() => row.said.includes('start Slow at first'));
  const { duration } = timeline;
  await until(() => timeline.media!.buffered.end(0) > BEGINNING + duration + 0.5);
  await timeline.play();
  timeline.playbackRate = 2;
  await until(() => beat.held);
  await frames(20);
  expect(row.said).to.deep.equal(inOrder('Slow at first'));
  expect(row.framesOf('Then quick')).to.deep.equal([]);
  beat.over();
  await row.played();
  expect(row.said).to.deep.equal(inOrder('Slow at first', 'Then quick'));
});

it('a refused start is a pause that a gesture ends', async () => {
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
  await row.add('Wants a press');
  await until(() => row.timeline.blocked);
  const refusal = await row.timeline.play().catch(({ name }: Error) => name);
  expect(refusal).to.equal('NotAllowedError');
  HTMLMediaElement.prototype.play = play;
  expect(row.timeline.paused).to.equal(true);
  await row.timeline.play();
  await row.played();
  expect(row.said).to.deep.equal(inOrder('Wants a press'));
});

it('a clip that breaks on two videos fails before the joined clip behind it starts, and leaves no error to that one', async () => {
  // It is asked for before the faults count texts.
  const behind = await clipUrl('Behind');
  const [turned] = await encodedClipUrls([['Breaks', { rotation: 90 }]]);
  row.timeline.playbackRate = 0.5;
  row.append('Breaks', await turned!);
  await setFaults([]);
  row.append('Behind', behind);
  const isReady = ({ readyState }: HTMLVideoElement): boolean =>
    readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
  // Both have a picture, each on a renderer of its own.
  await until(
    () =>
      row.said.includes('start Breaks') &&
      [...row.timeline.box.querySelectorAll('video')].filter(isReady).length === 2,
  );
  row.timeline.media!.src = 'data:text/plain,no-video';
  await row.played();
  expect(row.said).to.deep.equal(['start Breaks', 'failed Breaks media_error', ...inOrder('Behind')]);
  expect(row.timeline.error).to.equal(null);
});
