// Clips with B-frames, as most encoders make them: a decoder keeps the last frames until it knows that nothing follows.
import { expectWhole } from '../whole.ts';
import { expect } from '@open-wc/testing';
import { closeServices } from './clip-urls.ts';
import { framesIn, inOrder, openPlayer, type OpenPlayer, until } from './open-player.ts';

let opened: OpenPlayer;
const { setTimeout: wait } = window;
beforeEach(() => {
  // The timer of one second that notices a video that no longer moves (UNMOVED_MS) never ends.
  window.setTimeout = ((run: () => void, ms?: number) =>
    ms === 1000 ? 0 : wait(run, ms)) as typeof setTimeout;
  opened = openPlayer();
});
afterEach(async () => {
  window.setTimeout = wait;
  await opened.close();
});
after(closeServices);

it('the last frame of a clip that nothing follows is painted and its end is reported; a clip that comes late is played', async () => {
  opened.player.playbackRate = 0.5;
  await opened.add('Early');
  await until(() => opened.atEndOf === 'Early' && opened.said.includes('end Early'));
  expect([opened.player.ended, opened.player.paused]).to.deep.equal([false, false]);
  await opened.add('Late');
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('Early', 'Late'));
  await expectWhole(opened, 'Early', 'Late');
});

it('plays every frame of each clip, in order, none blank, on one video, up to the last frame of the last one', async () => {
  const { player } = opened;
  player.playbackRate = 0.5;
  const texts = ['One', 'Two', 'Three'];
  await opened.add(...texts);
  await until(() => player.media);
  const video = player.media;
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder(...texts));
  await expectWhole(opened, ...texts);
  expect(player.duration * 25).to.be.closeTo(3 * framesIn('One'), 0.01);
  expect(player.media === video).to.equal(true);
  expect(player.box.querySelectorAll('video')).to.have.length(1);
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
  await opened.close();
  window.MediaSource = Closing;
  opened = openPlayer();
  try {
    await opened.add('Early');
    await until(() => ends > 0);
    // A loop of such calls would leave the page no frame.
    await new Promise(requestAnimationFrame);
    expect(ends).to.equal(1);
  } finally {
    window.MediaSource = MediaSource;
  }
});

it('a playlist that was played to its end is played again from any of its seconds', async () => {
  await opened.add('One', 'Two');
  await opened.played();
  opened.said.length = 0;
  opened.player.currentTime = 0.3;
  await opened.player.play();
  await until(() => opened.said.includes('end Two') && opened.player.ended);
  opened.player.currentTime = opened.player.duration - 0.1;
  await until(() => opened.player.ended && opened.atEndOf === 'Two');
  expect(opened.said.slice(0, 4)).to.deep.equal(inOrder('One', 'Two'));
});

it('a seek to the last frames finds their picture while the player is paused', async () => {
  opened.player.pause();
  await opened.add('One');
  await until(() => opened.said.includes('start One'));
  opened.player.currentTime = (framesIn('One') - 0.5) / 25;
  await until(() => opened.atEndOf === 'One' && !opened.player.seeking);
  opened.player.currentTime = 0;
  await until(() => opened.painted.at(-1)?.frame === 0);
  await opened.player.play();
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('One'));
});

it('the end is reported also after a pause and another speed near it', async () => {
  const { player } = opened;
  await opened.add('One');
  await until(() => (opened.framesOf('One').at(-1) ?? 0) >= framesIn('One') - 6);
  player.pause();
  player.playbackRate = 0.25;
  await player.play();
  await until(() => opened.said.includes('end One') && opened.atEndOf === 'One');
  await opened.add('Two');
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('One', 'Two'));
});
