// How the signer looks in the windows and colours that visitors have: 400 % zoom, a phone upright and on its side, forced colours,
// more contrast, and on paper.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { CDPSession, Page } from 'puppeteer-core';
import { openSite } from './site.ts';
import { press } from './press-button.ts';

const site = await openSite();
after(() => site.close());

/** A page that is read, stopped at its first sentence, with the list of sentences open. */
async function openList(
  attributes: string,
  first = 'Paragraph 0 is here.',
): Promise<{ page: Page; system: CDPSession }> {
  site.scripts.set('/room.css', ':root { color-scheme: light dark } main { width: 90vw; margin: 0 }');
  const text = (n: number): string => (n === 0 ? first : `Paragraph ${n} is here.`);
  const words = Array.from({ length: 12 }, (_, n) => `<p id="p${n}">${text(n)}</p>`).join('');
  const { page } = await site.open(`<head><meta name="viewport" content="width=device-width">
    <link rel="stylesheet" href="/room.css"></head><body><main id="main">${words}</main>
    <sign-translate for="main" ${attributes} controls resolution="480p"></sign-translate>
    <script type="module" src="${site.backend.addresses.proxy}/elements.js"></script></body>`);
  await page.setViewport({ width: 1000, height: 600 });
  // The compiler of the tests names inner functions by this helper, which a page does not have.
  await page.evaluate('globalThis.__name = (named) => named');
  await page.$eval('sign-translate', (signer) =>
    signer.addEventListener('sign-start', () => signer.pause(), { once: true }),
  );
  await press(page, 'start');
  await page.waitForSelector('sign-translate >>> [part~=report]:not([disabled])');
  await press(page, 'queue');
  await page.waitForSelector('sign-translate >>> .list li');
  return { page, system: await page.createCDPSession() };
}

/** How many sentences of the list a visitor sees wholly. */
const rowsInSight = (page: Page): Promise<number> =>
  page.$eval('sign-translate', ({ shadowRoot }) => {
    shadowRoot!.querySelector('.list li')!.scrollIntoView();
    const at = (x: number, y: number): Element | null | undefined =>
      shadowRoot!.elementFromPoint(x, y)?.closest('li');
    return [...shadowRoot!.querySelectorAll('.list li')].filter((row) => {
      const { left, right, top, bottom } = row.getBoundingClientRect();
      return at((left + right) / 2, top + 2) === row && at((left + right) / 2, bottom - 2) === row;
    }).length;
  });

test('every row of the list of sentences in a panel can be scrolled into view as a whole, at 400 % zoom and on phones', async () => {
  const { page } = await openList('placement="bottom-right" remember="none"');
  for (const [width, height] of [
    [320, 256],
    [640, 320],
    [390, 844],
  ] as const) {
    await page.setViewport({ width, height });
    await page.waitForFunction((n) => innerWidth === n, {}, width);
    const seen = await rowsInSight(page);
    assert.ok(seen >= 3, `${seen} at ${width}x${height}`);
    const isReached = await page.$eval('sign-translate', async ({ shadowRoot }) => {
      const clear = shadowRoot!.querySelector('.list + button')!;
      clear.scrollIntoView();
      await new Promise(requestAnimationFrame);
      const { left, top, bottom } = clear.getBoundingClientRect();
      return [top + 2, bottom - 2].every((y) => shadowRoot!.elementFromPoint(left + 9, y) === clear);
    });
    assert.ok(isReached, `"Skip all that wait" at ${width}x${height}`);
  }
  const free = await page.evaluate(
    (first) =>
      first.getBoundingClientRect().bottom <=
      document.querySelector('sign-translate')!.getBoundingClientRect().top,
    (await page.$('#p0'))!,
  );
  assert.ok(free, 'on a phone the sentence that is signed can be read');
  await page.close();
});

// Chromium gives the focus to a part that scrolls and has no control in it.
test('the caption of a sentence of two hundred words takes a quarter of a window at most, and scrolls, also by keyboard', async () => {
  const sentence = `${Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ')}.`;
  const { page } = await openList(
    'controls="queue caption" placement="bottom-right" remember="none"',
    sentence,
  );
  await (await page.waitForSelector('sign-translate >>> [part~=caption]'))!.click();
  const caption = (await page.waitForSelector('sign-translate >>> p[part=caption]'))!;
  for (const [width, height] of [
    [1000, 600],
    [390, 844],
  ] as const) {
    await page.setViewport({ width, height });
    await page.waitForFunction((n) => innerWidth === n, {}, width);
    const [part, isWhole, takesFocus, text] = await caption.evaluate((one) => {
      (one as HTMLElement).focus();
      return [
        one.clientHeight / innerHeight,
        one.scrollHeight <= one.clientHeight,
        one.matches(':focus'),
        one.textContent,
      ];
    });
    assert.ok((part as number) > 0.1 && (part as number) <= 0.25, `${part} of ${width}x${height}`);
    assert.deepEqual([isWhole, takesFocus, text], [false, true, sentence]);
  }
  await page.close();
});

test('the button at a paragraph that reaches behind the panel does not cover the panel', async () => {
  const { page } = await openList('placement="bottom-right" remember="none"');
  await page.hover('#p8');
  await page.waitForSelector('sign-translate >>> .pick.shown', { visible: true });
  const [pick, panel] = await page.$eval('sign-translate', (signer) => {
    const { left, right, top, bottom } = signer.shadowRoot!.querySelector('.pick')!.getBoundingClientRect();
    const box = signer.getBoundingClientRect();
    return [
      [left, right, top, bottom],
      [box.left, box.right, box.top, box.bottom],
    ] as const;
  });
  assert.ok(pick[1]! <= panel[0]! || pick[3]! <= panel[2]!, `${pick.join()} beside ${panel.join()}`);
  await page.close();
});

test('with forced colours and more contrast the panel and its buttons have edges, and the signer is not printed', async () => {
  const { page, system } = await openList('placement="bottom-right" remember="none"');
  const look = (): Promise<{ edge: string; button: string }> =>
    page.$eval('sign-translate', (signer) => ({
      edge: getComputedStyle(signer).outlineStyle,
      button: getComputedStyle(signer.shadowRoot!.querySelector('[part~=toggle]')!).borderTopColor,
    }));
  const plain = await look();
  assert.deepEqual([plain.edge, plain.button], ['none', 'rgba(0, 0, 0, 0)']);
  const ask = (name: string, value: string): Promise<void> =>
    system.send('Emulation.setEmulatedMedia', { media: '', features: [{ name, value }] });
  await ask('prefers-contrast', 'more');
  assert.equal((await look()).button, 'rgb(0, 0, 0)');
  await ask('forced-colors', 'active');
  assert.equal((await look()).edge, 'solid');
  await page.hover('#p1');
  await page.waitForSelector('sign-translate >>> .pick.shown', { visible: true });
  const printed = (): Promise<string[]> =>
    page.$eval('sign-translate', (signer) =>
      [signer, ...signer.shadowRoot!.querySelectorAll('*')]
        .filter((one) => one.getBoundingClientRect().height > 0)
        .map((one) => `${one.localName} ${one.className}`),
    );
  await page.emulateMediaType('print');
  assert.deepEqual(await printed(), []);
  await page.evaluate(() => (document.querySelector('sign-translate')!.placement = 'inline'));
  assert.deepEqual(await printed(), []);
  await page.close();
});

/**
 * The focus rings of the Tab stops in the signer, and their contrast with the colour around them (WCAG 2.2, relative luminance).
 */
async function ringsByTab(page: Page): Promise<{ what: string; ring: string; contrast: number }[]> {
  const rings = [];
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const ring = await page.$eval('sign-translate', (signer) => {
      const at = signer.shadowRoot!.activeElement;
      if (!at) return null;
      const luminance = (color: string): number => {
        const parts = (/rgba?\(([^)]*)\)/.exec(color)?.[1] ?? '').split(',').slice(0, 3);
        const [r = NaN, g = NaN, b = NaN] = parts
          .map((part) => Number(part) / 255)
          .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(at);
      // A ring without a second colour is drawn inside its control.
      const grounds: string[] = boxShadow === 'none' ? [] : [boxShadow];
      for (let on: Element | null = at; on; on = on.parentElement)
        grounds.push(getComputedStyle(on).backgroundColor);
      grounds.push(getComputedStyle(signer).backgroundColor);
      const ground = grounds.find((color) => !/, 0\)$/.test(color)) ?? '';
      const [dark = NaN, light = NaN] = [luminance(outlineColor), luminance(ground)].toSorted(
        (a, b) => a - b,
      );
      return {
        what: at.part.value || at.textContent,
        ring: `${outlineStyle} ${outlineWidth}`,
        contrast: (light + 0.05) / (dark + 0.05),
      };
    });
    if (ring) rings.push(ring);
  }
  return rings;
}

test('every Tab stop in the signer has a focus ring with enough contrast, in light and in dark colours', async () => {
  const { page, system } = await openList('placement="bottom-right" remember="none"');
  for (const value of ['light', 'dark']) {
    const features = [{ name: 'prefers-color-scheme', value }];
    await system.send('Emulation.setEmulatedMedia', { media: '', features });
    const rings = await ringsByTab(page);
    const different = new Set(rings.map(({ what }) => what));
    assert.ok(different.size >= 14, [...different].join());
    assert.deepEqual(
      rings.filter(({ ring, contrast }) => ring !== 'solid 3px' || !(contrast >= 4.5)),
      [],
    );
  }
  await page.close();
});

test('a sentence off screen is scrolled to smoothly, and at once where less motion is wanted', async () => {
  const { page, system } = await openList('placement="bottom-right" remember="none"');
  await page.$$eval('p', (all) => all.forEach(({ style }) => (style.marginBottom = '2000px')));
  const scrollTo = async (id: string, value: string): Promise<ScrollBehavior> => {
    const features = [{ name: 'prefers-reduced-motion', value }];
    await system.send('Emulation.setEmulatedMedia', { media: '', features });
    return page.$eval(
      'sign-translate',
      (signer, start) =>
        new Promise<ScrollBehavior>((resolve) => {
          document.documentElement.scrollBy = ((options: ScrollToOptions) =>
            resolve(options.behavior ?? 'auto')) as typeof scrollBy;
          void signer.read(document.querySelector(start)!);
          void signer.play();
        }),
      id,
    );
  };
  assert.equal(await scrollTo('#p5', 'no-preference'), 'smooth');
  assert.equal(await scrollTo('#p9', 'reduce'), 'instant');
  await page.close();
});
