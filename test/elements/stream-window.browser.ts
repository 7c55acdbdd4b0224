// Stream mode when the playlist does not list the moment at which a text was accepted, in a real browser: the playlist has dropped
// that moment before its media could be loaded, or the stream begins later.
import { expect } from '@open-wc/testing';
import { changePlaylists, restorePlaylists } from './changed-playlists.ts';
import { letMediaGo, secondsOf, watchMedia } from './held-media.ts';
import { heard, inOrder, mount, rejection, runs, unmountAll, until, watchPicture } from './harness.ts';

afterEach(async () => {
  letMediaGo();
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

const LATE_SECONDS = 4;

/** From now on the encoder of the service begins this much later, and its playlists list only whole segments. */
function delayStreams(): void {
  const lateMs = LATE_SECONDS * 1000;
  changePlaylists((text) => {
    const [head, ...segments] = text
      .replaceAll(/^#EXT-X-(PART|PART-INF|PRELOAD-HINT|SERVER-CONTROL|SKIP):.*\n/gm, '')
      .split(/^(?=#EXT-X-PROGRAM-DATE-TIME)/m);
    const listed = segments
      .map((segment) => segment.replace(/(?<=DATE-TIME:).*/, (date) => dateAfter(date, lateMs)))
      .filter((segment) => {
        const [, begin = '', seconds] = /DATE-TIME:(.*)[^]*#EXTINF:([\d.]+)/.exec(segment) ?? [];
        return Date.parse(begin) + Number(seconds) * 1000 < Date.now();
      });
    return [head, ...listed].join('');
  });
}

const dateAfter = (date: string, ms: number): string => new Date(Date.parse(date) + ms).toISOString();

/** Waits until this playlist of the service has dropped the seconds that are signed in it from now on, this many. */
async function outgrown(playlist: string, seconds: number): Promise<void> {
  const accepted = await secondsOf(playlist);
  await until(
    () => secondsOf(playlist),
    (listed) => listed > accepted + seconds + SECONDS_LEFT + 2,
  );
}

/** A busy machine may take longer for the first picture of the next stream than a short playlist lists its texts. */
const listAllOfTheNextStream = (element: HTMLElement): void =>
  element.addEventListener('sign-ready', restorePlaylists, { once: true });

it('a text is signed once, in its own stream, when the encoder begins some seconds after the service has accepted it', async () => {
  delayStreams();
  const media = watchMedia();
  void media.hold();
  const { element, said } = await mount({ mode: 'stream', transport: 'v3' });
  const texts = ['Hello', 'Goodbye'];
  const picture = watchPicture(element, texts);
  const signed = Promise.all(texts.map((text) => element.sign(text)));
  const playlist = await until(() => media.urls[0]);
  await until(
    () => secondsOf(playlist!),
    (listed) => listed > LATE_SECONDS + 2,
  );
  await media.release();
  await signed;
  expect(runs(await picture())).to.deep.equal(texts);
  expect(inOrder(said, 'sign-ready', 'sign-error')).to.deep.equal(['sign-ready']);
}).timeout(90_000);

it('texts that the playlist dropped before their media could be loaded are signed in another stream', async () => {
  shortenPlaylists();
  const media = watchMedia();
  void media.hold();
  const { element, said } = await mount({ mode: 'stream', transport: 'v3' });
  const texts = ['Hello', 'Goodbye'];
  const picture = watchPicture(element, texts);
  const signed = Promise.all(texts.map((text) => element.sign(text)));
  await heard(element, 'sign-accepted', ({ text }) => text === texts.at(-1));
  const playlist = await until(() => media.urls[0]);
  // The first text lasts 1.6 s, and a segment 2 s.
  await outgrown(playlist!, 1.6);
  listAllOfTheNextStream(element);
  await media.release();
  await signed;
  expect(runs(await picture())).to.deep.equal(texts);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
    texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
  );
  expect(said.filter(({ name }) => name === 'sign-ready')).to.have.length(2);
}).timeout(90_000);

it('texts that the playlist dropped while the picture of the text before them did not move are signed in another stream', async () => {
  shortenPlaylists();
  const media = watchMedia();
  const { element, said } = await mount({ mode: 'stream', transport: 'v3' });
  const texts = ['Hello', 'Goodbye', 'Welcome'];
  const picture = watchPicture(element, texts);
  const first = element.sign(texts[0]!);
  // A text is reported by the time of its acknowledgement, and its pictures may come later. Its middle must be loaded: else it
  // fails when the playlist has dropped that.
  const begun = await until(() => picture.painted.find(({ text }) => text === texts[0]));
  await until(() =>
    picture.painted.some(({ text, frame }) => text === texts[0] && frame > begun!.frame + 15),
  );
  void media.hold();
  // Requests under way may bring the first frames of the next text.
  await until(() => media.underWay() === 0);
  const others = Promise.all(texts.slice(1).map((text) => element.sign(text)));
  await heard(element, 'sign-accepted', ({ text }) => text === texts.at(-1));
  const playlist = media.urls.findLast((url) => url.includes('.m3u8'));
  await outgrown(playlist!, 3.2);
  listAllOfTheNextStream(element);
  await media.release();
  await Promise.all([first, others]);
  expect(runs(await picture())).to.deep.equal(texts);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
    texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
  );
  expect(said.filter(({ name }) => name === 'sign-ready')).to.have.length(2);
}).timeout(90_000);

const folderOf = (url: string): string => url.slice(0, url.lastIndexOf('/'));

/** Holds the media of the next streams of the element until their playlists have dropped what is signed in them at once. */
async function outgrowStreams(
  element: HTMLElement,
  media: ReturnType<typeof watchMedia>,
  streams: number,
  seconds: number,
): Promise<void> {
  for (let stream = 0; stream < streams; stream += 1) {
    const earlier = new Set(media.urls.map(folderOf));
    await heard(element, 'sign-ready');
    void media.hold();
    const playlist = await until(() => media.urls.find((url) => !earlier.has(folderOf(url))));
    await outgrown(playlist!, seconds);
    void media.release();
  }
}

it('texts that the playlists of two streams dropped before their media could be loaded are signed in a third one', async () => {
  shortenPlaylists();
  const media = watchMedia();
  const { element, said } = await mount({ mode: 'stream', transport: 'v3' });
  const texts = ['Hello', 'Goodbye'];
  const picture = watchPicture(element, texts);
  const isOutgrown = outgrowStreams(element, media, 2, 3.2);
  const signed = Promise.all(texts.map((text) => element.sign(text)));
  await isOutgrown;
  listAllOfTheNextStream(element);
  await signed;
  expect(runs(await picture())).to.deep.equal(texts);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
    texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
  );
  expect(said.filter(({ name }) => name === 'sign-ready')).to.have.length(3);
}).timeout(90_000);

it('a text that three streams in a row have dropped unseen fails, and does not count as signed', async () => {
  shortenPlaylists();
  const media = watchMedia();
  const { element, said } = await mount({ mode: 'stream', transport: 'v3' });
  const isOutgrown = outgrowStreams(element, media, 3, 1.6);
  const outcome = rejection(element.sign('Hello'));
  await isOutgrown;
  expect((await outcome).code).to.equal('media_error');
  expect(inOrder(said, 'sign-ready', 'sign-start', 'sign-end')).to.deep.equal(Array(3).fill('sign-ready'));
  expect((await element.sign('Goodbye')).text).to.equal('Goodbye');
}).timeout(90_000);

it('a text that was reported before its first picture, and dropped by the playlist in an outage then, does not count as signed', async () => {
  shortenPlaylists();
  const media = watchMedia();
  const { element, said } = await mount({ mode: 'stream', transport: 'v3' });
  const text = 'This one is lost in an outage';
  const outcome = element.sign(text).then(
    () => 'signed',
    (error: { code: string }) => error.code,
  );
  await heard(element, 'sign-start');
  void media.hold();
  const playlist = media.urls.findLast((url) => url.includes('.m3u8'));
  await outgrown(playlist!, 5.2);
  await media.release();
  expect(await outcome).to.equal('media_error');
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal([`sign-start ${text}`]);
  expect((await element.sign('Goodbye')).text).to.equal('Goodbye');
}).timeout(90_000);
