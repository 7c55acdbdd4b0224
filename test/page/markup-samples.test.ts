// Each sample of markup in the documents plays a signer without an error, on a page of its own.
// - The addresses of the samples are replaced by those of this test, hashes by those of the build, and the content that `for`
//   names is added.
// - Not here: markup that a reader removes (docs/moving.md), prepared editions (static-edition.test.ts), and live players
//   (pages.test.ts, event.test.ts).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after } from 'node:test';
import { ofLanguage, place, type Sample } from '../docs/samples.ts';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;
const hashes = (await (await fetch(`${proxy}/integrity.json`)).json()) as Record<string, string>;
const [hashed] = Object.keys(hashes).filter((name) => !name.includes('classic'));
site.scripts.set(
  '/cache/all-scripts.js',
  `var before = 1;\n${readFileSync('dist/cdn/sign-elements.classic.js', 'utf8')}`,
);

/** The page of a sample, with the parts that the sample leaves out. */
function pageOf({ code }: Sample): string {
  const html = code
    .replaceAll('https://signs.example.org/sign', proxy)
    .replaceAll('src="/sign/', `src="${proxy}/`)
    .replace('http://127.0.0.1:8787/sign', proxy)
    .replace('elements-0123456789ab.js', hashed!)
    .replace('sha384-…', hashes[hashed!]!);
  const [, part] = /\bfor="([\w-]+)"/.exec(html) ?? [];
  const isThere = part === undefined || html.includes(`id="${part}"`);
  return [
    isThere ? '' : `<main id="${part}"><p>Snow falls.</p></main>`,
    html.includes('src=') ? '' : `<script type="module" src="${proxy}/elements.js"></script>`,
    html,
    /<sign-|data-for/.test(html) ? '' : '<sign-translate></sign-translate>',
  ].join('\n');
}

const ofPages = ofLanguage('html').filter(
  ({ code, given }) => given === '' && !/prepared=|<sign-live-player|<div vw/.test(code),
);

test('there are samples of each way to put a signer on a page', () => assert.ok(ofPages.length > 12));

for (const sample of ofPages) {
  test(`${place(sample)} signs`, async () => {
    const { page, problems } = await site.open(pageOf(sample));
    const tag = /^<(sign-announcement|sign-silence-loop)/.exec(sample.code)?.[1] ?? 'sign-translate';
    await page.waitForSelector(tag);
    if (await page.$(`${tag}[launcher]`)) {
      const launcher = await page.waitForSelector(`${tag} >>> .launcher`, { visible: true });
      await launcher!.press('Enter');
    }
    await page.waitForSelector(`${tag}:defined`);
    await page.evaluate(() => {
      const signer = document.querySelector('sign-translate');
      if (!signer) return;
      if (signer.for) signer.play().catch(() => {});
      else signer.sign('Snow falls.').catch(() => {});
    });
    await page.waitForFunction(
      (name) => document.querySelector<HTMLVideoElement>(name)!.currentTime > 0,
      {},
      tag,
    );
    assert.deepEqual(problems, []);
    // The browser remembers an open panel for the next page.
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });
}
