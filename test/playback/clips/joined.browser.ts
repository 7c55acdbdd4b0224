// Clips of the sandbox on one video: what was painted is read from the picture.
import { expect } from '@open-wc/testing';
import { BEGINNING } from '../../../src/playback/clips/buffer-timeline.ts';
import { closeServices, framesIn, inOrder, nextFrame, openRow, until, type OpenRow } from './row.ts';

let row: OpenRow;
const { setInterval: every } = window;
beforeEach(() => {
  // On a starved machine a picture may not move for 8 s; the check for that, once a second, is left out (falling.browser.ts).
  window.setInterval = ((run: () => void, ms?: number) =>
    ms === 1000 ? 0 : every(run, ms)) as typeof setInterval;
  row = openRow();
});
afterEach(async () => {
  await row.close();
  window.setInterval = every;
});
after(closeServices);

it('played media stays in the buffer while the video is still within it', async () => {
  await row.add('Early');
  await row.played();
  const video = row.timeline.media!;
  const written = (): number =>
    video.buffered.length > 0 ? video.buffered.end(video.buffered.length - 1) : 0;
  const [before, play] = [written(), video.play.bind(video)];
  // As on a busy machine: the next clip is written long before the video moves.
  video.play = async () => {
    await until(() => written() > before);
    for (let frames = 0; frames < 10; frames++) await nextFrame();
    await play();
  };
  const outside: [second: number, first: number][] = [];
  let isLooking = true;
  const look = async (): Promise<void> => {
    while (isLooking) {
      const { currentTime, buffered } = video;
      if (buffered.length > 0 && currentTime < buffered.start(0))
        outside.push([currentTime, buffered.start(0)]);
      await nextFrame();
    }
  };
  const looks = look();
  row.timeline.moreExpected = true;
  await row.add('Late');
  await row.played();
  isLooking = false;
  await looks;
  expect(outside).to.deep.equal([]);
  expect(video.buffered.start(0)).to.be.greaterThan(BEGINNING);
  expect(row.said).to.deep.equal(inOrder('Early', 'Late'));
});

it('played media stays in the buffer until a later frame is painted, whatever the time of the video says', async () => {
  const { requestVideoFrameCallback: request } = HTMLVideoElement.prototype;
  // As on a machine that decodes behind the clock: no frame of the second clip is reported for now.
  const one = framesIn('First') / 25;
  const end = BEGINNING + one;
  const unreported: (() => void)[] = [];
  let isBehind = true;
  HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
    return request.call(this, (now, frame) => {
      const report = (): void => callback(now, frame);
      if (isBehind && frame.mediaTime > end - 0.02) unreported.push(report);
      else report();
    });
  };
  try {
    row.timeline.pause();
    await row.add('First', 'Second');
    // Else the video would seek to the second clip, and not play on into it.
    const written = (): number => row.timeline.media!.buffered.end(0);
    await until(() => row.said.includes('start First') && written() > end + one - 0.02);
    await row.timeline.play();
    await until(() => row.said.includes('end First') && row.timeline.media!.currentTime > end + 0.36);
    const { buffered } = row.timeline.media!;
    expect(buffered.start(0)).to.be.closeTo(BEGINNING, 0.001);
    isBehind = false;
    for (const report of unreported) report();
    await until(() => row.timeline.media!.buffered.start(0) > end - 0.02);
    await row.played();
    expect(row.said).to.deep.equal(inOrder('First', 'Second'));
  } finally {
    HTMLVideoElement.prototype.requestVideoFrameCallback = request;
  }
});

it('a frame that the browser reports long before it shows it does not end the clip before', async () => {
  const { requestVideoFrameCallback: request } = HTMLVideoElement.prototype;
  // As Firefox does on a busy machine.
  HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
    return request.call(this, (now, frame) => callback(now, { ...frame, mediaTime: frame.mediaTime + 0.36 }));
  };
  try {
    const [first] = await row.add('First');
    let left = NaN;
    first!.ended = () => (left = BEGINNING + framesIn('First') / 25 - row.timeline.media!.currentTime);
    await row.add('Second');
    await row.played();
    expect(left).to.be.at.most(0.06);
    expect(row.said).to.deep.equal(['start First', ...inOrder('Second')]);
  } finally {
    HTMLVideoElement.prototype.requestVideoFrameCallback = request;
  }
});

it('a second playlist plays in the same video, and its time begins at 0', async () => {
  await row.add('First row');
  await row.played();
  const { media: video, duration: firstRow } = row.timeline;
  row.timeline.moreExpected = true;
  await row.add('Second row');
  await until(() => row.said.includes('start Second row'));
  // The video goes on where the first row ended.
  expect(video!.currentTime - row.timeline.currentTime).to.be.closeTo(BEGINNING + firstRow, 0.05);
  await row.played();
  expect(row.timeline.media === video).to.equal(true);
  expect(row.timeline.currentTime).to.be.closeTo(row.timeline.duration, 0.01);
});

it('seeks back to a clip that was removed from the buffer, and plays on through the playlist', async () => {
  await row.add('One', 'Two', 'Three');
  await until(() => row.said.includes('start Three'));
  row.said.length = 0;
  const events: string[] = [];
  for (const type of ['seeking', 'seeked']) row.timeline.addEventListener(type, () => void events.push(type));
  let landed = NaN;
  row.timeline.addEventListener('seeked', () => (landed = row.timeline.currentTime));
  row.timeline.currentTime = 0.2;
  expect(row.timeline.seeking).to.equal(true);
  await until(() => row.said.includes('start One'));
  expect(landed).to.be.within(0.2, framesIn('One') / 25 - 0.1);
  expect(events).to.deep.equal(['seeking', 'seeked']);
  await row.played();
  expect(row.said).to.deep.equal(inOrder('One', 'Two', 'Three'));
});

it('seeks within the clip on screen without starting it again', async () => {
  await row.add('A text that is long enough to be sought in');
  await until(() => row.timeline.currentTime > 0.6);
  let landed = NaN;
  row.timeline.addEventListener('seeked', () => (landed = row.timeline.currentTime));
  row.timeline.currentTime = 0.1;
  await until(() => !Number.isNaN(landed));
  expect(landed).to.be.within(0.1, 0.6);
  await row.played();
  expect(row.said).to.deep.equal(inOrder('A text that is long enough to be sought in'));
});

it('a seek to the end of the playlist ends it', async () => {
  await row.add('One', 'Two');
  row.timeline.moreExpected = false;
  await until(() => row.said.includes('start One') && row.timeline.buffered.end(0) === row.timeline.duration);
  row.timeline.currentTime = row.timeline.duration;
  await until(() => row.timeline.ended);
  expect(row.said).to.deep.equal(['start One', 'end One', 'start Two', 'end Two']);
});

it('a playlist is played again from a clip on', async () => {
  const clips = await row.add('One', 'Two');
  await until(() => row.said.includes('end Two'));
  row.said.length = 0;
  row.timeline.playFrom([clips[1]!]);
  await until(() => row.said.includes('end Two'));
  expect(row.said).to.deep.equal(inOrder('Two'));
});

it('a playlist that loops begins again with its first clip', async () => {
  row.timeline.loop = true;
  await row.add('One', 'Two');
  row.timeline.moreExpected = false;
  await until(() => row.said.length >= 7);
  expect(row.said.slice(0, 6)).to.deep.equal(inOrder('One', 'Two', 'One'));
  expect(row.timeline.ended).to.equal(false);
});
