// A row of joined clips that is changed while it plays: clips removed, paused, moved, played faster, refused.
import { expect } from '@open-wc/testing';
import { clipAt, clipUrl, closeServices, inOrder, openRow, until, type OpenRow } from './row.ts';

let row: OpenRow;
beforeEach(() => {
  row = openRow();
});
afterEach(() => row.close());
after(closeServices);

it('removing the clip on screen shows the next, removing that one before it came shows the one behind', async () => {
  const [first, second] = await row.add('Goes from the screen', 'Never seen', 'Third');
  await until(() => row.said.includes('start Goes from the screen') && row.timeline.currentTime > 0.4);
  row.timeline.remove(second!);
  row.timeline.remove(first!);
  await row.played();
  expect(row.said).to.deep.equal(['start Goes from the screen', ...inOrder('Third')]);
  expect(row.framesOf('Never seen')).to.deep.equal([]);
  const frames = row.framesOf('Third');
  expect(frames[0]).to.equal(0);
});

it('a clip that is removed just before its turn is not painted', async () => {
  row.timeline.playbackRate = 0.5;
  const [, second] = await row.add('First', 'Never seen', 'Last');
  // What comes in the next quarter of a second is decoded already.
  await until(() => row.timeline.currentTime > 0.75);
  row.timeline.remove(second!);
  await row.played();
  expect(row.said).to.deep.equal(inOrder('First', 'Last'));
  expect(row.framesOf('Never seen')).to.deep.equal([]);
});

it('paused from outside, as by a picture-in-picture window, it stands, and plays on across the join', async () => {
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

it('paused between two clips, the first frame of the next one waits on screen', async () => {
  const { timeline } = row;
  await row.add('Before');
  await until(() => row.said.includes('end Before'));
  timeline.pause();
  await row.add('After');
  await until(() => row.said.includes('start After'));
  await until(() => row.framesOf('After').length > 0);
  expect(row.framesOf('After')).to.deep.equal([0]);
  expect(timeline.media!.paused).to.equal(true);
  await timeline.play();
  await row.played();
  expect(row.said).to.deep.equal(inOrder('Before', 'After'));
});

it('goes on when its stage is moved in the page', async () => {
  await row.add('Moved while it plays', 'And on');
  await until(() => row.timeline.currentTime > 0.3);
  const place = document.createElement('section');
  document.body.append(place);
  place.append(row.timeline.stage);
  row.timeline.resume();
  await row.played();
  expect(row.said).to.deep.equal(inOrder('Moved while it plays', 'And on'));
  place.remove();
});

it('at double speed the last frame is held for the rest that was lost, and no frame of the next is early', async () => {
  const { timeline } = row;
  timeline.playbackRate = 2;
  const at = new Map<string, number>();
  const note = (what: string): void => void at.set(what, performance.now());
  for (const text of ['Quick', 'And quick']) {
    const clip = clipAt(await clipUrl(text), text, row.said);
    timeline.append({
      ...clip,
      started: () => note(`start ${text}`),
      ended: () => note(`end ${text}`),
    });
  }
  await row.played();
  expect(at.get('start And quick')! - at.get('end Quick')!).to.be.at.least(295);
});

it('a speed that is raised while the next clip is written already keeps its beat', async () => {
  const { timeline } = row;
  await row.add('Slow at first', 'Then quick');
  await until(() => row.said.includes('start Slow at first') && timeline.currentTime > 0.3);
  timeline.playbackRate = 2;
  const ended = until(() => row.said.includes('end Slow at first')).then(() => performance.now());
  const started = until(() => row.said.includes('start Then quick')).then(() => performance.now());
  expect((await started) - (await ended)).to.be.at.least(250);
  await row.played();
  expect(row.said).to.deep.equal(inOrder('Slow at first', 'Then quick'));
});

it('a refused start is a pause that a gesture ends', async () => {
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
  await row.add('Wants a press');
  await until(() => row.timeline.blocked);
  HTMLMediaElement.prototype.play = play;
  expect(row.timeline.paused).to.equal(true);
  await row.timeline.play();
  await row.played();
  expect(row.said).to.deep.equal(inOrder('Wants a press'));
});
