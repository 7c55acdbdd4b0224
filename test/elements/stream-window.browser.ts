// Stream mode when the media cannot be loaded until the playlist has dropped what was signed meanwhile, in a real browser.
import { expect } from '@open-wc/testing';
import { changePlaylists, restorePlaylists } from './changed-playlists.ts';
import { heard, inOrder, mount, runs, unmountAll, until, watchPicture } from './harness.ts';

const { open, send } = XMLHttpRequest.prototype;

afterEach(async () => {
  Object.assign(XMLHttpRequest.prototype, { open, send });
  restorePlaylists();
  await unmountAll();
});

const SEGMENTS_LEFT = 2;
const SECONDS_LEFT = 4;

/** Playlists list their newest segments only from now on. */
function shortenPlaylists(): void {
  changePlaylists((text) => {
    const [head, ...segments] = text
      .replace(/CAN-SKIP-UNTIL=[\d.]+,/, '')
      .split(/^(?=#EXT-X-PROGRAM-DATE-TIME)/m);
    const dropped = Math.max(0, segments.length - SEGMENTS_LEFT);
    const counted = head!.replace(/(?<=#EXT-X-MEDIA-SEQUENCE:)\d+/, (first) =>
      String(Number(first) + dropped),
    );
    return [counted, ...segments.slice(dropped)].join('');
  });
}

/** Knows the page's requests of media, and holds them back if asked. */
function watchMedia(): { urls: string[]; hold: () => void; release: () => void; underWay: () => number } {
  const urls: string[] = [];
  let held: (() => void)[] | null = null;
  let underWay = 0;
  XMLHttpRequest.prototype.open = function (...args: [string, string]) {
    urls.push(args[1]);
    Reflect.apply(open, this, args);
  };
  XMLHttpRequest.prototype.send = function (body) {
    const run = (): void => {
      underWay += 1;
      this.addEventListener('loadend', () => (underWay -= 1));
      send.call(this, body);
    };
    if (held) held.push(run);
    else run();
  };
  const release = (): void => {
    const waiting = held ?? [];
    held = null;
    for (const run of waiting) run();
  };
  return { urls, hold: () => (held = []), release, underWay: () => underWay };
}

/** Waits until this playlist of the service has dropped what was signed in it for so many seconds from now. */
async function outgrown(playlist: string, seconds: number): Promise<void> {
  const accepted = await secondsOf(playlist);
  await until(
    () => secondsOf(playlist),
    (listed) => listed > accepted + seconds + SECONDS_LEFT + 2,
  );
}

/** Seconds of the segments that the service lists now in the stream of this playlist. */
async function secondsOf(playlist: string): Promise<number> {
  const text = await (await fetch(playlist)).text();
  return [...text.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0);
}

it('texts that the playlist dropped before their media could be loaded are signed in another stream', async () => {
  shortenPlaylists();
  const media = watchMedia();
  media.hold();
  const { element, said } = await mount({ mode: 'stream', transport: 'v3' });
  const texts = ['Hello', 'Goodbye'];
  const picture = watchPicture(element, texts);
  const signed = Promise.all(texts.map((text) => element.sign(text)));
  await heard(element, 'sign-accepted', ({ text }) => text === texts.at(-1));
  const playlist = await until(() => media.urls[0]);
  // The first one lasts 1.6 s, and a segment 2 s.
  await outgrown(playlist!, 1.6);
  media.release();
  await signed;
  expect(runs(await picture())).to.deep.equal(texts);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
    texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
  );
  expect(said.filter(({ name }) => name === 'sign-ready')).to.have.length(2);
}).timeout(90_000);

it('texts that the playlist dropped while the picture of the one before them stood still are signed in another stream', async () => {
  shortenPlaylists();
  const media = watchMedia();
  const { element, said } = await mount({ mode: 'stream', transport: 'v3' });
  const texts = ['Hello', 'Goodbye', 'Welcome'];
  const picture = watchPicture(element, texts);
  const first = element.sign(texts[0]!);
  await heard(element, 'sign-start');
  media.hold();
  // What is under way may bring the first frames of the next text.
  await until(() => media.underWay() === 0);
  const others = Promise.all(texts.slice(1).map((text) => element.sign(text)));
  await heard(element, 'sign-accepted', ({ text }) => text === texts.at(-1));
  const playlist = media.urls.findLast((url) => url.includes('.m3u8'));
  await outgrown(playlist!, 3.2);
  media.release();
  await Promise.all([first, others]);
  expect(runs(await picture())).to.deep.equal(texts);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
    texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
  );
  expect(said.filter(({ name }) => name === 'sign-ready')).to.have.length(2);
}).timeout(90_000);
