// What three checkers find in the elements, state by state: axe, IBM's engine (rules of WCAG 2.2) and HTML_CodeSniffer (WCAG 2.1
// AA).
// - HTML_CodeSniffer reads no shadow roots, so it gets the page with their content in their place.
// - IBM's engine reads no ElementInternals: of an element without `controls` it says that a Tab stop has no role. It has one.
// - A page of a site is around the elements, with landmarks, because IBM's rules ask for them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import { openSite } from './site.ts';
import { press } from './press-button.ts';

const site = await openSite();
after(() => site.close());
const script = `<script type="module" src="${site.backend.addresses.proxy}/elements.js"></script>`;
for (const [path, file] of [
  ['/axe.js', 'axe-core/axe.min.js'],
  ['/ibm.js', 'accessibility-checker-engine/ace-window.js'],
  ['/sniffer.js', 'html_codesniffer/build/HTMLCS.js'],
] as const)
  site.scripts.set(path, readFileSync(`node_modules/${file}`, 'utf8'));
const checkers = ['axe', 'ibm', 'sniffer'].map((name) => `<script src="/${name}.js"></script>`).join('');

interface Checkers {
  readonly axe: {
    run(page: Document): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
  };
  readonly ace_ibma: {
    readonly Checker: new () => {
      check(
        page: Document,
        rules: string[],
      ): Promise<{
        results: { ruleId: string; value: [string, string]; message: string; snippet: string }[];
      }>;
    };
  };
  readonly HTMLCS: {
    process(standard: string, page: Element, done: () => void, failed: () => void): void;
    getMessages(): { type: number; code: string; msg: string; element: Element }[];
  };
}

/** Findings of each checker, in words. */
const findings = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { axe, ace_ibma: ibm, HTMLCS } = globalThis as unknown as Checkers;
    const found: string[] = [];
    const { violations } = await axe.run(document);
    for (const { id, nodes } of violations) found.push(...nodes.map(({ html }) => `axe ${id}: ${html}`));
    const { results } = await new ibm.Checker().check(document, ['IBM_Accessibility', 'WCAG_2_2']);
    for (const { ruleId, value, message, snippet } of results)
      if (value[1] === 'FAIL' && !(ruleId === 'element_tabbable_role_valid' && snippet.startsWith('<sign-')))
        found.push(`IBM ${value[0]} ${ruleId}: ${message} ${snippet}`);
    const flat = document.body.cloneNode(true) as HTMLElement;
    const hosts = [...document.querySelectorAll('*')].filter(({ shadowRoot }) => shadowRoot);
    const copies = [...flat.querySelectorAll('*')];
    const all = [...document.body.querySelectorAll('*')];
    for (const host of hosts) {
      const copy = copies[all.indexOf(host)]!;
      copy.append(...[...host.shadowRoot!.childNodes].map((node) => node.cloneNode(true)));
    }
    flat.querySelectorAll('script').forEach((one) => one.remove());
    const page = document.createElement('html');
    page.lang = 'en';
    page.append(document.head.cloneNode(true), flat);
    await new Promise<void>((resolve) => HTMLCS.process('WCAG2AA', page, resolve, resolve));
    for (const { type, code, msg, element } of HTMLCS.getMessages())
      if (type === 1) found.push(`HTMLCS ${code}: ${msg} ${element.outerHTML.slice(0, 200)}`);
    return found;
  });

async function open(elements: string): Promise<Page> {
  const { page } = await site.open(`<head><title>Opening times</title>${checkers}</head><body>
    <main id="main"><h1>Opening times</h1><p>We open at nine. We close at six. Come and see.</p></main>
    <aside aria-labelledby="beside"><h2 id="beside">Sign language</h2>${elements}</aside>${script}</body>`);
  await page.waitForFunction(() => customElements.get('sign-translate'));
  await page.evaluate('globalThis.__name = (named) => named');
  return page;
}

const reader = 'for="main" resolution="480p" idle-after="none"';
const every = 'controls="play stop previous next seek speed caption mute pip fullscreen queue"';

test('no checker finds anything in the four elements before they are used, with and without controls', async () => {
  for (const controls of ['', 'controls']) {
    const page = await open(
      `<sign-translate ${reader} ${controls}></sign-translate><sign-live-player ${controls}></sign-live-player>
       <sign-silence-loop ${controls}></sign-silence-loop><sign-announcement ${controls}></sign-announcement>`,
    );
    if (controls) await page.waitForSelector('sign-announcement >>> [part~=toggle]');
    assert.deepEqual(await findings(page), [], controls);
    await page.close();
  }
});

test('no checker finds anything while a page is read, with its list, the text, another speed, and after its end', async () => {
  const page = await open(`<sign-translate ${reader} ${every}></sign-translate>`);
  await page.evaluate(() => {
    const signer = document.querySelector('sign-translate')!;
    signer.playbackRate = 0.5;
    signer.addEventListener('sign-start', () => signer.pause(), { once: true });
  });
  await press(page, 'start');
  await page.waitForSelector('sign-translate >>> [part~=report]:not([disabled])');
  await press(page, 'queue');
  await press(page, 'caption');
  await page.waitForSelector('sign-translate >>> li');
  assert.deepEqual(await findings(page), [], 'while it is read');
  await page.evaluate(async () => {
    const signer = document.querySelector('sign-translate')!;
    signer.playbackRate = 2;
    const last = new Promise<void>((resolve) => {
      signer.addEventListener('sign-end', ({ detail }) => detail.text === 'Come and see.' && resolve());
    });
    void signer.play();
    await last;
    await signer.updateComplete;
  });
  assert.deepEqual(await findings(page), [], 'after its end');
  await page.close();
});

test('no checker finds anything in an error, in a panel, minimised, and closed to its launcher', async () => {
  const page = await open(
    `<sign-translate text="Hello" signer="JAY" language="BSL" controls></sign-translate>
     <sign-announcement placement="bottom-right" remember="none" launcher controls></sign-announcement>`,
  );
  await page.waitForSelector('sign-translate >>> [part~=message]');
  const launcher = await page.waitForSelector('sign-announcement >>> [part~=launcher]');
  assert.deepEqual(await findings(page), [], 'closed');
  await launcher!.click();
  await page.waitForSelector('sign-announcement >>> [part~=toggle]', { visible: true });
  assert.deepEqual(await findings(page), [], 'open');
  const minimise = await page.waitForSelector('sign-announcement >>> [part~=minimise]');
  await minimise!.click();
  assert.deepEqual(await findings(page), [], 'minimised');
  await page.close();
});
