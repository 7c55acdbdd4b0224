// The fallback from one video (MediaSource) to two stacked videos. The number of videos shows which one is active.
import { expect } from '@open-wc/testing';
import { setFaults } from '../../backend/client.ts';
import { widthOf } from '../../backend/painting.ts';
import { addressOf, replace, restoreAll } from './replaced.ts';
import { clipUrl, closeServices } from './clip-urls.ts';
import { clipAt, inOrder, openPlayer, type OpenPlayer, until } from './open-player.ts';
import { soundOnly } from '../sound-only.ts';
import { expectWhole } from '../whole.ts';

let opened: OpenPlayer;
beforeEach(() => {
  opened = openPlayer();
});
afterEach(async () => {
  restoreAll();
  await setFaults([]);
  await opened.close();
});
after(closeServices);

/** Safari on a Mac has both, on an iPhone ManagedMediaSource only. */
const page = globalThis as { MediaSource?: typeof MediaSource; ManagedMediaSource?: typeof MediaSource };

/** A player chooses how it shows clips when the first clip is announced. */
async function openAnew(): Promise<void> {
  await opened.close();
  opened = openPlayer();
}

const videos = (): number => opened.player.box.querySelectorAll('video').length;

/** Each text is played to its last frame, in order, without a blank frame, and reports start and end. */
async function expectPlayed(...texts: string[]): Promise<void> {
  expect(opened.said).to.deep.equal(inOrder(...texts));
  await expectWhole(opened, ...texts);
}

/** The call of `appendBuffer` with this number fails; the others do not. */
function failAppend(number: number, name: string): { readonly calls: number } {
  const { appendBuffer } = SourceBuffer.prototype;
  const counted = { calls: 0 };
  replace(SourceBuffer.prototype, 'appendBuffer', function (this: SourceBuffer, data) {
    counted.calls += 1;
    if (counted.calls === number) throw new DOMException('thrown by the test', name);
    appendBuffer.call(this, data);
  });
  return counted;
}

it('without MediaSource every clip is shown on two videos, and one that turns out to be longer makes the timeline longer', async () => {
  replace(page, 'MediaSource', undefined);
  replace(page, 'ManagedMediaSource', undefined);
  await openAnew();
  opened.player.playbackRate = 0.5;
  await opened.add('One', 'Two');
  await until(() => opened.said.includes('start One'));
  const { media, duration } = opened.player;
  // As in Chromium where the last of several B-frames is held.
  Object.defineProperty(media, 'duration', { value: media!.duration + 2 });
  media!.dispatchEvent(new Event('durationchange'));
  expect(opened.player.duration).to.be.closeTo(duration + 2, 0.001);
  await opened.played();
  expect(videos()).to.equal(2);
  await expectPlayed('One', 'Two');
});

it('ManagedMediaSource is used where MediaSource is missing', async () => {
  const { ManagedMediaSource = class extends MediaSource {} } = page;
  replace(page, 'ManagedMediaSource', ManagedMediaSource);
  replace(page, 'MediaSource', undefined);
  await openAnew();
  opened.player.playbackRate = 0.5;
  await opened.add('One', 'Two');
  await opened.played();
  expect(videos()).to.equal(1);
  await expectPlayed('One', 'Two');
});

for (const [what, name] of [
  ['a full buffer that cannot be emptied', 'QuotaExceededError'],
  ['a source that closed', 'InvalidStateError'],
] as const) {
  it(`${what}: the second clip is shown on two videos, and neither clip loses a frame`, async () => {
    opened.player.playbackRate = 0.5;
    failAppend(2, name);
    let most = 0;
    const observer = new MutationObserver(() => (most = Math.max(most, videos())));
    observer.observe(opened.player.box, { childList: true });
    await opened.add('One', 'Two');
    await opened.played();
    observer.disconnect();
    await expectPlayed('One', 'Two');
    // The one video stayed until the two videos had a frame.
    expect([most, videos()]).to.deep.equal([3, 2]);
  });
}

it('when the buffer is full, played media is removed and the clip still joins', async () => {
  opened.player.playbackRate = 0.5;
  // The third clip is written as soon as the second is on screen, while the first is still in the buffer, if its bytes have come
  // by then.
  await Promise.all(['One', 'Two', 'Three'].map((text) => clipUrl(text)));
  // A frame of the second clip shows that the first was played, and a busy browser reports the time before that frame.
  for (const type of ['timeupdate', 'waiting'])
    opened.player.box.addEventListener(type, (event) => event.stopPropagation(), { capture: true });
  const counted = failAppend(3, 'QuotaExceededError');
  await opened.add('One', 'Two', 'Three');
  await opened.played();
  expect(counted.calls).to.equal(4);
  expect(videos()).to.equal(1);
  await expectPlayed('One', 'Two', 'Three');
});

it('a clip without CORS in the middle of a playlist is shown on two videos, and the clip behind it on one again', async () => {
  const texts = ['One', 'Two', 'Three'];
  const [one, two, three] = await Promise.all(texts.map((text) => clipUrl(text)));
  const { fetch } = window;
  replace(window, 'fetch', (input, init) => {
    if (String(input) !== two) return fetch(input, init);
    return init?.mode === 'no-cors'
      ? Promise.resolve({ type: 'opaque' } as Response)
      : Promise.reject(new TypeError('Failed to fetch'));
  });
  for (const [at, url] of [one, two, three].entries()) {
    opened.player.append(clipAt(url!, texts[at]!, opened.said));
  }
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder(...texts));
  // The last clip can be joined again.
  expect(videos()).to.equal(1);
});

for (const [what, bytes, type] of [
  ['no video', () => new Uint8Array(2000).fill(7), 'video/mp4'],
  ['sound without a picture, which a browser plays without a word,', soundOnly, 'audio/wav'],
] as const) {
  it(`a file that is ${what} fails alone, and the other clips are shown`, async () => {
    await opened.add('One');
    const bad = addressOf(new Blob([bytes()], { type }));
    opened.player.append(clipAt(bad, 'bad', opened.said));
    await opened.add('Three');
    await opened.played();
    expect(opened.said.toSorted()).to.deep.equal(
      ['failed bad media_error', ...inOrder('One', 'Three')].toSorted(),
    );
  });
}

it('when a video breaks during playback, two videos continue from its position without a second start', async () => {
  opened.player.playbackRate = 0.5;
  await opened.add('Breaks half way', 'Behind');
  await until(() => opened.framesOf('Breaks half way').at(-1)! >= 12);
  // A page, or a decoder that fails, breaks it like this.
  opened.painted.length = 0;
  opened.player.media!.src = 'data:text/plain,no-video';
  await opened.played();
  // The frame may be reported before the video reports its time.
  expect(Math.min(...opened.framesOf('Breaks half way'))).to.be.at.least(11);
  expect(opened.said).to.deep.equal(inOrder('Breaks half way', 'Behind'));
  expect(videos()).to.equal(2);
});

it('when the page’s policy refuses the media source before the first clip, every clip is shown on two videos', async () => {
  await opened.close();
  const { createObjectURL } = URL;
  replace(URL, 'createObjectURL', (object) =>
    object instanceof MediaSource ? 'blob:null/refused' : createObjectURL(object),
  );
  opened = openPlayer();
  await until(() => opened.player.box.querySelector('video')?.error);
  await opened.add('One', 'Two');
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('One', 'Two'));
  expect(videos()).to.equal(2);
});

it('the playlist after one that fell back uses one video again', async () => {
  failAppend(2, 'InvalidStateError');
  await opened.add('One', 'Two');
  await opened.played();
  expect(videos()).to.equal(2);
  opened.player.moreExpected = true;
  opened.said.length = 0;
  await opened.add('Three', 'Four');
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('Three', 'Four'));
  expect(videos()).to.equal(1);
});

it('a clip of another size joins on the same video, which fires resize', async () => {
  // A busy browser may report the first size once more, after the player has.
  const sizes = new Set<number>();
  opened.player.addEventListener('resize', () => sizes.add(opened.player.videoWidth));
  await opened.add('Small');
  opened.player.append(clipAt(await clipUrl('Large', '720p'), 'Large', opened.said));
  await opened.played();
  // WebKitGTK reports it after the last frame.
  await until(() => sizes.has(widthOf('720p')));
  expect(opened.said).to.deep.equal(inOrder('Small', 'Large'));
  expect(opened.player.videoWidth).to.equal(widthOf('720p'));
  expect([...sizes]).to.deep.equal([widthOf('480p'), widthOf('720p')]);
  expect(videos()).to.equal(1);
});

it('after reset() no video is left, and the player can be used again', async () => {
  await opened.add('One');
  await until(() => opened.said.includes('start One'));
  opened.player.reset();
  expect(videos()).to.equal(0);
  expect(opened.player.media).to.equal(null);
  opened.player.moreExpected = true;
  await opened.add('Two');
  await opened.played();
  expect(opened.said).to.deep.equal(['start One', ...inOrder('Two')]);
});
