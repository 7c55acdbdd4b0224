// A last frame that the browser leaves out. Chromium does so when it has decoded the frame too late: often at sixteen times the
// speed, at normal speed on a busy machine. The frame stays on screen, so it is painted after the end.
import { expect } from '@open-wc/testing';
import { closeServices } from './clip-urls.ts';
import { openPlayer, type OpenPlayer, until } from './open-player.ts';

let opened: OpenPlayer;
beforeEach(() => {
  opened = openPlayer();
});
afterEach(() => opened.close());
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
  expect(events).to.deep.equal(texts.flatMap(() => ['play', 'pause', 'ended']));
});
