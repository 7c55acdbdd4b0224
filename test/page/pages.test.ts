// All pages of the demo: nothing on the console, nothing cut off or beyond the edge of a small phone, no control too low for a
// finger or covered on a tablet, no finding of axe, and every control can be reached by keyboard. The board, the help desk and the
// operator's page do what they are for.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test, { after } from 'node:test';
import type { Page, Viewport } from 'puppeteer-core';
import { clipId } from '../../demo/sandbox/index.ts';
import { consoleOf } from './console-of.ts';
import { openDemo } from './demo-page.ts';
import { letReadStamps, type WithStamps } from './seen-stamps.ts';

const demo = await openDemo();
after(() => demo.close());

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
type WithAxe = typeof globalThis & {
  axe: {
    run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
  };
};

const desktop: Viewport = { width: 1280, height: 800 };
const smallPhone: Viewport = { width: 320, height: 800, hasTouch: true };
const tablet: Viewport = { width: 820, height: 1180, hasTouch: true };

async function visit(path: string, viewport = desktop): Promise<{ page: Page; problems: string[] }> {
  const page = await demo.newPage();
  const { problems } = consoleOf(page);
  await page.setViewport(viewport);
  await page.goto(new URL(path, demo.address).href);
  await page.waitForFunction(() => customElements.get('sign-translate'));
  return { page, problems };
}

/**
 * Presses Tab until the focus leaves the page; returns the controls that never had the focus, or had it without a visible sign.
 */
async function unreached(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const reached = new Set<Element>();
    const ringless: string[] = [];
    /** Notes the focused element; false when nothing has the focus. */
    const note = (): boolean => {
      let element = document.activeElement;
      for (; element?.shadowRoot?.activeElement; element = element.shadowRoot.activeElement)
        reached.add(element);
      if (!element || element === document.body) return false;
      reached.add(element);
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      if (outlineStyle === 'none' || outlineWidth === '0px') ringless.push(`no ring: ${element.outerHTML}`);
      return true;
    };
    const missed = (): string[] => {
      const hosts = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
      const controls = [document, ...hosts].flatMap((root) => [
        ...root.querySelectorAll<HTMLButtonElement>(
          'a[href], button, input, select, textarea, summary, video[controls]',
        ),
      ]);
      // Tab reaches only the checked radio button of a group, and arrow keys the others.
      const isOther = (one: Element): boolean => one.matches('[type=radio]:not(:checked)');
      const left = controls.filter(
        (one) => one.checkVisibility() && !one.disabled && !isOther(one) && !reached.has(one),
      );
      return [...left.map(({ outerHTML }) => outerHTML), ...ringless];
    };
    Object.assign(globalThis, { note, missed });
  });
  const tabThrough = async (): Promise<void> => {
    do await page.keyboard.press('Tab');
    while (await page.evaluate('note()'));
  };
  await tabThrough();
  // The focus in a text has loaded the button that signs from there, which is among the controls of the next round.
  if (await page.$('sign-translate[for]')) {
    await page.waitForFunction(() =>
      document.querySelector('sign-translate')!.shadowRoot!.querySelector('[part~=pick]'),
    );
    await tabThrough();
  }
  const missed = async (): Promise<string[]> => (await page.evaluate('missed()')) as string[];
  // A clip that has ended meanwhile brings controls of its own.
  if ((await missed()).length > 0) await tabThrough();
  return missed();
}

/** Controls that are too low for a finger; links within a sentence may be. */
const tooLow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const hosts = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
    const controls = [document, ...hosts].flatMap((root) => [
      ...root.querySelectorAll('nav a, button, input:not([type=checkbox]), select, .check, summary'),
    ]);
    const low = controls.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44);
    return low.map(({ outerHTML }) => outerHTML);
  });

/** Fields and choices whose text is cut off, and the link of this page when its row does not show all of the link. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const cut: string[] = [];
    for (const field of document.querySelectorAll('textarea'))
      if (field.scrollHeight > field.clientHeight) cut.push(field.outerHTML);
    for (const choice of document.querySelectorAll('select')) {
      if (!choice.checkVisibility()) continue;
      const width = choice.offsetWidth;
      choice.style.inlineSize = 'max-content';
      if (choice.offsetWidth > width) cut.push(choice.outerHTML);
      choice.style.inlineSize = '';
    }
    const link = document.querySelector('nav [aria-current]')?.getBoundingClientRect();
    if (link && (link.left < 0 || link.right > innerWidth)) cut.push('the link of this page');
    return cut;
  });

/** How many of the links to the other pages are in each line. */
async function linksPerLine(page: Page): Promise<number[]> {
  const tops = await page.$$eval('nav a', (links) => links.map((link) => link.getBoundingClientRect().top));
  return [...new Set(tops)].map((line) => tops.filter((top) => top === line).length);
}

/** Controls that something else covers, after they were scrolled to and the page got the event. */
const covered = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const under: string[] = [];
    const isUnder = (one: Element): boolean => {
      const { left, top, width, height } = one.getClientRects()[0]!;
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      // A press on the label of a control counts as a press on the control.
      return !one.contains(hit) && hit?.closest('label')?.control !== one;
    };
    for (const one of document.querySelectorAll('a[href], button, input, select, textarea, summary')) {
      if (!one.checkVisibility()) continue;
      one.scrollIntoView({ block: 'center' });
      if (!isUnder(one)) continue;
      // `scroll` is dispatched with the next frame, and floating parts move then.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      if (isUnder(one)) under.push(one.outerHTML);
    }
    return under;
  });

for (const path of [
  './',
  'reading.html',
  'event.html',
  'live.html',
  'board.html',
  'desk.html',
  'operator.html',
  'docs/sign-translate.html',
]) {
  test(`${path} fits a small phone, has targets for a finger, works by keyboard, and axe finds nothing; on a desktop its links are in one line`, async () => {
    const { page, problems } = await visit(path, smallPhone);
    const { scrollWidth, clientWidth } = await page.$eval(':root', ({ scrollWidth, clientWidth }) => ({
      scrollWidth,
      clientWidth,
    }));
    assert.equal(scrollWidth, clientWidth, 'nothing is beyond the edge');
    assert.deepEqual(await tooLow(page), []);
    assert.deepEqual(await cutOff(page), []);
    // The front page signs by itself, and its bar has one more button after that.
    if (path === './') await page.waitForSelector('sign-translate >>> [part~=replay]:not([disabled])');
    assert.deepEqual(await unreached(page), []);
    await page.evaluate(axe);
    const found = await page.evaluate(async () => (await (globalThis as WithAxe).axe.run()).violations);
    assert.deepEqual(
      found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
      [],
    );
    await page.setViewport(tablet);
    assert.deepEqual(await covered(page), []);
    if (!path.startsWith('docs/')) {
      await page.setViewport(desktop);
      assert.deepEqual(await linksPerLine(page), [9]);
    }
    assert.deepEqual(problems, []);
    await page.close();
  });
}

/** Resolves when the element shows a frame of this clip, or, by default, of any clip that signs. */
const untilSeen = (page: Page, tag: string, clip: number | null = null): Promise<unknown> =>
  page.waitForFunction(
    async (name, wanted) => {
      const media = document.querySelector<HTMLElement & { media: HTMLVideoElement | null }>(name)?.media;
      const stamp = media && (await (globalThis as WithStamps).stampOf(media));
      return stamp && stamp.frame > 0 && (wanted === null ? stamp.clip > 0 : stamp.clip === wanted);
    },
    { polling: 40 },
    tag,
    clip,
  );

test('on the board a train is announced by keyboard, and its announcement is signed', async () => {
  const { page, problems } = await visit('board.html');
  await letReadStamps(page);
  await page.focus('#trains button');
  await page.keyboard.press('Enter');
  assert.match(await page.$eval('#state', ({ textContent }) => textContent ?? ''), /Edinburgh is being made/);
  await untilSeen(page, 'sign-announcement');
  // The browser reports a frame to the page some frames after it is on screen.
  await page.waitForFunction(() => !/being made/.test(document.querySelector('#state')!.textContent ?? ''));
  assert.deepEqual(problems, []);
  await page.close();
});

test('on the help desk the idle signer waits, and signs the answer to a question', async () => {
  const { page, problems } = await visit('desk.html');
  await letReadStamps(page);
  await untilSeen(page, 'sign-silence-loop', 0);
  await page.focus('#questions button');
  await page.keyboard.press('Enter');
  const answer = 'The eye clinic is on the second floor. Take the lift next to this desk.';
  await untilSeen(page, 'sign-translate', clipId(answer));
  assert.deepEqual(problems, []);
  await page.close();
});

test('the operator’s page names the invalid field of a session', async () => {
  const { page } = await visit('operator.html');
  await page.type('#token', demo.operatorToken);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#sessions:not([hidden])');
  await page.type('#hlsSourceUrl', 'http://10.0.0.1/private.m3u8');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() =>
    /hlsSourceUrl must be/.test(document.querySelector('#problem')!.textContent ?? ''),
  );
  await page.close();
});

test('the operator’s page shows the service’s error for a source, and when to try again', async () => {
  const { page } = await visit('operator.html');
  await page.type('#token', demo.operatorToken);
  await page.click('#access button');
  await page.waitForSelector('#sessions:not([hidden])');
  await page.evaluate(() => {
    const error = {
      code: 'HLS_INPUT_NORMALIZE_CAPACITY',
      message: 'all taken',
      details: { profile: 'High 10' },
    };
    const headers = { 'content-type': 'application/json', 'retry-after': '30' };
    window.fetch = () => Promise.resolve(new Response(JSON.stringify({ error }), { status: 503, headers }));
  });
  await page.select('#sourceType', 'RTMP_PUSH');
  await page.click('#create > button');
  const said = await page.waitForFunction(() => document.querySelector('#problem')?.textContent || null);
  assert.equal(
    await said.jsonValue(),
    'HLS_INPUT_NORMALIZE_CAPACITY: all taken: {"profile":"High 10"}: try again in 30 s',
  );
  await page.close();
});
