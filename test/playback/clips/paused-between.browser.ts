// A playlist that is paused when a clip has ended, before the next one is here.
import { expect } from '@open-wc/testing';
import { closeServices } from './clip-urls.ts';
import { inOrder, nextFrame, openPlayer, until } from './open-player.ts';

after(closeServices);

it('paused between two clips, the first frame of the next one waits on screen and does not move', async () => {
  const opened = openPlayer();
  const { player } = opened;
  await opened.add('Before');
  await until(() => opened.said.includes('end Before'));
  player.pause();
  await opened.add('After');
  await until(() => opened.said.includes('start After'));
  await until(() => opened.framesOf('After').length > 0);
  for (let n = 0; n < 20; n++) await nextFrame();
  expect(opened.framesOf('After')).to.deep.equal([0]);
  expect(player.media!.paused).to.equal(true);
  await player.play();
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('Before', 'After'));
  await opened.close();
});
