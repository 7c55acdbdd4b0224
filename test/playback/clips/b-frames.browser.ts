// Clips with B-frames, as most encoders make them: a decoder keeps the last frames until it knows that nothing follows.
import { expectWhole } from '../whole.ts';
import { expect } from '@open-wc/testing';
import { closeServices, framesIn, inOrder, openRow, until, type OpenRow } from './row.ts';

let row: OpenRow;
const { setTimeout: wait } = window;
beforeEach(() => {
  // The timer of one second that notices a video that no longer moves (UNMOVED_MS) never ends.
  window.setTimeout = ((run: () => void, ms?: number) =>
    ms === 1000 ? 0 : wait(run, ms)) as typeof setTimeout;
  row = openRow();
});
afterEach(async () => {
  window.setTimeout = wait;
  await row.close();
});
after(closeServices);

it('the last frame of a clip that nothing follows is painted and its end is reported; a clip that comes late is played', async () => {
  row.timeline.playbackRate = 0.5;
  await row.add('Early');
  await until(() => row.atEndOf === 'Early' && row.said.includes('end Early'));
  expect([row.timeline.ended, row.timeline.paused]).to.deep.equal([false, false]);
  await row.add('Late');
  await row.played();
  expect(row.said).to.deep.equal(inOrder('Early', 'Late'));
  await expectWhole(row, 'Early', 'Late');
});

it('plays every frame of each clip, in order, none blank, on one video, up to the last frame of the last one', async () => {
  const { timeline } = row;
  timeline.playbackRate = 0.5;
  const texts = ['One', 'Two', 'Three'];
  await row.add(...texts);
  await until(() => timeline.media);
  const video = timeline.media;
  await row.played();
  expect(row.said).to.deep.equal(inOrder(...texts));
  await expectWhole(row, ...texts);
  expect(timeline.duration * 25).to.be.closeTo(3 * framesIn('One'), 0.01);
  expect(timeline.media === video).to.equal(true);
  expect(timeline.box.querySelectorAll('video')).to.have.length(1);
});

it('a source that closes while it is being ended, because its video was removed, causes no error', async () => {
  let ends = 0;
  const { MediaSource } = window;
  class Closing extends MediaSource {
    override get readyState(): ReadyState {
      return ends > 0 ? 'closed' : super.readyState;
    }
    override endOfStream(): void {
      ends += 1;
    }
  }
  await row.close();
  window.MediaSource = Closing;
  row = openRow();
  try {
    await row.add('Early');
    await until(() => ends > 0);
    // A loop of such calls would leave the page no frame.
    await new Promise(requestAnimationFrame);
    expect(ends).to.equal(1);
  } finally {
    window.MediaSource = MediaSource;
  }
});

it('what was played to its end is played again from any second of it', async () => {
  await row.add('One', 'Two');
  await row.played();
  row.said.length = 0;
  row.timeline.currentTime = 0.3;
  await row.timeline.play();
  await until(() => row.said.includes('end Two') && row.timeline.ended);
  row.timeline.currentTime = row.timeline.duration - 0.1;
  await until(() => row.timeline.ended && row.atEndOf === 'Two');
  expect(row.said.slice(0, 4)).to.deep.equal(inOrder('One', 'Two'));
});

it('a seek to the last frames finds their picture while the player is paused', async () => {
  row.timeline.pause();
  await row.add('One');
  await until(() => row.said.includes('start One'));
  row.timeline.currentTime = (framesIn('One') - 0.5) / 25;
  await until(() => row.atEndOf === 'One' && !row.timeline.seeking);
  row.timeline.currentTime = 0;
  await until(() => row.painted.at(-1)?.frame === 0);
  await row.timeline.play();
  await row.played();
  expect(row.said).to.deep.equal(inOrder('One'));
});

it('the end is reported also after a pause and another speed near it', async () => {
  const { timeline } = row;
  await row.add('One');
  await until(() => (row.framesOf('One').at(-1) ?? 0) >= framesIn('One') - 6);
  timeline.pause();
  timeline.playbackRate = 0.25;
  await timeline.play();
  await until(() => row.said.includes('end One') && row.atEndOf === 'One');
  await row.add('Two');
  await row.played();
  expect(row.said).to.deep.equal(inOrder('One', 'Two'));
});
