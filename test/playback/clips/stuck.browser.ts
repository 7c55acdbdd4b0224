// Pictures that do not move, which a check once a second notices. The number of videos shows whether clips are joined on one.
// - Each test makes the checks itself up to the one that it is about. After that they run once a second, as on a page: on a busy
//   machine WebKitGTK 2.50 stops at the position that it has loaded until `play()` is called again (3 of 12 runs, webkit 300041).
import { expect } from '@open-wc/testing';
import { addressOf, replace, restoreAll } from './replaced.ts';
import { closeServices } from './clip-urls.ts';
import { clipAt, inOrder, openPlayer, type OpenPlayer, until } from './open-player.ts';

let opened: OpenPlayer;
const ends: (() => void)[] = [];
beforeEach(() => {
  opened = openPlayer();
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  restoreAll();
  await opened.close();
});
after(closeServices);

const videos = (): number => opened.player.box.querySelectorAll('video').length;

/**
 * The frames of a clip before frame `first`, which should not be painted again. Frame 0 is left out: WebKitGTK 2.50 on a busy
 * machine paints the first frame of a file for a moment while it seeks in it (3 of 26 runs).
 */
const framesAgain = (text: string, first: number): number[] =>
  opened.framesOf(text).filter((frame) => frame > 0 && frame < first);

/** Stops the checks that run once a second: they run when the test calls `look`, and once a second again after `goOn`. */
function takeLooks(): { look: () => void; goOn: () => void } {
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
  const look = (): void => looks.forEach((run) => run());
  return {
    look,
    goOn() {
      const timer = every(look, 1000);
      ends.push(() => clear(timer));
    },
  };
}

it('a picture that stays stuck with everything buffered continues at its position', async () => {
  const { look, goOn } = takeLooks();
  const { addSourceBuffer } = MediaSource.prototype;
  let buffer: SourceBuffer | undefined;
  replace(MediaSource.prototype, 'addSourceBuffer', function (this: MediaSource, type) {
    return (buffer = addSourceBuffer.call(this, type));
  });
  const text = 'Stands half way';
  opened.player.playbackRate = 0.5;
  await opened.add(text, 'Behind');
  await until(
    () => opened.framesOf(text).at(-1)! >= 12 && opened.player.buffered.end(0) === opened.player.duration,
  );
  await until(() => !buffer!.updating);
  const at = opened.player.currentTime;
  // A decoder that outputs nothing more behaves like this.
  buffer!.remove(opened.player.media!.currentTime, Infinity);
  await until(() => {
    look();
    return videos() > 1;
  });
  opened.painted.length = 0;
  goOn();
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder(text, 'Behind'));
  // The clock may be ahead of the picture by a frame.
  expect(framesAgain(text, Math.floor(at * 25) - 1)).to.deep.equal([]);
  expect(videos()).to.equal(2);
});

for (const helps of [true, false]) {
  const how = helps ? '' : ', and continues on two videos when that does not help';
  it(`a picture that does not move, although the browser says that it has the next frames, is sought to its own position after two checks${how}`, async () => {
    const { look, goOn } = takeLooks();
    const text = 'Stands half way';
    opened.player.playbackRate = 0.5;
    await opened.add(text, 'Behind');
    await until(() => opened.framesOf(text).at(-1)! >= 12);
    const media = opened.player.media!;
    // WebKitGTK stops like this when several videos start one after another, and before the next clip of a playlist.
    media.playbackRate = 0;
    if (helps) media.addEventListener('seeked', () => (media.playbackRate = 0.5), { once: true });
    // A busy machine may have shown a frame before it had decoded the next one.
    await until(() => media.readyState > HTMLMediaElement.HAVE_CURRENT_DATA);
    look();
    look();
    expect(media.seeking).to.equal(false);
    look();
    expect(media.seeking).to.equal(true);
    await until(() => !media.seeking);
    await until(() => {
      if (!helps) look();
      return helps || videos() > 1;
    });
    opened.painted.length = 0;
    goOn();
    await opened.played();
    expect(opened.said).to.deep.equal(inOrder(text, 'Behind'));
    expect(framesAgain(text, 11)).to.deep.equal([]);
    if (helps) expect(videos()).to.equal(1);
  });
}

it('a video that stops loading fails after twenty checks, and the other clips are shown', async () => {
  const { look, goOn } = takeLooks();
  const { fetch } = window;
  const silent = addressOf(new MediaSource());
  // A host without CORS, which then stops answering.
  replace(window, 'fetch', (input, init) => {
    if (String(input) !== silent) return fetch(input, init);
    return init?.mode === 'no-cors'
      ? Promise.resolve({ type: 'opaque' } as Response)
      : Promise.reject(new TypeError('Failed to fetch'));
  });
  await opened.add('One');
  opened.player.append(clipAt(silent, 'silent', opened.said));
  await opened.add('Three');
  await until(() => opened.said.includes('end One') && videos() > 1);
  for (let looks = 0; looks < 20; looks++) look();
  expect(opened.said).to.deep.equal(inOrder('One'));
  await until(() => {
    look();
    return opened.said.includes('failed silent media_error');
  });
  goOn();
  await opened.played();
  expect(opened.said).to.deep.equal([...inOrder('One'), 'failed silent media_error', ...inOrder('Three')]);
});

it('a seek to the next clip that the browser loses is repeated after two checks, and the clip is joined', async () => {
  const { look, goOn } = takeLooks();
  await opened.add('Before');
  await until(() => opened.said.includes('end Before'));
  const media = opened.player.media!;
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'currentTime')!;
  let target = get!.call(media) as number;
  let mayEnd = false;
  let isLost = true;
  // WebKitGTK stays in this state until the next seek.
  Object.defineProperties(media, {
    seeking: { configurable: true, get: () => isLost },
    currentTime: {
      configurable: true,
      get: () => target,
      set(second: number) {
        target = second;
        set!.call(media, second);
        if (!mayEnd) return;
        isLost = false;
        for (const name of ['seeking', 'currentTime']) Reflect.deleteProperty(media, name);
      },
    },
  });
  const end = target;
  await opened.add('Behind');
  await until(() => media.buffered.length > 0 && media.buffered.end(media.buffered.length - 1) > end + 0.5);
  mayEnd = true;
  for (let looks = 0; looks < 3; looks++) look();
  expect(isLost).to.equal(false);
  await until(() => opened.said.includes('start Behind'));
  goOn();
  await opened.played();
  expect(opened.said).to.deep.equal(inOrder('Before', 'Behind'));
  expect(videos()).to.equal(1);
});
