// The page of `npm start` as a newcomer uses it, with a mouse, a keyboard, a phone.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import { consoleOf } from './console-of.ts';
import { openDemo } from './demo-page.ts';

const demo = await openDemo();
after(() => demo.close());

interface Visit {
  readonly page: Page;
  /** Errors on the console. */
  readonly problems: string[];
}

async function visit(width: number, height: number): Promise<Visit> {
  const page = await demo.newPage();
  const { problems } = consoleOf(page);
  await page.setViewport({ width, height });
  await page.goto(demo.address);
  await page.waitForFunction(() => customElements.get('sign-translate'));
  await page.evaluate(() => {
    const listed = new Set<string>();
    const note = (): void => {
      for (const { firstElementChild, lastElementChild } of document.querySelectorAll('#queue li'))
        listed.add(`${firstElementChild?.textContent}: ${lastElementChild?.textContent}`);
    };
    new MutationObserver(note).observe(document.querySelector('#queue')!, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    Object.assign(globalThis, { listed });
  });
  return { page, problems };
}

/** Waits until the list shows or has shown this state of the text, which may last shorter than a click takes. */
const untilListed = (page: Page, text: string, state: string): Promise<unknown> =>
  page.waitForFunction(
    (line) => (globalThis as typeof globalThis & { listed: Set<string> }).listed.has(line),
    {},
    `${text}: ${state}`,
  );

/**
 * Waits for the list of the panel, because a locator of Puppeteer that begins while its element is hidden never clicks it.
 */
async function openFaults(page: Page): Promise<void> {
  await page.waitForSelector('#faults', { visible: true });
  await page.locator('#faults summary').click();
}

test('a typed text is signed to its end after Sign is pressed, and a second text waits for it', async () => {
  const { page, problems } = await visit(1280, 800);
  await page.locator('#words').fill('Good evening');
  await page.locator('#ask button').click();
  await untilListed(page, 'Good evening', 'signing');
  await page.locator('#words').fill('See you tomorrow');
  await page.locator('#ask button').click();
  await untilListed(page, 'See you tomorrow', 'waiting');
  await untilListed(page, 'Good evening', 'signed');
  await untilListed(page, 'See you tomorrow', 'signed');
  assert.deepEqual(problems, []);
  await page.close();
});

test('the panel for faults sends only the fields that are filled in, as numbers, strings and booleans', async () => {
  const { page } = await visit(1280, 800);
  await openFaults(page);
  const ask = async (fault: string, filled: Readonly<Record<string, string>>): Promise<void> => {
    const before = (await page.$$('#in-force li')).length;
    await page.select('#fault-name', fault);
    for (const [path, value] of Object.entries(filled)) await page.select(`[data-path="${path}"]`, value);
    await page.locator('#fault .row button').click();
    await page.waitForFunction((n) => document.querySelectorAll('#in-force li').length > n, {}, before);
  };
  await ask('encoding', {});
  await ask('encoding', { rotation: '90', 'sound.track': 'first' });
  await ask('media_host', { cors: 'false' });
  const inForce = await page.$$eval('#in-force li', (lines) => lines.map(({ textContent }) => textContent));
  assert.deepEqual(inForce, [
    '{"fault":"encoding"}',
    '{"fault":"encoding","rotation":90,"sound":{"track":"first"}}',
    '{"fault":"media_host","cors":false}',
  ]);
  await page.locator('#fault-end').click();
  await page.waitForFunction(() => document.querySelectorAll('#in-force li').length === 0);
  await page.close();
});

test('the panel switches faults of the sandbox on and off', async () => {
  const { page } = await visit(1280, 800);
  await openFaults(page);
  await page.select('#fault-name', 'error');
  await page.select('#fault-fields select', 'render_failed');
  const inForce = (): Promise<string[]> =>
    page.$$eval('#in-force li', (lines) => lines.map(({ textContent }) => textContent ?? ''));
  await page.locator('#fault .row button').click();
  await page.waitForSelector('#in-force li');
  assert.deepEqual(await inForce(), ['{"fault":"error","code":"render_failed"}']);
  await page.locator('#words').fill('This goes wrong');
  await page.locator('#ask button').click();
  await untilListed(page, 'This goes wrong', 'render_failed');
  await page.locator('#fault-end').click();
  await page.waitForFunction(() => document.querySelectorAll('#in-force li').length === 0);
  await page.locator('#words').fill('This goes well');
  await page.locator('#ask button').click();
  await untilListed(page, 'This goes well', 'signed');
  await page.close();
});

for (const [choice, choose] of [
  ['mode: stream', (page: Page) => page.click('[name=mode][value=stream]')],
  ['transport: rest', (page: Page) => page.select('#transport', 'rest')],
] as const) {
  test(`the choice ${choice} signs under the page's strict policy`, async () => {
    const { page, problems } = await visit(1280, 800);
    await choose(page);
    for (const text of ['Good evening', 'See you tomorrow']) {
      await page.locator('#words').fill(text);
      await page.locator('#ask button').click();
    }
    await untilListed(page, 'Good evening', 'signed');
    await untilListed(page, 'See you tomorrow', 'signed');
    assert.deepEqual(problems, []);
    await page.close();
  });
}

test('on a phone a shadow at the side of the links shows that there are more of them', async () => {
  const { page } = await visit(390, 844);
  const nav = (await page.$('nav'))!;
  const { y } = (await nav.boundingBox())!;
  const pixels = (x: number, top = y + 2): Promise<string> =>
    page.screenshot({ encoding: 'base64', clip: { x, y: top, width: 2, height: 2 } });
  const shadows = async (scrolled: number): Promise<boolean[]> => {
    await nav.evaluate((links, left) => links.scrollTo(left, 0), scrolled);
    const plain = await pixels(0, 2);
    return [(await pixels(0)) !== plain, (await pixels(388)) !== plain];
  };
  assert.deepEqual(
    [await shadows(0), await shadows(150), await shadows(9999)],
    [
      [false, true],
      [true, true],
      [true, false],
    ],
  );
  await page.close();
});

test('the page works with the keyboard alone: Tab goes to the box, Enter signs, Tab goes to the signer, Space pauses', async () => {
  const { page } = await visit(1280, 800);
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.id ?? document.activeElement?.localName ?? '');
  const tabTo = async (id: string): Promise<void> => {
    for (let presses = 0; (await focused()) !== id; presses++) {
      assert.ok(presses < 30, `Tab never came to ${id}`);
      await page.keyboard.press('Tab');
    }
  };
  await tabTo('words');
  await page.keyboard.type('A sentence that is long enough to be paused');
  await page.keyboard.press('Enter');
  await page.$eval('sign-translate', (signer) => {
    // On a busy machine a press takes as long as a text at full speed.
    signer.playbackRate = 0.25;
    signer.focus();
  });
  await page.waitForFunction(() => document.querySelector('sign-translate:state(signing)'));
  await page.keyboard.press('Space');
  assert.equal(await page.$eval('sign-translate', ({ paused }) => paused), true);
  await page.close();
});

test('the page says SANDBOX before anything is signed, and on phones and on a desktop nothing is cut off and the signer is big enough', async () => {
  const { page } = await visit(320, 568);
  assert.match(await page.$eval('header', ({ textContent }) => textContent ?? ''), /SANDBOX/);
  for (const [device, width, height] of [
    ['a small phone', 320, 568],
    ['a phone', 390, 844],
    ['a desktop', 1280, 800],
  ] as const) {
    await page.setViewport({ width, height });
    const { overflow, signer } = await page.evaluate(() => {
      const box = document.querySelector('sign-translate')!.getBoundingClientRect();
      const root = document.documentElement;
      return {
        overflow: root.scrollWidth - root.clientWidth,
        signer: { left: box.left, right: box.right, width: box.width },
      };
    });
    assert.equal(overflow, 0, device);
    assert.ok(signer.left >= 0 && signer.right <= width, `${device}: ${JSON.stringify(signer)}`);
    // The signer is as wide as a phone, and 280 px high (498 px wide) where there is room.
    assert.ok(signer.width >= Math.min(498, width - 40), `${device}: ${JSON.stringify(signer)}`);
  }
  await page.close();
});
