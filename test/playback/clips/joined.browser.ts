// Clips of the sandbox on one video: what was painted is read from the picture.
import { expect } from '@open-wc/testing';
import { BEGINNING } from '../../../src/playback/clips/buffer-timeline.ts';
import { closeServices } from './clip-urls.ts';
import { framesIn, inOrder, nextFrame, openPlayer, type OpenPlayer, until } from './open-player.ts';

let opened: OpenPlayer;
const { setInterval: every } = window;
beforeEach(() => {
  // On a busy machine a picture may not move for 8 s, so the check for that, which runs once a second, is left out
  // (stuck.browser.ts).
  window.setInterval = ((run: () => void, ms?: number) =>
    ms === 1000 ? 0 : every(run, ms)) as typeof setInterval;
  opened = openPlayer();
});
afterEach(async () => {
  await opened.close();
  window.setInterval = every;
});
after(closeServices);

it('played media stays in the buffer while the video is still within it', async () => {
  await opened.add('Early');
  await opened.played();
  const video = opened.player.media!;
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
  opened.player.moreExpected = true;
  await opened.add('Late');
  await opened.played();
  isLooking = false;
  await looks;
  expect(outside).to.deep.equal([]);
  // WebKit may still be removing it.
  await until(() => video.buffered.start(0) > BEGINNING);
  expect(opened.said).to.deep.equal(inOrder('Early', 'Late'));
});

it('played media stays in the buffer until a later frame is painted, whatever the time of the video says', async () => {
  const { requestVideoFrameCallback: request } = HTMLVideoElement.prototype;
  // As on a machine that decodes behind the clock: no frame of the second clip is reported for now.
  const one = framesIn('First') / 25;
  const end = BEGINNING + one;
  // So long that it still plays when the test has seen its beginning.
  const second = 'Second and all that follows it';
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
    opened.player.pause();
    await opened.add('First', second);
    // Else the video would seek to the second clip, and not play on into it.
    const written = (): number => opened.player.media!.buffered.end(0);
    await until(() => opened.said.includes('start First') && written() > end + one - 0.02);
    await opened.player.play();
    await until(() => opened.said.includes('end First') && opened.player.media!.currentTime > end + 0.36);
    const { buffered } = opened.player.media!;
    expect(buffered.start(0)).to.be.closeTo(BEGINNING, 0.001);
    isBehind = false;
    for (const report of unreported) report();
    await until(() => opened.player.media!.buffered.start(0) > end - 0.02);
    await opened.played();
    expect(opened.said).to.deep.equal(inOrder('First', second));
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
    const [first] = await opened.add('First');
    let left = NaN;
    first!.ended = () => (left = BEGINNING + framesIn('First') / 25 - opened.player.media!.currentTime);
    await opened.add('Second');
    await opened.played();
    expect(left).to.be.at.most(0.06);
    expect(opened.said).to.deep.equal(['start First', ...inOrder('Second')]);
  } finally {
    HTMLVideoElement.prototype.requestVideoFrameCallback = request;
  }
});

it('a second playlist plays in the same video, and its time begins at 0', async () => {
  await opened.add('First playlist');
  await opened.played();
  const { media: video, duration: firstDuration } = opened.player;
  opened.player.moreExpected = true;
  await opened.add('Second playlist');
  await until(() => opened.said.includes('start Second playlist'));
  // The video goes on where the first playlist ended.
  expect(video!.currentTime - opened.player.currentTime).to.be.closeTo(BEGINNING + firstDuration, 0.05);
  await opened.played();
  expect(opened.player.media === video).to.equal(true);
  expect(opened.player.currentTime).to.be.closeTo(opened.player.duration, 0.01);
});

it('seeks back to a clip that was removed from the buffer, and plays on through the playlist', async () => {
  await opened.add('One', 'Two', 'Three');
  await until(() => opened.said.includes('start Three'));
  opened.said.length = 0;
  const events: string[] = [];
  for (const type of ['seeking', 'seeked'])
    opened.player.addEventListener(type, () => void events.push(type));
  let landed = NaN;
  opened.player.addEventListener('seeked', () => (landed = opened.player.currentTime));
  opened.player.currentTime = 0.2;
  expect(opened.player.seeking).to.equal(true);
  await until(() => opened.said.includes('start One'));
  expect(landed).to.be.within(0.2, framesIn('One') / 25 - 0.1);
  expect(events).to.deep.equal(['seeking', 'seeked']);
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('One', 'Two', 'Three'));
});

it('seeks within the clip on screen without starting it again', async () => {
  // At full speed, a busy browser may report the seek only after half a second more of playback.
  opened.player.playbackRate = 0.25;
  await opened.add('A text that is long enough to be sought in');
  await until(() => opened.player.currentTime > 0.6);
  let landed = NaN;
  opened.player.addEventListener('seeked', () => (landed = opened.player.currentTime));
  opened.player.currentTime = 0.1;
  await until(() => !Number.isNaN(landed));
  expect(landed).to.be.within(0.1, 0.6);
  opened.player.playbackRate = 1;
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('A text that is long enough to be sought in'));
});

it('a seek to the end of the playlist ends it', async () => {
  await opened.add('One', 'Two');
  opened.player.moreExpected = false;
  await until(
    () => opened.said.includes('start One') && opened.player.buffered.end(0) === opened.player.duration,
  );
  opened.player.currentTime = opened.player.duration;
  await until(() => opened.player.ended);
  expect(opened.said).to.deep.equal(['start One', 'end One', 'start Two', 'end Two']);
});

it('a playlist is played again from a clip on', async () => {
  const clips = await opened.add('One', 'Two');
  await until(() => opened.said.includes('end Two'));
  opened.said.length = 0;
  opened.player.playFrom([clips[1]!]);
  await until(() => opened.said.includes('end Two'));
  expect(opened.said).to.deep.equal(inOrder('Two'));
});

it('a playlist that loops begins again with its first clip', async () => {
  opened.player.loop = true;
  await opened.add('One', 'Two');
  opened.player.moreExpected = false;
  await until(() => opened.said.length >= 7);
  expect(opened.said.slice(0, 6)).to.deep.equal(inOrder('One', 'Two', 'One'));
  expect(opened.player.ended).to.equal(false);
});
