// What moves on a page when an element is defined, and in a panel when its bar comes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after } from 'node:test';
import type { HTTPRequest } from 'puppeteer-core';
import { ofLanguage } from '../docs/samples.ts';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;

/** Layout Instability API, which TypeScript does not know. */
interface LayoutShift extends PerformanceEntry {
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

/** The tags and texts of a sample of this document that has a signer, without its script. */
function markupOf(document: string): string {
  const sample = ofLanguage('html').find(({ file, code }) => file === document && code.includes('<sign-'));
  return sample!.code.replace(/<script.*<\/script>/, '');
}
const withRule = '<link rel="stylesheet" href="/dist/cdn/sign-elements.css">';

// Astro and React 18 write the bare attribute of a tag that they do not know as "true".
for (const [what, html, moves] of [
  ['with the rule of sign-elements.css', `${withRule}<sign-translate controls></sign-translate>`, false],
  [
    'with that rule and controls="true"',
    `${withRule}<sign-translate controls="true"></sign-translate>`,
    false,
  ],
  ['without that rule', '<sign-translate controls></sign-translate>', true],
  ['with the first lines of README.md', markupOf('README.md'), false],
  ['with the page of docs/start.md', markupOf('docs/start.md'), false],
] as const) {
  test(`${what} the page ${moves ? 'moves' : 'does not move'} when an element is defined`, async () => {
    const { page } = await site.open(`${html}<p id="below">Words below</p>`);
    // A panel that another test left open would be open here too.
    await page.evaluate(() => localStorage.clear());
    // The compiler of the tests names inner functions by this helper, which a page does not have.
    await page.evaluate('globalThis.__name = (named) => named');
    const shift = await page.evaluate(async (src) => {
      const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
      const shifts: string[] = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as LayoutShift[])
          for (const { node, previousRect, currentRect } of entry.sources)
            shifts.push(
              [
                entry.startTime,
                node?.nodeName,
                ...[previousRect, currentRect].map((one) => JSON.stringify(one)),
              ].join(' '),
            );
      }).observe({ type: 'layout-shift', buffered: true });
      const top = (): number => Math.round(document.querySelector('#below')!.getBoundingClientRect().top);
      await frame();
      await frame();
      const before = top();
      document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }));
      await customElements.whenDefined('sign-translate');
      const { shadowRoot } = document.querySelector('sign-translate')!;
      while (!shadowRoot!.querySelector('.controls:not(.coming), .launcher')) await frame();
      const moved = top() - before;
      while (moved !== 0 && shifts.length === 0) await frame();
      // A frame is painted after this, and its shift is reported after the frame.
      for (let n = 0; n < 3; n++) await frame();
      return { moved: moved !== 0, shifts };
    }, `${proxy}/elements.js`);
    assert.equal(shift.moved, moves);
    if (moves) assert.notDeepEqual(shift.shifts, []);
    else assert.deepEqual(shift.shifts, []);
    await page.close();
  });
}

test('an open panel keeps its height when its bar comes', async () => {
  const { page } = await site.open(
    `<script type="module" src="${proxy}/elements.js"></script>
     <sign-translate placement="bottom-right" launcher remember="none" controls></sign-translate>`,
  );
  const button = await page.waitForSelector('sign-translate >>> .launcher', { visible: true });
  await page.setRequestInterception(true);
  const bar = new Promise<HTTPRequest>((resolve) => {
    page.on('request', (request) => {
      if (request.url().includes('control-bar')) resolve(request);
      else void request.continue();
    });
  });
  const height = (): Promise<number> =>
    page.$eval('sign-translate', (element) => element.getBoundingClientRect().height);
  await button!.press('Enter');
  await page.waitForSelector('sign-translate >>> .head', { visible: true });
  const before = await height();
  await (await bar).continue();
  await page.waitForSelector('sign-translate >>> .controls:not(.coming)');
  assert.equal(await height(), before);
  await page.close();
});

test('the documents show the rule of sign-elements.css', () => {
  const rule = readFileSync('dist/cdn/sign-elements.css', 'utf8');
  assert.ok(readFileSync('docs/elements.md', 'utf8').includes(rule));
});
