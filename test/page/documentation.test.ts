// The documentation as static files: on a phone, by keyboard, to axe, without scripts, and its search.
// - The elements of the examples are not there: other files serve the pages beside a proxy (pages.test.ts, static-docs.test.ts).
// - The members of a `<video>` in docs/elements.md are compared with the members that the browser has.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import test, { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import { openBrowser } from '../browser/open-browser.ts';
import { listen } from '../listening.ts';
import { consoleOf } from './console-of.ts';

const folder = 'dist/docs';
const files = readdirSync(folder);
const pages = files.filter((name) => name.endsWith('.html'));
const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  json: 'application/json',
  css: 'text/css',
};
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'";

const server = createServer((request, response) => {
  const name = new URL(request.url!, 'http://site').pathname.slice(1);
  const type = types[name.split('.').at(-1)!]!;
  const body = files.includes(name) ? readFileSync(`${folder}/${name}`) : '';
  response
    .writeHead(200, { 'content-type': type ?? 'text/plain', 'content-security-policy': policy })
    .end(body);
});
const port = await listen(server);
const browser = await openBrowser();
after(async () => {
  await browser.close();
  server.close();
  server.closeAllConnections();
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
type WithAxe = typeof globalThis & {
  axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
};

async function visit(name: string): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage();
  const { problems } = consoleOf(page);
  await page.goto(`http://127.0.0.1:${port}/${name}`);
  return { page, problems };
}

test('on small phones nothing of a page is beyond the edge, and every touch target except a link within a sentence has 24 px', async () => {
  assert.ok(pages.length > 20);
  const { page, problems } = await visit('index.html');
  await page.setViewport({ width: 320, height: 700, isMobile: true, hasTouch: true });
  for (const name of pages) {
    await page.goto(`http://127.0.0.1:${port}/${name}`);
    for (const width of [320, 390]) {
      await page.setViewport({ width, height: 844, isMobile: true, hasTouch: true });
      const { scrollWidth, clientWidth, small } = await page.$eval(':root', (root) => {
        const targets = root.querySelectorAll<HTMLElement>('a[href], button, input, summary');
        const tooSmall = [...targets].filter((target) => {
          const { width: across, height } = target.getBoundingClientRect();
          const isInSentence = target.matches('a') && target.parentElement!.innerText !== target.innerText;
          return across > 0 && Math.min(across, height) < 24 && !isInSentence;
        });
        const { scrollWidth, clientWidth } = root;
        return { scrollWidth, clientWidth, small: tooSmall.map(({ innerText }) => innerText) };
      });
      assert.deepEqual([scrollWidth, clientWidth, small], [width, width, []], name);
    }
  }
  assert.deepEqual(problems, []);
  await page.close();
});

test('code runs from left to right, also where a browser has translated the page into Arabic', async () => {
  const { page } = await visit('sign-silence-loop.html');
  const ends = await page.evaluate(() => {
    document.documentElement.dir = 'rtl';
    const code = document.querySelector('pre code')!;
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    const first = walker.nextNode() as Text;
    const place = document.createRange();
    place.setStart(first, 0);
    place.setEnd(first, 1);
    const { left } = code.parentElement!.getBoundingClientRect();
    return [place.toString(), place.getBoundingClientRect().left - left < 40];
  });
  assert.deepEqual(ends, ['<', true]);
  await page.close();
});

for (const name of ['index.html', 'sign-silence-loop.html', 'errors.html', 'protocol.html']) {
  test(`axe finds no violation on ${name}, and no low contrast in the dark scheme`, async () => {
    const { page } = await visit(name);
    await page.evaluate(axe);
    const found: string[] = [];
    for (const [value, rules] of [
      ['light', {}],
      ['dark', { runOnly: ['color-contrast'] }],
    ] as const) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
      const { violations } = await page.evaluate(
        (options) => (globalThis as WithAxe).axe.run(options),
        rules,
      );
      found.push(
        ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${value}: ${id}: ${html}`)),
      );
    }
    assert.deepEqual(found, []);
    await page.close();
  });
}

test('Tab goes to every link, field and block of code, and each shows a focus ring', async () => {
  const { page } = await visit('sign-silence-loop.html');
  const wanted = await page.$$eval('a[href], input, [tabindex="0"]', (all) => all.length);
  const reached = new Set<string>();
  for (;;) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const { activeElement: element } = document;
      const all = [...document.querySelectorAll('a[href], input, [tabindex="0"]')];
      const { outlineStyle } = getComputedStyle(element!);
      return { index: all.indexOf(element!), ring: outlineStyle !== 'none' };
    });
    if (at.index < 0 || reached.has(String(at.index))) break;
    assert.ok(at.ring, `no ring: number ${at.index}`);
    reached.add(String(at.index));
  }
  assert.equal(reached.size, wanted);
  await page.close();
});

test('the search finds a section by its words, and Enter on a result goes there', async () => {
  const { page, problems } = await visit('index.html');
  await page.type('#words', 'origin_refused');
  await page.waitForSelector('#found a');
  assert.match(await page.$eval('#count', ({ textContent }) => textContent ?? ''), /^\d+ sections? found/);
  await page.focus('#found a');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  const shown = await page.evaluate(() => document.querySelector(':target')?.parentElement?.textContent);
  assert.match(shown ?? '', /origin_refused/);
  assert.deepEqual(problems, []);
  await page.close();
});

test('the search shows first the sections that have the words side by side, with or without hyphens', async () => {
  const { page } = await visit('index.html');
  for (const [words, text] of [
    ['picture in picture', /picture-in-picture/i],
    ['data-sign skip', /data-sign-skip/],
    ['shortcode', /WordPress/],
  ] as const) {
    await page.$eval('#words', (field) => ((field as HTMLInputElement).value = ''));
    await page.type('#words', words);
    await page.waitForFunction(
      (pattern, flags) =>
        new RegExp(pattern, flags).test(document.querySelector('#found li')?.textContent ?? ''),
      {},
      text.source,
      text.flags,
    );
  }
  await page.close();
});

test('without scripts a page has its text, its tables and the list of all pages, and the search is not shown', async () => {
  const page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  await page.goto(`http://127.0.0.1:${port}/sign-translate.html`);
  const shown = await page.evaluate(() => ({
    rows: document.querySelectorAll('#attributes ~ table tbody tr').length,
    pages: document.querySelectorAll('#pages a').length,
    search: document.querySelector('search')!.checkVisibility(),
    note: document.querySelector('.note')!.checkVisibility(),
  }));
  assert.ok(shown.rows > 100, String(shown.rows));
  assert.equal(shown.pages, pages.length);
  assert.deepEqual([shown.search, shown.note], [false, true]);
  await page.close();
});

test('every element has each member that a `<video>` has in this browser, or docs/elements.md says that it has not', async () => {
  const { page } = await visit('index.html');
  const members = await page.evaluate(() =>
    [HTMLMediaElement, HTMLVideoElement].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)),
  );
  // Members of WebKit's own are in no standard, and the documents name the constants by one of them.
  const standard = members.filter((name) => !/^(webkit|constructor$|HAVE_|NETWORK_)/.test(name));
  assert.ok(standard.length > 50, String(standard.length));
  const said = readFileSync('docs/elements.md', 'utf8');
  const manifest = JSON.parse(readFileSync('custom-elements.json', 'utf8')) as {
    modules: { declarations: { tagName: string; members: { name: string }[] }[] }[];
  };
  for (const { tagName, members: own } of manifest.modules.flatMap(({ declarations }) => declarations)) {
    const known = new Set(own.map(({ name }) => name));
    const missing = standard.filter(
      (name) =>
        !known.has(name) && !said.includes(`\`${name}\``) && !said.includes(`\`${name.replace(/^on/, '')}\``),
    );
    assert.deepEqual(missing, [], tagName);
  }
  await page.close();
});
