// The documentation as any web server serves it, below a path: every page on a phone, with scripts and without, each link of a
// page, the search, the keyboard, and the examples with a proxy and without one.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import test, { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import { startBackend } from '../backend/backend.mjs';
import { openBrowser } from '../browser/open-browser.ts';
import { listen } from '../listening.ts';

const base = '/help/signing/';
const folder = 'dist/docs';
const names = readdirSync(folder).filter((name) => name.endsWith('.html'));
const withExample = names.filter((name) => readFileSync(join(folder, name), 'utf8').includes('class="live"'));
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
};

/** Files that the owner of the site has written in place of files of the build. */
const replaced = new Map<string, string>();

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url!, 'http://site');
  const name = pathname.slice(base.length) || 'index.html';
  const isThere = pathname.startsWith(base) && existsSync(join(folder, name));
  if (!isThere) return void response.writeHead(404, { 'content-type': 'text/html' }).end('Not found');
  const body = replaced.get(name) ?? readFileSync(join(folder, name));
  response.writeHead(200, { 'content-type': types[extname(name)] }).end(body);
});
const origin = `http://127.0.0.1:${await listen(server)}`;
const backend = await startBackend([origin]);
const browser = await openBrowser();
after(async () => {
  await browser.close();
  await backend.close();
  server.close();
  server.closeAllConnections();
});

/** A page of the browser as a phone, and its problems: messages of the console and missing answers. */
async function openPhone(scripts = true): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage();
  await page.setViewport({ width: 360, height: 740, isMobile: true, hasTouch: true });
  await page.setJavaScriptEnabled(scripts);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => problems.push(`${page.url()}: ${message.text()}`));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  return { page, problems };
}

test('every page is complete on a phone: nothing is missing, nothing is on the console, and nothing is beyond the edge', async () => {
  const { page, problems } = await openPhone();
  for (const name of names) {
    await page.goto(`${origin}${base}${name}`);
    const across = await page.$eval(':root', ({ scrollWidth }) => scrollWidth);
    assert.equal(across, 360, name);
  }
  assert.deepEqual(problems, []);
  await page.close();
});

test('on paper every page has all of its text and samples, and no menu or search', async () => {
  const { page } = await openPhone();
  // The width of A4 within the usual margins.
  await page.setViewport({ width: 718, height: 1000 });
  for (const name of names) {
    let seen;
    // The browser sometimes forgets that the page is for print, so each page is switched to print until it is looked at there.
    do {
      await page.emulateMediaType('screen');
      await page.goto(`${origin}${base}${name}`);
      await page.emulateMediaType('print');
      seen = await page.evaluate(() => ({
        isOnPaper: matchMedia('print').matches,
        // The scroll bar of a box is not on paper.
        cutOff: [...document.querySelectorAll('body, main, pre, table')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ localName, textContent }) => `${localName}: ${textContent.slice(0, 60)}`),
        menus: [...document.querySelectorAll('nav, search, .menu')].filter((one) => one.checkVisibility())
          .length,
      }));
    } while (!seen.isOnPaper);
    assert.deepEqual(seen, { isOnPaper: true, cutOff: [], menus: 0 }, name);
  }
  await page.close();
});

test('with scripts off every page is complete, and each of its links within the site leads to an existing place', async () => {
  const { page, problems } = await openPhone(false);
  const places = new Set<string>();
  const links: { from: string; href: string }[] = [];
  for (const name of names) {
    const address = `${origin}${base}${name}`;
    await page.goto(address);
    const { title, listed, ids, hrefs } = await page.evaluate(() => ({
      title: document.querySelector('h1')?.checkVisibility(),
      listed: document.querySelectorAll('#pages a').length,
      ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
      hrefs: [...document.querySelectorAll('a')].map(({ href }) => href),
    }));
    assert.deepEqual([title, listed], [true, names.length], name);
    for (const place of [address, ...ids.map((id) => `${address}#${id}`)]) places.add(place);
    const within = hrefs.filter((href) => href.startsWith(`${origin}/`));
    links.push(...within.map((href) => ({ from: name, href: decodeURI(href) })));
  }
  for (const name of readdirSync(folder)) places.add(`${origin}${base}${name}`);
  assert.ok(links.length > 500, String(links.length));
  assert.deepEqual(
    links.filter(({ href }) => !places.has(href)),
    [],
  );
  assert.deepEqual(problems, []);
  await page.close();
});

test('by keyboard alone the search finds a section, and its page opens at that section', async () => {
  const { page, problems } = await openPhone();
  await page.goto(`${origin}${base}`);
  const focused = (): Promise<string> => page.evaluate(() => document.activeElement!.id);
  for (let presses = 0; presses < 9 && (await focused()) !== 'words'; presses += 1)
    await page.keyboard.press('Tab');
  await page.keyboard.type('proxy_unreachable');
  await page.waitForSelector('#found a');
  await page.keyboard.press('Tab');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  assert.ok(page.url().startsWith(`${origin}${base}`), page.url());
  const shown = await page.evaluate(() => document.querySelector(':target')?.parentElement?.textContent);
  assert.match(shown ?? '', /proxy_unreachable/);
  assert.deepEqual(problems, []);
  await page.close();
});

test('without a proxy each example says what it needs, and offers nothing that does not work', async () => {
  const { page, problems } = await openPhone();
  assert.equal(withExample.length, 4);
  for (const name of withExample) {
    // A request that should not be made would be made before the network is idle.
    await page.goto(`${origin}${base}${name}`, { waitUntil: 'networkidle0' });
    const seen = await page.$$eval('.live', (examples) =>
      examples.map((one) => [
        (one as HTMLElement).innerText.split('\n')[0],
        one.querySelectorAll('button').length,
      ]),
    );
    const note = 'This example needs scripts and a sign proxy. npm start has both.';
    assert.deepEqual(seen, [[note, 0]], name);
  }
  assert.deepEqual(problems, []);
  await page.close();
});

test('with a proxy of another origin in examples.json the example of a text signs it', async () => {
  const { page, problems } = await openPhone();
  replaced.set('examples.json', JSON.stringify({ elements: `${backend.addresses.proxy}/elements.js` }));
  await page.goto(`${origin}${base}sign-translate.html`);
  await page.waitForSelector('.live sign-translate:defined');
  assert.equal(await page.$eval('.note', (note) => note.checkVisibility()), false);
  await page.locator('.live sign-translate >>> [part~=start]').click();
  await page.waitForSelector('.live sign-translate:state(signing)');
  assert.deepEqual(problems, []);
  await page.close();
});
