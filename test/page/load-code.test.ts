// Chunks of the cdn build in a real browser.
// - Chunks that do not load: each answers 503 once, or all are missing because a new version has replaced the version of an open
//   page, or the page went offline before it requested them.
// - When each chunk of a first text and of a first stream is requested.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test, { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import type { SignElement } from '../../src/elements/sign-element.ts';
import type { SignEventDetails } from '../../src/elements/sign-events.ts';
import { until } from '../until.ts';
import { nameOf } from './chunk-name.ts';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;
const tag = `<script type="module" src="${proxy}/elements.js"></script>`;

/** Answers the first request for each chunk with 503; returns the names of these chunks. */
async function refuseChunksOnce(page: Page): Promise<Set<string>> {
  const refused = new Set<string>();
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const name = nameOf(request.url());
    if (name === undefined || refused.has(name)) return void request.continue();
    refused.add(name);
    void request.respond({ status: 503 });
  });
  return refused;
}

/** Collects the errors of all elements, and lets another try follow after the shortest wait. */
async function watchErrors(page: Page): Promise<() => Promise<string[]>> {
  // The compiler of the tests names inner functions by this helper, which a page does not have.
  await page.evaluate('globalThis.__name = (named) => named');
  await page.evaluate(() => {
    Math.random = () => 0;
    const errors: string[] = [];
    document.addEventListener('sign-error', (event) => {
      const { error } = (event as CustomEvent<SignEventDetails['sign-error']>).detail;
      errors.push(`${error.severity} ${error.code}`);
    });
    Object.assign(globalThis, { errors });
  });
  return async () => (await page.evaluate('errors')) as string[];
}

test('when each chunk answers 503 once, every element still works, and nothing is lost', async () => {
  const { page, problems } = await site.open(`${tag}<p id="text">Words of the page.</p>`);
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warn') warnings.push(message.text());
  });
  await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
  const errors = await watchErrors(page);
  const refused = await refuseChunksOnce(page);
  const signed = await page.evaluate(async () => {
    const add = <Name extends keyof HTMLElementTagNameMap>(
      name: Name,
      attributes: Record<string, string>,
    ): HTMLElementTagNameMap[Name] => {
      const element = document.createElement(name);
      for (const each of Object.keys(attributes)) element.setAttribute(each, attributes[each]!);
      document.body.append(element);
      return element;
    };
    const state = (element: SignElement, name: string): Promise<void> =>
      new Promise((resolve) => {
        element.addEventListener('sign-statechange', ({ detail }) => detail.state === name && resolve());
      });
    const clips = add('sign-translate', {
      lang: 'fr',
      background: '#00ff00',
      'idle-after': '0',
      ticket: 'a.b.c',
    });
    const reader = add('sign-translate', {
      ...{
        for: 'text',
        transport: 'rest',
        'idle-after': 'none',
        controls: 'queue',
        prepared: 'x',
        glossary: 'x',
      },
    });
    const stream = add('sign-translate', { mode: 'stream', 'idle-after': 'none' });
    const loop = add('sign-silence-loop', { format: 'ts' });
    const looped = state(loop, 'ready');
    const read = new Promise((resolve) => reader.addEventListener('sign-end', resolve, { once: true }));
    void reader.play();
    // A text that the playlist has dropped before the first picture, on a busy machine, would be signed in another stream.
    const signInStream = async (): Promise<{ text: string }> => {
      await stream.connect();
      while (!stream.media) await new Promise(requestAnimationFrame);
      return stream.sign('In a stream');
    };
    const [{ text: first }, { text: second }] = await Promise.all([
      clips.sign('Good morning'),
      signInStream(),
    ]);
    const live = add('sign-live-player', { src: stream.currentSrc });
    const watched = state(live, 'signing');
    const announcement = add('sign-announcement', { placement: 'bottom-right' });
    const announced = announcement.announce({ type: 'static-message', destination: 'KGX' } as never);
    await Promise.all([read, looped, watched, announced]);
    reader.shadowRoot!.querySelector<HTMLElement>('[part~=queue]')!.click();
    return [first, second];
  });
  assert.deepEqual(signed, ['Good morning', 'In a stream']);
  assert.deepEqual([...new Set(await errors())], ['warning load_failed']);
  assert.equal(warnings.filter((text) => text.includes('New version')).length, 1, warnings.join('\n'));
  await page.waitForFunction(() =>
    document.querySelector('sign-translate')!.shadowRoot!.querySelector('canvas'),
  );
  // These are loaded before this page refuses any, by other pages, in other browsers, or when the service asks for a pause.
  const others =
    /^(shared|place-signers|ar|cy|de|es|pt|dash-engine|shaka.*|hls\.min|native-engine|wait-notice)$/;
  const lazy = readdirSync('dist/cdn/chunks').flatMap((file) => nameOf(`/chunks/${file}`) ?? []);
  await until(
    () => lazy.filter((name) => !others.test(name) && !refused.has(name)),
    ({ length }) => length === 0,
  );
  assert.deepEqual(
    problems.filter((text) => !/Failed to load resource|CORS/.test(text)),
    [],
  );
  await page.close();
});

test('when a new version has removed the chunks of an open page, the page reports it, and texts are signed without a reload when they are back', async () => {
  const { page } = await site.open(`${tag}<sign-translate idle-after="none"></sign-translate>`);
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warn') warnings.push(message.text());
  });
  await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
  const errors = await watchErrors(page);
  await page.setCacheEnabled(false);
  await page.setRequestInterception(true);
  let isGone = true;
  page.on('request', (request) => {
    if (isGone && nameOf(request.url()) !== undefined) void request.respond({ status: 404 });
    else void request.continue();
  });
  // The minute of tries passes in a second.
  await page.evaluate(() => {
    const { setTimeout: plain } = window;
    const fast = (run: () => void, ms = 0): number => plain(run, ms / 60);
    Object.assign(window, { plain, setTimeout: fast });
  });
  const sign = (text: string): Promise<string> =>
    page.evaluate(
      (words) =>
        document
          .querySelector('sign-translate')!
          .sign(words)
          .then(
            (signed) => signed.text,
            (error: { code: string }) => error.code,
          ),
      text,
    );
  assert.equal(await sign('Behind a new version'), 'load_failed');
  const reported = await errors();
  assert.equal(reported.at(-1), 'session load_failed');
  assert.deepEqual([...new Set(reported.slice(0, -1))], ['warning load_failed']);
  assert.match(warnings.join('\n'), /New version\?/);
  const shown = await page.$eval('sign-translate', (element) => [
    element.shadowRoot!.querySelector('[part~=message]')!.textContent.trim().length > 0,
    element.shadowRoot!.querySelector('[part~=retry]') !== null,
    element.matches(':state(failed)'),
  ]);
  assert.deepEqual(shown, [true, true, true]);
  isGone = false;
  await page.evaluate('setTimeout = plain');
  assert.equal(await sign('The old files are back'), 'The old files are back');
  await page.close();
});

test('a text of a call while the page is offline waits for its code, and is signed when the page is online', async () => {
  const { page } = await site.open(`${tag}<sign-translate idle-after="none"></sign-translate>`);
  await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
  const errors = await watchErrors(page);
  // Chunks that another page has loaded would come from the cache.
  await page.setCacheEnabled(false);
  await page.setOfflineMode(true);
  const failed = page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        document.addEventListener('sign-error', () => resolve(), { once: true }),
      ),
  );
  const signed = page.evaluate(
    async () => (await document.querySelector('sign-translate')!.sign('In a tunnel')).text,
  );
  await failed;
  await page.setOfflineMode(false);
  assert.equal(await signed, 'In a tunnel');
  assert.deepEqual([...new Set(await errors())], ['warning load_failed']);
  await page.close();
});

/** Names of the chunks that a page requests from now on. The chunk `held` is answered only after `release`. */
async function watchChunks(page: Page, held = ''): Promise<{ asked: Set<string>; release: () => void }> {
  const asked = new Set<string>();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const name = nameOf(request.url()) ?? '';
    asked.add(name);
    if (name === held) void released.then(() => request.continue());
    else void request.continue();
  });
  return { asked, release };
}

test('a first text requests the code of the session and of the clips at the same time', async () => {
  const { page } = await site.open(`${tag}<sign-translate idle-after="none"></sign-translate>`);
  await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
  const { asked, release } = await watchChunks(page, 'clips');
  const signed = page.$eval('sign-translate', async (signer) => (await signer.sign('At once')).text);
  await until(
    () => [...asked],
    () => asked.has('clips') && asked.has('session'),
  );
  release();
  assert.equal(await signed, 'At once');
  await page.close();
});

test('the code of the session and of the clips is loaded when the pointer is on the button at a paragraph, and not when it is only on the paragraph', async () => {
  const { page } = await site.open(
    `${tag}<main id="main"><p id="text">Words of the page.</p></main><sign-translate for="main"></sign-translate>`,
  );
  await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
  const { asked } = await watchChunks(page);
  await page.hover('#text');
  const button = await page.waitForSelector('sign-translate >>> .pick.shown', { visible: true });
  assert.deepEqual(
    [asked.has('page-reading'), asked.has('clips'), asked.has('session')],
    [true, false, false],
  );
  await button!.hover();
  await until(
    () => [...asked],
    () => asked.has('clips') && asked.has('session'),
  );
  await page.close();
});

test('a first HLS stream requests hls.js together with the code of the live player, and a DASH stream does not', async () => {
  for (const [src, player, other] of [
    ['/event.m3u8', 'hls.light.min', 'shaka-player.dash-es2021'],
    ['/event.mpd', 'shaka-player.dash-es2021', 'hls.light.min'],
  ] as const) {
    const { page } = await site.open(`${tag}<sign-live-player></sign-live-player>`);
    await page.evaluate(() => customElements.whenDefined('sign-live-player').then(() => {}));
    const { asked, release } = await watchChunks(page, 'live-controller');
    await page.$eval('sign-live-player', (element, address) => element.setAttribute('src', address), src);
    await until(
      () => [...asked],
      () => asked.has('live-controller'),
    );
    if (src.endsWith('.mpd')) release();
    await until(
      () => [...asked],
      () => asked.has(player),
    );
    assert.ok(!asked.has(other), [...asked].join());
    release();
    await page.close();
  }
});
