// Settings and calls of a page before an element's code is loaded, and what happens when that code does not load.
import { expect } from '@open-wc/testing';
import type { ControllerEvents } from '../../src/elements/controller.ts';
import type { LiveController } from '../../src/elements/live-controller.ts';
import { SignLivePlayer } from '../../src/elements/sign-live-player.ts';
import { SignTranslate } from '../../src/elements/sign-translate.ts';
import type { TranslateController } from '../../src/elements/translate/translate-controller.ts';
import { proxyAddress } from '../backend/client.ts';
import { heard, record, rejection, unmountAll, until } from './harness.ts';
import { frames, messageOf } from './on-page.ts';

/** An element whose code loads when a test says so. */
class LateTranslate extends SignTranslate {
  tries = 0;
  /** True while each try fails at once. */
  isMissing = false;
  #settle: { load: () => void; fail: () => void } | null = null;

  protected override loadController(events: ControllerEvents): Promise<TranslateController> {
    this.tries += 1;
    return new Promise((resolve, reject) => {
      if (this.isMissing) reject(new TypeError('Failed to fetch dynamically imported module'));
      this.#settle = {
        load: () => resolve(super.loadController(events)),
        fail: () => reject(new TypeError('Failed to fetch dynamically imported module')),
      };
    });
  }

  load(): void {
    this.#settle?.load();
  }

  fail(): void {
    this.#settle?.fail();
  }
}
customElements.define('late-translate', LateTranslate);

async function mountLate(): Promise<LateTranslate> {
  const element = new LateTranslate();
  element.proxy = await proxyAddress();
  element.resolution = '480p';
  element.idleAfter = 'none';
  document.body.append(element);
  await element.updateComplete;
  return element;
}

function pretendOffline(isOffline: boolean): void {
  if (isOffline) Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  else Reflect.deleteProperty(navigator, 'onLine');
}

const { setTimeout } = window;

/** From now on the waits between the tries of code that does not load, of 0.5 to 8 s, take no time: the minute passes at once. */
function passMinute(): void {
  window.setTimeout = ((run: TimerHandler, ms = 0) =>
    setTimeout(run, ms >= 500 && ms <= 8_000 ? 0 : ms)) as typeof window.setTimeout;
}

afterEach(async () => {
  pretendOffline(false);
  window.setTimeout = setTimeout;
  for (const element of document.querySelectorAll('late-translate')) element.remove();
  await unmountAll();
});

it('on a page that the browser prerenders nothing is loaded or signed until a visitor opens the page', async () => {
  Object.defineProperty(document, 'prerendering', { value: true, configurable: true });
  try {
    const element = await mountLate();
    const signed = element.sign('Hello');
    await frames(5);
    expect(element.tries).to.equal(0);
    Reflect.deleteProperty(document, 'prerendering');
    await until(() => element.tries > 0);
    element.load();
    await signed;
    expect(element.tries).to.equal(1);
  } finally {
    Reflect.deleteProperty(document, 'prerendering');
  }
});

it('nothing is loaded by attributes, properties, pause() and play()', async () => {
  const element = await mountLate();
  element.muted = false;
  element.pause();
  await element.play();
  element.replay();
  element.clear();
  expect(await element.end()).to.equal(null);
  await element.updateComplete;
  expect(element.tries).to.equal(0);
  expect([element.media, element.paused, element.ended, element.currentTime]).to.deep.equal([
    null,
    true,
    false,
    0,
  ]);
  expect([element.duration, element.buffered.length, element.textTracks.length]).to.deep.equal([NaN, 0, 0]);
});

it('texts before the code is loaded are signed in call order, with the settings of their call', async () => {
  const element = await mountLate();
  const said = record(element);
  const ready = heard(element, 'sign-ready');
  const outcomes = ['One', 'Two'].map((text) => element.sign(text));
  element.signer = 'JAY';
  await element.updateComplete;
  expect(messageOf(element)).to.equal('The signs are coming…');
  element.load();
  expect((await ready).config).to.include({ digital_signer: 'RAE' });
  expect((await Promise.all(outcomes)).map(({ text }) => text)).to.deep.equal(['One', 'Two']);
  const started = said.filter(({ name }) => name === 'sign-start').map(({ detail }) => detail.text);
  expect(started).to.deep.equal(['One', 'Two']);
  expect(element.tries).to.equal(1);
});

it('sound, speed and pause that are set before the code is loaded apply to the video', async () => {
  const element = await mountLate();
  Object.assign(element, { volume: 0.5, playbackRate: 1.5, loop: true });
  element.pause();
  const outcome = element.sign('Paused from the beginning');
  element.load();
  await until(() => element.media !== null);
  expect([element.volume, element.playbackRate, element.loop, element.paused]).to.deep.equal([
    0.5,
    1.5,
    true,
    true,
  ]);
  expect(element.media!.paused).to.equal(true);
  element.loop = false;
  await element.play();
  expect((await outcome).text).to.equal('Paused from the beginning');
});

it('an aborted, cleared or removed text is rejected before the code is loaded, and the others are signed', async () => {
  const element = await mountLate();
  const aborting = new AbortController();
  const aborted = rejection(element.sign('Aborted', { signal: aborting.signal }));
  const already = rejection(element.sign('Aborted before', { signal: AbortSignal.abort() }));
  const cleared = rejection(element.sign('Cleared'));
  aborting.abort();
  expect((await aborted).name).to.equal('AbortError');
  expect((await already).name).to.equal('AbortError');
  element.clear();
  expect((await cleared).name).to.equal('AbortError');
  const removed = rejection(element.sign('Removed'));
  element.remove();
  expect((await removed).name).to.equal('AbortError');
  document.body.append(element);
  const outcome = element.sign('Signed');
  element.load();
  expect((await outcome).text).to.equal('Signed');
});

it('a text waits while its code is tried again, and each try that fails is a warning', async () => {
  const element = await mountLate();
  const warned = heard(element, 'sign-error');
  const outcome = element.sign('Signed after all');
  element.fail();
  expect((await warned).error).to.include({ code: 'load_failed', retryable: true, severity: 'warning' });
  expect(element.matches(':state(reconnecting)')).to.equal(true);
  await until(() => element.tries === 2);
  element.load();
  expect((await outcome).text).to.equal('Signed after all');
});

it('code that does not load for a minute is load_failed, and is tried again with the next text', async () => {
  const element = await mountLate();
  passMinute();
  element.isMissing = true;
  const reported = heard(element, 'sign-error', ({ error }) => error.severity === 'session');
  const failed = rejection(element.sign('Lost'));
  expect(await failed).to.include({ code: 'load_failed', retryable: true, severity: 'session' });
  expect((await reported).error).to.equal(await failed);
  expect(element.matches(':state(failed)')).to.equal(true);
  await element.updateComplete;
  expect(messageOf(element)).to.contain('did not load');
  const { tries } = element;
  expect(tries).to.be.greaterThan(1);
  element.isMissing = false;
  const outcome = element.sign('Signed after all');
  element.load();
  expect((await outcome).text).to.equal('Signed after all');
  expect([element.tries, messageOf(element)]).to.deep.equal([tries + 1, '']);
});

it('a page that is not signed because code does not load for a minute is one error', async () => {
  const article = document.createElement('article');
  article.id = 'unsigned';
  article.textContent = 'One.';
  document.body.append(article);
  const element = await mountLate();
  passMinute();
  element.isMissing = true;
  element.for = article.id;
  const codes: string[] = [];
  element.addEventListener('sign-error', ({ detail: { error } }) => {
    if (error.severity !== 'warning') codes.push(error.code);
  });
  await element.read();
  expect(codes).to.deep.equal(['load_failed']);
  article.remove();
});

it('while the browser is offline a text waits for the code, which is loaded again on online', async () => {
  const element = await mountLate();
  pretendOffline(true);
  const reconnecting = heard(element, 'sign-statechange', ({ state }) => state === 'reconnecting');
  const outcome = element.sign('Asked for in a tunnel');
  element.fail();
  await reconnecting;
  pretendOffline(false);
  window.dispatchEvent(new Event('online'));
  await until(() => element.tries === 2);
  element.load();
  expect((await outcome).text).to.equal('Asked for in a tunnel');
});

it('code that an element needs for its attributes is loaded again by itself, at the event online, and when the element is put back', async () => {
  class BrokenPlayer extends SignLivePlayer {
    protected override loadController(): Promise<LiveController> {
      return Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
    }
  }
  customElements.define('broken-player', BrokenPlayer);
  const element = new BrokenPlayer();
  element.src = 'https://media.example.net/live.m3u8';
  passMinute();
  const later: TimerHandler[] = [];
  const { setTimeout: quick } = window;
  window.setTimeout = ((run: TimerHandler, ms?: number) =>
    ms === 10_000 ? later.push(run) : quick(run, ms)) as typeof window.setTimeout;
  const failure = async (cause: () => void): Promise<string> => {
    const reported = heard(element, 'sign-error', ({ error }) => error.severity === 'session');
    cause();
    const { code } = (await reported).error;
    await element.updateComplete;
    return code;
  };
  expect([
    await failure(() => document.body.append(element)),
    await failure(() => (later.shift() as () => void)()),
    await failure(() => window.dispatchEvent(new Event('online'))),
    await failure(() => {
      element.remove();
      document.body.append(element);
    }),
  ]).to.deep.equal(['load_failed', 'load_failed', 'load_failed', 'load_failed']);
  element.remove();
});
