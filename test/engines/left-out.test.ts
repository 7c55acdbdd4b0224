// Which browser tests another browser leaves out, and that it runs all others.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { pageFiles } from '../running/compile-pages.mjs';
import { judge, leavesOut, leftOut } from './left-out.mjs';

const engines = Object.keys(leftOut) as (keyof typeof leftOut)[];
const rows = engines.flatMap((engine) => leftOut[engine].map((row) => ({ engine, ...row })));

/** Whether a file has a test of this title. A `${…}` in a title, and the text between two of them, match any text. */
function hasTest(source: string, title: string): boolean {
  const titles = [...source.matchAll(/\bit\(\s*(?:'([^']*)'|`([^`]*)`)/g)].map(
    (found) => found[1] ?? found[2]!,
  );
  return titles.some((one) => {
    const [first, ...rest] = one.split(/\$\{[^}]*\}/);
    return rest.length === 0 ? title === one : title.startsWith(first!) && title.endsWith(rest.at(-1)!);
  });
}

test('every test that a browser leaves out exists, is listed once, and has its reason and the number of the bug', () => {
  for (const { engine, file, tests, reason, bug } of rows) {
    const where = `${engine}: ${file}`;
    assert.ok(pageFiles().includes(`test/${file}.browser.ts`), `${where} is no file`);
    const source = readFileSync(`test/${file}.browser.ts`, 'utf8');
    assert.notEqual(tests.length, 0, where);
    for (const title of tests) {
      assert.ok(hasTest(source, title), `${where}: ${title}`);
      const same = rows.filter(
        (row) => row.engine === engine && row.file === file && row.tests.includes(title),
      );
      assert.equal(same.length, 1, `${where}: ${title}`);
    }
    assert.match(reason, /\w+ \w+ \w+/, where);
    assert.match(bug, /^https:\/\/[\w./-]+(\?id=|\/)\d+$/, where);
  }
});

test('each configuration takes every file, and leaves out the tests of its browser', () => {
  for (const engine of engines) {
    const config = readFileSync(new URL(`${engine}.config.mjs`, import.meta.url), 'utf8');
    assert.match(config, /files: pagesOf\(allFiles\),/, engine);
    assert.equal(config.includes(`leavesOut('${engine}')`), leftOut[engine].length > 0, engine);
  }
});

test('the tests that are left out of a file are skipped, and its other tests are not', () => {
  const { file, tests } = leftOut.webkit[0]!;
  const body = `it(${JSON.stringify(tests[0])}, 1); it('another one', 2);`;
  const calls: unknown[] = [];
  const it = Object.assign((...call: unknown[]) => calls.push(['run', ...call]), {
    skip: (...call: unknown[]) => calls.push(['skip', ...call]),
  });
  const plugin = leavesOut('webkit');
  for (const path of [`/test/${file}.browser.ts`, `/.build/pages/test/${file}.browser.js`]) {
    calls.length = 0;
    const changed = plugin.transform({ path, body });
    assert.ok(changed !== undefined && !changed.includes('\n'));
    runInNewContext(changed, { window: { it } });
    assert.deepEqual(calls, [
      ['skip', tests[0], 1],
      ['run', 'another one', 2],
    ]);
  }
  assert.equal(plugin.transform({ path: '/test/engines/abilities.browser.ts', body }), undefined);
});

test('a test that is left out is no failure while it is pending, and a failure when it is not', () => {
  const named = leftOut.webkit.flatMap(({ file, tests }) =>
    tests.map((name) => ({ suite: `test/${file}.browser.ts`, name })),
  );
  const skipped = { failure: 'the test is skipped', ms: 0 };
  const pending = named.map((one) => ({ ...one, ...skipped }));
  const passing = { suite: 'test/a.browser.ts', name: 'passes', failure: null, ms: 1 };
  assert.deepEqual(judge('webkit', [passing, ...pending]), { passed: [passing], failed: [], pending });
  const other = { suite: 'test/a.browser.ts', name: 'skipped by itself', ...skipped };
  const [first, ...rest] = pending;
  assert.deepEqual(judge('webkit', [other, ...rest]), {
    passed: [],
    failed: [other, { ...named[0], failure: 'is left out in left-out.mjs, and is no pending test' }],
    pending: rest,
  });
  assert.ok(first);
});
