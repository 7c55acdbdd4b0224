// Where clips cannot be joined on one video they are shown on two: which one it is, is read from the number of videos.
import { expect } from '@open-wc/testing';
import { setFaults } from '../backend/client.ts';
import { clipAt, clipUrl, closeServices, inOrder, openRow, until, type OpenRow } from './row.ts';
import { expectWhole } from './whole.ts';

let row: OpenRow;
const restored: (() => void)[] = [];
beforeEach(() => {
  row = openRow();
});
afterEach(async () => {
  for (const restore of restored.splice(0)) restore();
  await setFaults([]);
  await row.close();
});
after(closeServices);

/** Puts another value in place of a property until the test is over. */
function replace<Target extends object, Key extends keyof Target>(
  target: Target,
  key: Key,
  value: Target[Key] | undefined,
): void {
  const original = Object.getOwnPropertyDescriptor(target, key)!;
  Object.defineProperty(target, key, { ...original, value });
  restored.push(() => Object.defineProperty(target, key, original));
}

const videos = (): number => row.timeline.stage.querySelectorAll('video').length;

/** Each text from its first frame to its last, in order, none blank, and each was told. */
function expectPlayed(...texts: string[]): void {
  expect(row.said).to.deep.equal(inOrder(...texts));
  expectWhole(row, ...texts);
}

/** From now on this call of `appendBuffer` fails as told; those before and after it do not. */
function failAppend(number: number, name: string): { readonly calls: number } {
  const { appendBuffer } = SourceBuffer.prototype;
  const counted = { calls: 0 };
  replace(SourceBuffer.prototype, 'appendBuffer', function (this: SourceBuffer, data) {
    counted.calls += 1;
    if (counted.calls === number) throw new DOMException('told by the test', name);
    appendBuffer.call(this, data);
  });
  return counted;
}

it('without MediaSource every clip is shown on two videos', async () => {
  replace(window, 'MediaSource', undefined);
  row.timeline.playbackRate = 0.5;
  await row.add('One', 'Two');
  await row.played();
  expect(videos()).to.equal(2);
  expectPlayed('One', 'Two');
});

it('a ManagedMediaSource is taken where that is all there is', async () => {
  const { MediaSource } = window;
  Object.assign(window, { ManagedMediaSource: class extends MediaSource {} });
  restored.push(() => Reflect.deleteProperty(window, 'ManagedMediaSource'));
  replace(window, 'MediaSource', undefined);
  row.timeline.playbackRate = 0.5;
  await row.add('One', 'Two');
  await row.played();
  expect(videos()).to.equal(1);
  expectPlayed('One', 'Two');
});

for (const [what, name] of [
  ['a full buffer that cannot be emptied', 'QuotaExceededError'],
  ['a source that closed', 'InvalidStateError'],
] as const) {
  it(`${what}: the second clip goes over, and neither loses a frame`, async () => {
    row.timeline.playbackRate = 0.5;
    failAppend(2, name);
    await row.add('One', 'Two');
    await until(() => videos() === 3);
    await row.played();
    expectPlayed('One', 'Two');
    expect(videos()).to.equal(2);
  });
}

it('a full buffer is emptied of what was played, and the clip joins all the same', async () => {
  row.timeline.playbackRate = 0.5;
  // The third clip is written as soon as the second is on screen, when the first is still in the buffer; if it is there.
  await Promise.all(['One', 'Two', 'Three'].map((text) => clipUrl(text)));
  const counted = failAppend(3, 'QuotaExceededError');
  await row.add('One', 'Two', 'Three');
  await row.played();
  expect(counted.calls).to.equal(4);
  expect(videos()).to.equal(1);
  expectPlayed('One', 'Two', 'Three');
});

it('a clip that no script may read, in the middle of a row, is shown and the row goes on', async () => {
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
    row.timeline.append(clipAt(url!, texts[at]!, row.said));
  }
  await row.played();
  expect(row.said).to.deep.equal(inOrder(...texts));
  expect(videos()).to.equal(2);
});

it('a file that is no video fails alone, the others of the row are shown', async () => {
  await row.add('One');
  const junk = URL.createObjectURL(new Blob([new Uint8Array(2000).fill(7)], { type: 'video/mp4' }));
  restored.push(() => URL.revokeObjectURL(junk));
  row.timeline.append(clipAt(junk, 'junk', row.said));
  await row.add('Three');
  await row.played();
  expect(row.said.toSorted()).to.deep.equal(
    ['failed junk media_error', ...inOrder('One', 'Three')].toSorted(),
  );
});

it('a video that breaks while it plays is taken over where it was, and does not start again', async () => {
  await row.add('Breaks in the middle of it', 'Behind');
  await until(() => row.framesOf('Breaks in the middle of it').at(-1)! >= 12);
  // As a page, or a decoder that gives up, would break it.
  row.painted.length = 0;
  row.timeline.media!.src = 'data:text/plain,no-video';
  await row.played();
  // The picture may be told a frame before the video tells its time.
  expect(Math.min(...row.framesOf('Breaks in the middle of it'))).to.be.at.least(11);
  expect(row.said).to.deep.equal(inOrder('Breaks in the middle of it', 'Behind'));
  expect(videos()).to.equal(2);
});

it('a row after one that fell is joined again', async () => {
  failAppend(2, 'InvalidStateError');
  await row.add('One', 'Two');
  await row.played();
  expect(videos()).to.equal(2);
  row.timeline.moreExpected = true;
  row.said.length = 0;
  await row.add('Three', 'Four');
  await row.played();
  expect(row.said).to.deep.equal(inOrder('Three', 'Four'));
  expect(videos()).to.equal(1);
});

it('another size joins on the same video, which tells it', async () => {
  // A busy browser may tell the first size once more, after the row has.
  const sizes = new Set<number>();
  row.timeline.addEventListener('resize', () => sizes.add(row.timeline.videoWidth));
  await row.add('Small');
  row.timeline.append(clipAt(await clipUrl('Large', '720p'), 'Large', row.said));
  await row.played();
  expect(row.said).to.deep.equal(inOrder('Small', 'Large'));
  expect(row.timeline.videoWidth).to.equal(1280);
  expect([...sizes]).to.deep.equal([854, 1280]);
  expect(videos()).to.equal(1);
});

it('after reset() no video is left, and it can be filled again', async () => {
  await row.add('One');
  await until(() => row.said.includes('start One'));
  row.timeline.reset();
  expect(videos()).to.equal(0);
  expect(row.timeline.media).to.equal(null);
  row.timeline.moreExpected = true;
  await row.add('Two');
  await row.played();
  expect(row.said).to.deep.equal(['start One', ...inOrder('Two')]);
});
