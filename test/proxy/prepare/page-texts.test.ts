// What sign-prepare reads of a page, in Node. The browser reads the same pages in page-texts.browser.ts.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readTexts } from '../../../proxy/prepare/page-texts.ts';
import { isAllowed } from '../../../proxy/prepare/robots.ts';
import { textKey } from '../../../src/protocol/prepared-manifest.ts';
import { pages } from './pages.ts';

const read = (html: string, sheets: Readonly<Record<string, string>> = {}, target = null) =>
  readTexts(
    { url: 'https://site.example/a/', html },
    { target, glossary: null, loadStyle: (url) => Promise.resolve(sheets[url] ?? null) },
  );

for (const { name, html, texts } of pages) {
  test(`sign-prepare reads ${name} as a browser does`, async () => {
    assert.deepEqual(await read(`<!doctype html><html lang="en"><body>${html}</body></html>`), texts);
  });
}

test('a style sheet of the page hides texts, and a style sheet that does not load is left out', async () => {
  const html =
    '<link rel="stylesheet" href="../s.css"><link rel=stylesheet href=none.css><p class="off">No.</p><p>Yes.</p>';
  assert.deepEqual(await read(html, { 'https://site.example/s.css': '.off { display: none }' }), ['Yes.']);
});

test('rules in media queries hide texts, and those in comments hide none', async () => {
  const sheet = `
    /* .a { display: none } */
    @media screen { .x { color: red } .b { color: red; display: none } }
    .y { color: red }`;
  const html = '<style>' + sheet + '</style><p class="a x">A.</p><p class="b">B.</p><p class="y">D.</p>';
  assert.deepEqual(await read(html), ['A.', 'D.']);
});

test('the parts that the element of the page names are read, else the main part', async () => {
  assert.deepEqual(await read('<main>One.</main><footer>Two.</footer>'), ['One.']);
  const own = '<script data-for="f"></script><main>One.</main><footer id="f">Two.</footer>';
  assert.deepEqual(await read(own), ['Two.']);
});

test('scripts of a page are not run', async () => {
  assert.deepEqual(
    await read('<main><p>A.</p><script>document.querySelector("p").remove()</script></main>'),
    ['A.'],
  );
});

test('a text with other spaces, quotation marks or soft hyphens is the same text, and a text with other words is not', () => {
  const same = ['“It’s\u00a0here”', '"It\'s  here" ', '\u201eIt\u2019s he\u00adre\u201c'];
  assert.deepEqual([...new Set(same.map(textKey))], ['"It\'s here"']);
  assert.notEqual(textKey('It is here.'), textKey('it is here.'));
});

test('robots.txt is obeyed as RFC 9309 says', () => {
  const robots =
    'User-agent: other\nDisallow: /\n\nuser-agent: *\nDisallow: /a # no\nAllow: /a/b\nDisallow: /*.pdf$';
  const allowed = ['/', '/b', '/a/b/c', '/x.pdf?y'].filter((path) => isAllowed(robots, path));
  assert.deepEqual(allowed, ['/', '/b', '/a/b/c', '/x.pdf?y']);
  assert.deepEqual(
    ['/a', '/ab', '/x.pdf'].filter((path) => isAllowed(robots, path)),
    [],
  );
  assert.equal(isAllowed(`${robots}\nUser-agent: sign-prepare\nDisallow:`, '/a'), true);
});
