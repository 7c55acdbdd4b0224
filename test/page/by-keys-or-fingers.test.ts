// A visitor with only a keyboard, and one with only fingers, can use everything that a reading and its panel offer.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { ElementHandle, Page } from 'puppeteer-core';
import { openSite, type OpenPage } from './site.ts';
import { untilPaused, untilPlaying } from './until-paused.ts';
import { press } from './press-button.ts';

const site = await openSite();
after(() => site.close());

const article = Array.from(
  { length: 6 },
  (_, n) => `<p id="p${n}">Paragraph ${n} is here. <a href="#${n}">More</a></p>`,
).join('');

site.scripts.set(
  '/heard.js',
  `window.texts = []; addEventListener('sign-start', ({ detail }) => texts.push(detail.text));`,
);
// The panel beside it covers no sentence on a desktop, so that it stays where the visitor moves it.
site.scripts.set('/room.css', 'main { max-width: 10rem; margin: 0 4rem } p { margin: 3rem 0 }');

function open(): Promise<OpenPage> {
  return site.open(`<head><meta name="viewport" content="width=device-width"><script src="/heard.js"></script>
    <link rel="stylesheet" href="/room.css"></head><body><main id="main"><h1>Opening times</h1>${article}</main>
    <sign-translate for="main" placement="bottom-right" launcher remember="none" resolution="480p"
      controls="play stop previous next seek speed caption fullscreen queue"></sign-translate>
    <script type="module" src="${site.backend.addresses.proxy}/elements.js"></script></body>`);
}

const untilBegun = (page: Page, text: string): Promise<unknown> =>
  page.waitForFunction(
    (wanted) => (globalThis as unknown as { texts: string[] }).texts.at(-1) === wanted,
    {},
    text,
  );

/** At 0.25 no sentence is over before the next key or finger, on a busy machine too. */
const signAt = (page: Page, rate: number): Promise<unknown> =>
  page.$eval('sign-translate', (signer, speed) => (signer.playbackRate = speed), rate);

const edges = (page: Page): Promise<number[]> =>
  page.$eval('sign-translate', (signer) => {
    const { left, top, width, height } = signer.getBoundingClientRect();
    return [left, top, width, height].map(Math.round);
  });

/** Where the focus is: classes and parts of the focused element in the signer. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.querySelector('sign-translate')!.shadowRoot!.activeElement;
    return at ? `${at.className} ${at.getAttribute('part') ?? ''}` : '';
  });

/** Presses Tab, or Shift and Tab, until the focus is on this part. */
async function tabTo(page: Page, name: string, { back = false } = {}): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 40; presses += 1) {
    const at = await focused(page);
    if (at.split(/\s+/).includes(name)) return;
    seen.push(at);
    if (back) await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    if (back) await page.keyboard.up('Shift');
  }
  assert.fail(`no ${name} among ${seen.join(' | ')}`);
}

test('by keyboard alone a visitor opens the panel, reads, steers, starts from a paragraph, moves and resizes the panel, stops and closes', async () => {
  const { page, problems } = await open();
  const tabAndPress = async (
    name: string,
    { key = 'Enter', back = false }: { key?: 'Enter' | 'Space'; back?: boolean } = {},
  ): Promise<void> => {
    await tabTo(page, name, { back });
    await page.keyboard.press(key);
  };
  await page.waitForSelector('sign-translate >>> .launcher', { visible: true });
  await signAt(page, 0.25);
  await tabAndPress('launcher');
  await page.waitForSelector('sign-translate >>> [part~=toggle]', { visible: true });
  await tabAndPress('toggle', { key: 'Space' });
  await untilBegun(page, 'Opening times');
  await page.keyboard.press('k');
  await untilPaused(page, 'sign-translate');
  await page.keyboard.press('k');
  await untilPlaying(page, 'sign-translate');
  await tabAndPress('next');
  await untilBegun(page, 'Paragraph 0 is here.');
  await tabAndPress('previous', { back: true });
  await page.waitForFunction(
    () =>
      (globalThis as unknown as { texts: string[] }).texts.filter((text) => text === 'Opening times')
        .length === 2,
  );

  await signAt(page, 1);
  await tabAndPress('speed', { key: 'Space' });
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() => document.querySelector('sign-translate')!.playbackRate === 0.75);
  await tabAndPress('reset');
  assert.equal(await page.$eval('sign-translate', (signer) => signer.playbackRate), 1);
  assert.match(await focused(page), /speed/, 'the button is gone, the focus is beside it');
  await signAt(page, 0.25);

  await tabAndPress('queue', { key: 'Space', back: true });
  await page.waitForSelector('sign-translate >>> .list');
  await tabTo(page, 'jump');
  await page.keyboard.press('Tab');
  await tabTo(page, 'pick');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await untilBegun(page, 'Paragraph 3 is here.');

  await tabTo(page, 'grip', { back: true });
  const before = await edges(page);
  await page.keyboard.press('ArrowLeft');
  assert.match(await focused(page), /grip/, 'the focus stays on the button that moves the panel');
  const left = await edges(page);
  assert.ok(left[0]! < before[0]!, `an arrow key moves it: from ${before.join()} to ${left.join()}`);
  await page.keyboard.press('Enter');
  assert.notDeepEqual((await edges(page)).slice(0, 2), left.slice(0, 2), 'Enter moves it to a corner');
  await tabAndPress('smaller');
  await page.waitForFunction(
    (width) => document.querySelector('sign-translate')!.getBoundingClientRect().width < width,
    {},
    before[2]!,
  );
  await tabAndPress('minimise');
  await untilPaused(page, 'sign-translate');
  await page.keyboard.press('Enter');
  await untilPlaying(page, 'sign-translate');

  await tabAndPress('stop');
  assert.equal(await page.$eval('sign-translate', (signer) => signer.queue.length), 0);
  assert.notEqual(await focused(page), '', 'the focus stays in the signer');
  await tabAndPress('close', { back: true });
  await page.waitForSelector('sign-translate >>> .launcher', { visible: true });
  assert.match(await focused(page), /launcher/);
  assert.deepEqual(problems, []);
  await page.close();
});

test('by finger alone a visitor opens the panel, reads, pauses, starts from a paragraph, drags and minimises the panel, stops and closes', async () => {
  const { page, problems } = await open();
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  const part = (name: string): Promise<ElementHandle | null> =>
    page.waitForSelector(`sign-translate >>> [part~=${name}]`, { visible: true });
  const tap = (name: string): Promise<void> => press(page, name, 'tap');
  await page.waitForSelector('sign-translate >>> .launcher', { visible: true });
  await signAt(page, 0.25);
  await tap('launcher');
  await tap('start');
  await untilBegun(page, 'Opening times');
  await tap('box');
  await untilPaused(page, 'sign-translate');
  await tap('box');
  await untilPlaying(page, 'sign-translate');

  // A tap on words shows the button, and a tap on a link follows the link.
  await page.tap('#p1 a');
  assert.equal(await page.evaluate(() => location.hash), '#1');
  await page.touchscreen.tap(120, await page.$eval('#p1', (p) => p.getBoundingClientRect().top + 8));
  const pick = (await part('pick'))!;
  const size = (await pick.boundingBox())!;
  assert.ok(size.width >= 44 && size.height >= 44, JSON.stringify(size));
  await pick.tap();
  await untilBegun(page, 'Paragraph 1 is here.');

  // The panel is as wide as the window, so each tap takes it to the other edge.
  for (let taps = 0; taps < 2; taps += 1) {
    const [, from] = await edges(page);
    await tap('move');
    // The browser makes the click after the finger has lifted.
    await page.waitForFunction(
      (top) => Math.round(document.querySelector('sign-translate')!.getBoundingClientRect().top) !== top,
      {},
      from,
    );
  }
  const [, top] = (await edges(page)) as [number, number];
  const title = (await (await part('title'))!.boundingBox())!;
  const touch = await page.touchscreen.touchStart(title.x + 20, title.y + 20);
  await touch.move(title.x + 20, 200);
  // A finger that lifts while it moves makes a fling, and Chromium then seems to use a quick tap to stop the fling (156: no click
  // after `pointerup`, about one run in seven).
  for (let rest = 0; rest < 5; rest += 1) {
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await touch.move(title.x + 20, 60 + (rest % 2));
  }
  await touch.end();
  assert.ok((await edges(page))[1]! < top, 'dragged upwards');
  await tap('minimise');
  // Only the bar of the panel is left.
  await page.waitForFunction(() => document.querySelector('sign-translate')!.offsetHeight === 44);
  await untilPaused(page, 'sign-translate');
  await tap('minimise');
  await untilPlaying(page, 'sign-translate');
  await tap('queue');
  const row = await page.waitForSelector('sign-translate >>> .list li:nth-child(3) .jump', { visible: true });
  await row!.tap();
  await page.waitForFunction(() => (globalThis as unknown as { texts: string[] }).texts.length >= 3);
  await tap('stop');
  await page.waitForFunction(() => document.querySelector('sign-translate')!.queue.length === 0);
  await tap('close');
  await tap('launcher');
  await part('close');
  assert.deepEqual(problems, []);
  await page.close();
});

test('the first tap of a finger on a paragraph shows the button, also when its code is there before the finger lifts', async () => {
  const { page, problems } = await site.open(`<head><meta name="viewport" content="width=device-width">
    <link rel="stylesheet" href="/room.css"></head><body><main id="main">${article}</main>
    <sign-translate for="main"></sign-translate>
    <script type="module" src="${site.backend.addresses.proxy}/elements.js"></script></body>`);
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await page.waitForSelector('sign-translate:defined');
  await page.evaluate(() => document.addEventListener('click', () => (document.title = 'clicked')));
  const top = await page.$eval('#p1', (p) => p.getBoundingClientRect().top);
  const finger = await page.touchscreen.touchStart(120, top + 8);
  const pick = await page.waitForSelector('sign-translate >>> .pick.shown', { visible: true });
  await finger.end();
  await page.waitForFunction(() => document.title === 'clicked');
  assert.equal(await pick!.evaluate((button) => button.classList.contains('shown')), true);
  await page.touchscreen.tap(120, top + 8);
  await page.waitForFunction((button) => !button!.classList.contains('shown'), {}, pick);
  assert.deepEqual(problems, []);
  await page.close();
});
