// The idle signer in a loop. The files are clips of the sandbox, because the stamps of their frames tell which frame is on screen.
import { expect } from '@open-wc/testing';
import { clipId } from '../../../demo/sandbox/stamp.ts';
import { BEGINNING } from '../../../src/playback/clips/buffer-timeline.ts';
import { ClipBytes } from '../../../src/playback/clips/clip-bytes.ts';
import { loopOfFile, type JoinedLoop } from '../../../src/playback/silence/silence-loop.ts';
import { SilencePlayer } from '../../../src/playback/silence/silence-player.ts';
import { stampOf } from '../../page/read-stamp.ts';
import { until } from '../../until.ts';
import { clipUrl, closeServices } from '../clips/clip-urls.ts';
import { nextFrame } from '../clips/open-player.ts';
import { soundOnly } from '../sound-only.ts';

const unexpected = (error: Error): never => {
  throw error;
};

async function loopOf(text: string): Promise<JoinedLoop> {
  const renew = (): Promise<string> => Promise.reject(new Error('not asked for'));
  return loopOfFile(await new ClipBytes({ url: await clipUrl(text), renew }).load()) as JoinedLoop;
}

const { play } = HTMLMediaElement.prototype;

let player: SilencePlayer;
beforeEach(() => {
  player = new SilencePlayer();
  player.seen = true;
  document.body.append(player.box);
});
afterEach(() => {
  HTMLMediaElement.prototype.play = play;
  player.reset();
  player.box.remove();
});
after(closeServices);

it('a loop plays round after round: its time runs on without a gap or a wait, and played media is removed', async () => {
  // For an empty text the sandbox makes a clip of 0.6 s of rest.
  const loop = await loopOf(' ');
  const said: string[] = [];
  /** Seconds that were written ahead when the video fired `waiting`, which it does when a busy machine decodes too slowly. */
  const ahead: number[] = [];
  player.addEventListener('waiting', () => {
    const { buffered, currentTime } = player.media!;
    ahead.push(buffered.end(buffered.length - 1) - currentTime);
  });
  for (const type of ['pause', 'ended', 'seeking', 'emptied', 'error']) {
    player.addEventListener(type, () => said.push(type));
  }
  player.playbackRate = 2;
  player.show(loop, 'https://media.example/one.mp4', unexpected);
  await until(() => player.currentTime > 0);
  const video = player.media!;
  const { durationSeconds } = loop;
  await until(() => video.currentTime > BEGINNING + 10.5 * durationSeconds);
  expect(said).to.deep.equal([]);
  expect(ahead.every((seconds) => seconds > durationSeconds)).to.equal(true);
  expect(player.media === video).to.equal(true);
  expect(player.duration).to.equal(durationSeconds);
  expect(player.currentTime).to.be.within(0, durationSeconds);
  expect(video.buffered.length).to.equal(1);
  await until(() => video.buffered.start(0) > BEGINNING + 8 * durationSeconds);
}).timeout(90_000);

it('another loop takes over at a rest point, on the same video, and no picture is missing in between', async () => {
  const [first, second] = [await loopOf('A loop of some length that is long enough'), await loopOf('Two')];
  const texts = new Map([
    [clipId('A loop of some length that is long enough'), 'first'],
    [clipId('Two'), 'second'],
  ]);
  player.show(first, 'https://media.example/1.mp4', unexpected);
  await until(() => player.currentTime > 0.2);
  const video = player.media!;
  // On a busy machine the clock runs before the first frame is painted.
  await until(() => stampOf(video));
  const durations: number[] = [];
  player.addEventListener('durationchange', () => durations.push(player.duration));
  player.show(second, 'https://media.example/2.mp4', unexpected);
  const painted: string[] = [];
  while (painted.at(-1) !== 'second') {
    await nextFrame();
    const stamp = await stampOf(video);
    painted.push(stamp ? (texts.get(stamp.clip) ?? 'unknown') : 'blank');
  }
  expect(new Set(painted)).to.deep.equal(new Set(['first', 'second']));
  await until(() => durations.length > 0);
  expect(durations).to.deep.equal([second.durationSeconds]);
  const start = video.currentTime - player.currentTime - BEGINNING;
  const points = first.restPoints.map((point) => point % first.durationSeconds);
  // At most three frames before it are missing, which a decoder shows only with a frame after it.
  const early = points.map((point) => point - (start % first.durationSeconds));
  expect(early.some((seconds) => seconds > -0.01 && seconds < 0.13)).to.equal(true);
  expect(player.media === video && !video.paused).to.equal(true);
});

it('media that the browser removed by itself is written again, and playback goes on from there', async () => {
  const { addSourceBuffer } = MediaSource.prototype;
  let buffer: SourceBuffer | undefined;
  MediaSource.prototype.addSourceBuffer = function (type) {
    return (buffer = addSourceBuffer.call(this, type));
  };
  try {
    player.show(await loopOf('One'), 'https://media.example/1.mp4', unexpected);
    await until(() => player.media && player.media.currentTime > BEGINNING + 0.2);
  } finally {
    MediaSource.prototype.addSourceBuffer = addSourceBuffer;
  }
  const video = player.media!;
  // Right after the player has checked what to write, so that no check comes during the removal.
  await new Promise((resolve) => video.addEventListener('timeupdate', resolve, { once: true }));
  await until(() => !buffer!.updating);
  // WebKit says `waiting` before the removal is done. A removal by the browser itself is never under way.
  const late = (event: Event): void => {
    if (!buffer!.updating) return;
    event.stopImmediatePropagation();
    const again = (): unknown => video.dispatchEvent(new Event('waiting'));
    buffer!.addEventListener('updateend', again, { once: true });
  };
  video.addEventListener('waiting', late, { capture: true });
  buffer!.remove(0, Infinity);
  const at = video.currentTime;
  await until(() => video.currentTime > at + 1.5 * player.duration);
  expect([player.media === video, player.paused]).to.deep.equal([true, false]);
  await until(() => stampOf(video));
});

it('a failure is reported to the caller of the newest loop, also when that loop had joined the one before it', async () => {
  const failed: string[] = [];
  player.show(await loopOf('One'), 'https://media.example/1.mp4', () => failed.push('first'));
  await until(() => player.currentTime > 0);
  const { media } = player;
  player.show(await loopOf('Two'), 'https://media.example/2.mp4', () => failed.push('second'));
  expect(player.media === media).to.equal(true);
  media!.dispatchEvent(new Event('error'));
  expect([failed, player.media]).to.deep.equal([['second'], null]);
});

it('after a refused autoplay the loop waits until the visitor plays it', async () => {
  HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  player.show(await loopOf('One'), 'https://media.example/1.mp4', unexpected);
  await until(() => player.blocked);
  HTMLMediaElement.prototype.play = play;
  await player.play();
  expect([player.paused, player.blocked]).to.deep.equal([false, false]);
});

it('a paused loop is replaced at once', async () => {
  player.show(await loopOf('One'), 'https://media.example/1.mp4', unexpected);
  await until(() => player.currentTime > 0.1);
  player.pause();
  await until(() => player.paused);
  player.show(await loopOf('Two'), 'https://media.example/2.mp4', unexpected);
  await until(async () => (await stampOf(player.media!))?.clip === clipId('Two'));
  expect(player.paused).to.equal(true);
});

it('a loop pauses while it is out of sight, and goes on where it was', async () => {
  player.show(await loopOf('One'), 'https://media.example/1.mp4', unexpected);
  await until(() => player.currentTime > 0.1);
  player.seen = false;
  await until(() => player.paused);
  // The time of the buffer: the loop's own time may have begun anew by the next look.
  const { currentTime } = player.media!;
  player.seen = true;
  await until(() => !player.paused);
  expect(player.media!.currentTime).to.be.at.least(currentTime);
});

it('a visitor’s pause remains when the loop comes into sight again', async () => {
  player.show(await loopOf('One'), 'https://media.example/1.mp4', unexpected);
  await until(() => !player.paused);
  player.pause();
  player.seen = false;
  player.seen = true;
  for (let frame = 0; frame < 10; frame++) await nextFrame();
  expect(player.paused).to.equal(true);
  await player.play();
  expect(player.paused).to.equal(false);
});

it('a file with sound and no picture is refused', async () => {
  const url = URL.createObjectURL(new Blob([soundOnly()], { type: 'audio/wav' }));
  const failures: string[] = [];
  player.show(url, url, ({ code }) => failures.push(code));
  await until(() => failures.length > 0);
  URL.revokeObjectURL(url);
  expect([failures, player.media]).to.deep.equal([['media_error'], null]);
});

it('a file that cannot be joined is looped as it is', async () => {
  const url = await clipUrl('One');
  player.playbackRate = 2;
  player.show(url, url, unexpected);
  const times: number[] = [];
  player.addEventListener('timeupdate', () => times.push(player.currentTime));
  await until(() => times.some((time, index) => time < (times[index - 1] ?? 0)));
  expect(player.media!.loop).to.equal(true);
  expect(player.duration).to.be.closeTo(player.media!.duration, 0.001);
});
