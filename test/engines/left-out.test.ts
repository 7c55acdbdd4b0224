// Which browser tests another browser leaves out.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pageFiles } from '../running/compile-pages.mjs';
import { filesFor, leftOut } from './left-out.mjs';

const engines = Object.entries(leftOut);

test('the browsers are Firefox, WebKit and an older Chromium', () => {
  assert.deepEqual(Object.keys(leftOut).sort(), ['firefox', 'older', 'webkit']);
});

test('every file that a browser leaves out is there, and has its reason and the number of the bug', () => {
  for (const [engine, files] of engines)
    for (const [name, { reason, bug }] of Object.entries(files)) {
      const where = `${engine}: ${name}`;
      assert.ok(pageFiles().includes(`test/${name}.browser.ts`), `${where} is no file`);
      assert.match(reason, /\w+ \w+ \w+/, where);
      assert.match(
        bug,
        /^https:\/\/(bugs\.webkit\.org|bugzilla\.mozilla\.org)\/show_bug\.cgi\?id=\d+$|^none: \w+ \w+ \w+/,
        where,
      );
    }
});

test('a browser runs every file that is not left out', () => {
  for (const [engine, files] of engines) {
    assert.equal(filesFor(engine).length + Object.keys(files).length, pageFiles().length, engine);
    const config = readFileSync(new URL(`${engine}.config.mjs`, import.meta.url), 'utf8');
    assert.ok(config.includes(`files: pagesOf(filesFor('${engine}', allFiles))`), engine);
  }
});
