// The idle signer between texts. The loop is the sandbox's own; which picture covers the others is read from its stamp.
import { expect } from '@open-wc/testing';
import type { IdleLoop } from '../../../src/playback/silence/idle-signer.ts';
import { proxyAddress } from '../../backend/client.ts';
import { closeServices } from './clip-urls.ts';
import { nextFrame, onScreen, openPlayer, type OpenPlayer, until } from './open-player.ts';

let opened: OpenPlayer;
beforeEach(() => {
  opened = openPlayer();
});
afterEach(() => opened.close());
after(closeServices);

/** The idle signer of the service, through the proxy, after this many seconds. */
function restLoop(after: number): IdleLoop & { loads: number } {
  return {
    after,
    loads: 0,
    async load(signal) {
      this.loads += 1;
      const answer = await fetch(`${await proxyAddress()}/v1/silence?format=mp4`, { signal });
      const { url } = (await answer.json()) as { url: string };
      const file = await (await fetch(url, { signal })).arrayBuffer();
      return { bytes: new Uint8Array(file), type: 'video/mp4' };
    },
  };
}

const atRest = (): boolean => opened.painted.at(-1)?.text === 'idle';

/** Resolves when this video of the idle signer is removed from the page. Another one may follow soon. */
function untilGone(idle: Element): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver((changes) => {
      if (!changes.some(({ removedNodes }) => [...removedNodes].includes(idle))) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(opened.player.box, { childList: true });
  });
}

/** The media query for reduced motion matches until the returned function is called. */
function wantReducedMotion(): () => void {
  const { matchMedia } = window;
  window.matchMedia = (query) => ({ ...matchMedia.call(window, query), matches: query.includes('reduce') });
  return () => (window.matchMedia = matchMedia);
}

it('the idle signer appears after a text, goes on playing at rest, and does not change the time of the playlist', async () => {
  opened.player.idle = restLoop(0.1);
  await opened.add('Before');
  await until(atRest);
  const { currentTime, duration, media } = opened.player;
  await until(() => opened.framesOf('idle').length > 5);
  expect(opened.said).to.deep.equal(['start Before', 'end Before']);
  expect(currentTime).to.equal(duration);
  expect(opened.player.currentTime).to.equal(currentTime);
  expect(opened.player.duration).to.equal(duration);
  expect(opened.player.media === media).to.equal(true);
  expect(onScreen(opened.player.box) === media).to.equal(false);
});

it('the idle signer disappears with the first frame of the next text', async () => {
  opened.player.idle = restLoop(0.1);
  await opened.add('Before');
  await until(atRest);
  const idle = opened.player.box.querySelectorAll('video')[1]!;
  const gone = untilGone(idle);
  opened.player.playbackRate = 0.5;
  await opened.add('After');
  await until(() => opened.said.includes('start After'));
  // At the first frame the idle signer is fading or removed.
  expect(!idle.isConnected || idle.getAnimations().length > 0).to.equal(true);
  await until(() => opened.said.includes('end After'));
  const shown = opened.painted.map(({ text }) => text).filter((text, at, all) => text !== all[at - 1]);
  // While the idle signer fades it covers the text below it: the last frame of the text before, or the rest before the next signs.
  expect(shown.filter((text) => text !== 'Before')).to.deep.equal(['idle', 'After']);
  await gone;
});

it('the idle signer appears again after the next text without another fetch, also when the playlist is over', async () => {
  const loop = restLoop(0.1);
  opened.player.idle = loop;
  await opened.add('One');
  await until(atRest);
  await opened.add('Two');
  await until(() => opened.said.includes('end Two'));
  opened.player.moreExpected = false;
  await until(() => opened.player.ended);
  await until(atRest);
  expect(opened.player.ended).to.equal(true);
  expect(loop.loads).to.equal(1);
});

it('the idle signer disappears when the visitor pauses, and the last frame is back', async () => {
  opened.player.idle = restLoop(0.1);
  await opened.add('Before');
  await until(atRest);
  opened.player.pause();
  await until(() => !atRest());
  expect(opened.painted.at(-1)?.text).to.equal('Before');
});

it('the idle signer disappears when it is clicked on, and does not come back', async () => {
  const loop = restLoop(0.1);
  opened.player.idle = loop;
  await opened.add('Before');
  await until(atRest);
  const [, idle] = opened.player.box.querySelectorAll('video');
  idle!.click();
  await until(() => !idle!.isConnected);
  await until(() => opened.painted.at(-1)?.text === 'Before');
  expect(opened.player.paused).to.equal(false);
  const seen = opened.framesOf('idle').length;
  await opened.add('After');
  await until(() => opened.said.includes('end After'));
  // A player that has fallen back has a second video of its own.
  for (let frame = 0; frame < 60; frame++) await nextFrame();
  expect([opened.painted.at(-1)?.text, opened.framesOf('idle').length]).to.deep.equal(['After', seen]);
});

it('the idle signer disappears at once for the next text when the visitor paused while it waited for a rest point', async () => {
  const { player } = opened;
  player.idle = restLoop(0.1);
  await opened.add('Before');
  await until(atRest);
  const { setTimeout: wait } = window;
  // The rest point, which is at most a second away, is not reached.
  window.setTimeout = ((run: () => void, ms = 0) => (ms <= 1000 ? 0 : wait(run, ms))) as typeof setTimeout;
  try {
    const come = new Promise((resolve) => player.addEventListener('progress', resolve, { once: true }));
    await opened.add('After');
    await come;
  } finally {
    window.setTimeout = wait;
  }
  expect(opened.said).to.deep.equal(['start Before', 'end Before']);
  player.pause();
  await until(() => opened.said.includes('start After'));
  expect(player.paused).to.equal(true);
  await player.play();
  await opened.played();
  expect(opened.said.at(-1)).to.equal('end After');
});

it('the idle signer does not appear where reduced motion is wanted, and is not fetched', async () => {
  const restore = wantReducedMotion();
  const loop = restLoop(0);
  opened.player.idle = loop;
  await opened.add('Before');
  await until(() => opened.said.includes('end Before'));
  for (let frame = 0; frame < 10; frame++) await nextFrame();
  restore();
  expect(loop.loads).to.equal(0);
});

it('the idle signer does not appear while a text waits to be shown', async () => {
  const loop = restLoop(0);
  opened.player.idle = loop;
  await opened.add('One', 'Two');
  await until(() => opened.said.includes('start Two'));
  expect(loop.loads).to.equal(0);
});

it('when the idle signer cannot be loaded, the last frame stays, and the next text is signed', async () => {
  opened.player.idle = { after: 0, load: () => Promise.reject(new Error('not there')) };
  await opened.add('One');
  await until(() => opened.said.includes('end One'));
  for (let frame = 0; frame < 10; frame++) await nextFrame();
  expect(opened.painted.at(-1)?.text).to.equal('One');
  await opened.add('Two');
  await until(() => opened.said.includes('end Two'));
  expect(opened.said).to.deep.equal(['start One', 'end One', 'start Two', 'end Two']);
});

it('the idle signer is looped by the video itself when no SourceBuffer takes its file', async () => {
  const { addSourceBuffer } = MediaSource.prototype;
  const loop = restLoop(0.1);
  const { load } = loop;
  // By then the text before it has a SourceBuffer of its own.
  loop.load = (signal) => {
    MediaSource.prototype.addSourceBuffer = () => {
      throw new DOMException('not here', 'NotSupportedError');
    };
    return load.call(loop, signal);
  };
  opened.player.idle = loop;
  try {
    await opened.add('Before');
    await until(atRest);
  } finally {
    MediaSource.prototype.addSourceBuffer = addSourceBuffer;
  }
  expect(onScreen(opened.player.box)!.loop).to.equal(true);
});

it('the idle signer plays over the end of its file without a seam, and its time runs on', async () => {
  opened.player.idle = restLoop(0.1);
  await opened.add('Before');
  await until(atRest);
  const idle = onScreen(opened.player.box)!;
  const said: string[] = [];
  for (const type of ['seeking', 'ended', 'pause']) idle.addEventListener(type, () => said.push(type));
  idle.playbackRate = 8;
  const seconds = idle.buffered.end(0);
  await until(() => idle.currentTime > 2 * seconds);
  expect(said).to.deep.equal([]);
  expect(onScreen(opened.player.box) === idle).to.equal(true);
});
