// Full screen while texts follow one another, and what the browser shows of playing media (the page's media session).
// - The gesture that opens a window is a real click.
import { expect } from '@open-wc/testing';
import { heard, inOrder, mount, until } from './harness.ts';
import { byGesture, closeSource, endWindows, pausedFor, texts, allEvents } from './window-harness.ts';

afterEach(endWindows);

it('full screen stays during joins, and when playback falls back to two videos', async () => {
  const { element, said } = await mount();
  const first = element.sign(texts[0]!);
  await heard(element, 'sign-start');
  await pausedFor(element, () => byGesture(() => element.requestFullscreen()));
  const second = element.sign(texts[1]!);
  await heard(element, 'sign-start', ({ text }) => text === texts[1]);
  closeSource();
  const rest = texts.slice(2).map((text) => element.sign(text));
  for (const text of texts.slice(2)) {
    await heard(element, 'sign-start', (detail) => detail.text === text);
    expect(document.fullscreenElement === element).to.equal(true);
  }
  await Promise.all([first, second, ...rest]);
  expect(element.shadowRoot!.querySelectorAll('video')).to.have.length(2);
  expect(document.fullscreenElement === element).to.equal(true);
  const { width } = element.media!.getBoundingClientRect();
  expect(width).to.be.closeTo(document.documentElement.clientWidth, 1);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(allEvents);
});

it('its button makes the signer full screen while another element of the page is full screen', async () => {
  const { element } = await mount({ controls: '' });
  const article = document.createElement('article');
  document.body.append(article);
  article.append(element);
  await byGesture(() => article.requestFullscreen());
  const toggle = element.shadowRoot!.querySelector<HTMLButtonElement>('[part~=fullscreen]')!;
  const changed = (): Promise<unknown> => {
    const change = new Promise((resolve) =>
      document.addEventListener('fullscreenchange', resolve, { once: true }),
    );
    toggle.click();
    return change;
  };
  await byGesture(changed);
  expect(document.fullscreenElement === element).to.equal(true);
  await changed();
  expect(document.fullscreenElement === article).to.equal(true);
  article.remove();
});

it('the page’s media session keeps its handlers and title, which work over joins and after a fall back', async () => {
  const { mediaSession } = navigator;
  const { setActionHandler } = MediaSession.prototype;
  const handlers = new Map<string, MediaSessionActionHandler | null>();
  MediaSession.prototype.setActionHandler = function (this: MediaSession, action, handler) {
    handlers.set(action, handler);
    setActionHandler.call(this, action, handler);
  };
  // WebKit changes the state by itself. The test checks whether a script sets it.
  const playbackState = Object.getOwnPropertyDescriptor(MediaSession.prototype, 'playbackState')!;
  const set: MediaSessionPlaybackState[] = [];
  Object.defineProperty(MediaSession.prototype, 'playbackState', {
    ...playbackState,
    set(state: MediaSessionPlaybackState) {
      set.push(state);
    },
  });
  const { element, said } = await mount();
  const [pause, play] = [() => element.pause(), () => void element.play()];
  const metadata = new MediaMetadata({ title: 'Of the page' });
  try {
    mediaSession.setActionHandler('pause', pause);
    mediaSession.setActionHandler('play', play);
    mediaSession.metadata = metadata;
    const outcomes = texts.slice(0, 2).map((text) => element.sign(text));
    await heard(element, 'sign-start', ({ text }) => text === texts[1]);
    closeSource();
    outcomes.push(...texts.slice(2).map((text) => element.sign(text)));
    await heard(element, 'sign-start', ({ text }) => text === texts[2]);
    handlers.get('pause')!({ action: 'pause' });
    await until(() => element.media!.paused);
    expect(element.paused).to.equal(true);
    handlers.get('play')!({ action: 'play' });
    await Promise.all(outcomes);
    expect([...handlers]).to.deep.equal([
      ['pause', pause],
      ['play', play],
    ]);
    expect(mediaSession.metadata === metadata).to.equal(true);
    expect(set).to.deep.equal([]);
  } finally {
    MediaSession.prototype.setActionHandler = setActionHandler;
    Object.defineProperty(MediaSession.prototype, 'playbackState', playbackState);
    mediaSession.setActionHandler('pause', null);
    mediaSession.setActionHandler('play', null);
    mediaSession.metadata = null;
  }
  expect(inOrder(said, 'sign-end')).to.have.length(4);
});
