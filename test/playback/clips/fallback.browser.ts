// Where clips cannot be joined on one video they are shown on two: which one it is, is read from the number of videos.
import { expect } from '@open-wc/testing';
import { setFaults } from '../../backend/client.ts';
import { clipAt, clipUrl, closeServices, inOrder, openRow, until, type OpenRow } from './row.ts';
import { soundOnly } from '../sound-only.ts';
import { expectWhole } from '../whole.ts';

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

/** Puts another value in place of a property, which may not be there, until the test is over. */
function replace<Target extends object, Key extends keyof Target>(
  target: Target,
  key: Key,
  value: Target[Key] | undefined,
): void {
  const original = Object.getOwnPropertyDescriptor(target, key);
  Object.defineProperty(target, key, { configurable: true, writable: true, ...original, value });
  restored.push(() =>
    original ? Object.defineProperty(target, key, original) : Reflect.deleteProperty(target, key),
  );
}

/** A Mac's Safari has both, an iPhone's the managed one only. */
const page = globalThis as { MediaSource?: typeof MediaSource; ManagedMediaSource?: typeof MediaSource };

/** How clips are shown is settled when a player expects its first. */
async function openAnew(): Promise<void> {
  await row.close();
  row = openRow();
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
  replace(page, 'MediaSource', undefined);
  replace(page, 'ManagedMediaSource', undefined);
  await openAnew();
  row.timeline.playbackRate = 0.5;
  await row.add('One', 'Two');
  await row.played();
  expect(videos()).to.equal(2);
  expectPlayed('One', 'Two');
});

it('a ManagedMediaSource is taken where that is all there is', async () => {
  const { ManagedMediaSource = class extends MediaSource {} } = page;
  replace(page, 'ManagedMediaSource', ManagedMediaSource);
  replace(page, 'MediaSource', undefined);
  await openAnew();
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
    let most = 0;
    const observer = new MutationObserver(() => (most = Math.max(most, videos())));
    observer.observe(row.timeline.stage, { childList: true });
    await row.add('One', 'Two');
    await row.played();
    observer.disconnect();
    expectPlayed('One', 'Two');
    // The joined one was there until the other two had a picture.
    expect([most, videos()]).to.deep.equal([3, 2]);
  });
}

it('a full buffer is emptied of what was played, and the clip joins all the same', async () => {
  row.timeline.playbackRate = 0.5;
  // The third clip is written as soon as the second is on screen, when the first is still in the buffer; if it is there.
  await Promise.all(['One', 'Two', 'Three'].map((text) => clipUrl(text)));
  // That the first was played is known from a frame of the second, and a busy browser tells the time before that.
  for (const type of ['timeupdate', 'waiting'])
    row.timeline.stage.addEventListener(type, (event) => event.stopPropagation(), { capture: true });
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

for (const [what, bytes, type] of [
  ['no video', () => new Uint8Array(2000).fill(7), 'video/mp4'],
  ['sound without a picture, which a browser plays without a word,', soundOnly, 'audio/wav'],
] as const) {
  it(`a file that is ${what} fails alone, the others of the row are shown`, async () => {
    await row.add('One');
    const bad = URL.createObjectURL(new Blob([bytes()], { type }));
    restored.push(() => URL.revokeObjectURL(bad));
    row.timeline.append(clipAt(bad, 'bad', row.said));
    await row.add('Three');
    await row.played();
    expect(row.said.toSorted()).to.deep.equal(
      ['failed bad media_error', ...inOrder('One', 'Three')].toSorted(),
    );
  });
}

it('a video that breaks while it plays is taken over where it was, and does not start again', async () => {
  row.timeline.playbackRate = 0.5;
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

it('a source that the page refuses before there is a clip: each is shown on two videos', async () => {
  await row.close();
  const { createObjectURL } = URL;
  replace(URL, 'createObjectURL', (object) =>
    object instanceof MediaSource ? 'blob:null/refused' : createObjectURL(object),
  );
  row = openRow();
  await until(() => row.timeline.stage.querySelector('video')?.error);
  await row.add('One', 'Two');
  await row.played();
  expect(row.said).to.deep.equal(inOrder('One', 'Two'));
  expect(videos()).to.equal(2);
});

/** Looks that are to come once a second come when the test says so, and only then. */
function takeLooks(): () => void {
  const { setInterval: every, clearInterval: clear } = window;
  const looks = new Map<number, () => void>();
  let ids = 0;
  const take = (run: () => void, ms?: number): number => {
    if (ms !== 1000) return every(run, ms);
    looks.set(--ids, run);
    return ids;
  };
  replace(window, 'setInterval', take as typeof setInterval);
  replace(window, 'clearInterval', ((id: number) => looks.delete(id) || clear(id)) as typeof clearInterval);
  return () => looks.forEach((run) => run());
}

it('a picture that stands for good although all of it was written goes on where it was', async () => {
  const look = takeLooks();
  const { addSourceBuffer } = MediaSource.prototype;
  let buffer: SourceBuffer | undefined;
  replace(MediaSource.prototype, 'addSourceBuffer', function (this: MediaSource, type) {
    return (buffer = addSourceBuffer.call(this, type));
  });
  const text = 'Stands in the middle of it';
  row.timeline.playbackRate = 0.5;
  await row.add(text, 'Behind');
  await until(
    () => row.framesOf(text).at(-1)! >= 12 && row.timeline.buffered.end(0) === row.timeline.duration,
  );
  await until(() => !buffer!.updating);
  const at = row.timeline.currentTime;
  // As a decoder that gives nothing more.
  buffer!.remove(row.timeline.media!.currentTime, Infinity);
  await until(() => {
    look();
    return videos() > 1;
  });
  row.painted.length = 0;
  await row.played();
  expect(row.said).to.deep.equal(inOrder(text, 'Behind'));
  // The clock may be ahead of the picture by a frame.
  expect(Math.min(...row.framesOf(text))).to.be.at.least(Math.floor(at * 25) - 1);
  expect(videos()).to.equal(2);
});

it('a video of which nothing more comes fails after twenty looks, and the others of the row are shown', async () => {
  const look = takeLooks();
  const { fetch } = window;
  const silent = URL.createObjectURL(new MediaSource());
  restored.push(() => URL.revokeObjectURL(silent));
  // A host that lets no script read it, and then does not answer.
  replace(window, 'fetch', (input, init) => {
    if (String(input) !== silent) return fetch(input, init);
    return init?.mode === 'no-cors'
      ? Promise.resolve({ type: 'opaque' } as Response)
      : Promise.reject(new TypeError('Failed to fetch'));
  });
  await row.add('One');
  row.timeline.append(clipAt(silent, 'silent', row.said));
  await row.add('Three');
  await until(() => row.said.includes('end One') && videos() > 1);
  for (let looks = 0; looks < 20; looks++) look();
  expect(row.said).to.deep.equal(inOrder('One'));
  await until(() => {
    look();
    return row.said.includes('failed silent media_error');
  });
  await row.played();
  expect(row.said).to.deep.equal([...inOrder('One'), 'failed silent media_error', ...inOrder('Three')]);
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
  // WebKitGTK tells it later than the last frame.
  await until(() => sizes.has(1280));
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
