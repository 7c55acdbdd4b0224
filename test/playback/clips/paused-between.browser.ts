// A row that is paused when a clip has ended, before the next one is here.
import { expect } from '@open-wc/testing';
import { closeServices, inOrder, nextFrame, openRow, until } from './row.ts';

after(closeServices);

it('paused between two clips, the first frame of the next one waits on screen and does not move', async () => {
  const row = openRow();
  const { timeline } = row;
  await row.add('Before');
  await until(() => row.said.includes('end Before'));
  timeline.pause();
  await row.add('After');
  await until(() => row.said.includes('start After'));
  await until(() => row.framesOf('After').length > 0);
  for (let n = 0; n < 20; n++) await nextFrame();
  expect(row.framesOf('After')).to.deep.equal([0]);
  expect(timeline.media!.paused).to.equal(true);
  await timeline.play();
  await row.played();
  expect(row.said).to.deep.equal(inOrder('Before', 'After'));
  await row.close();
});
