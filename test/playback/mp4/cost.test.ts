// Files that are made to be expensive cost the reader less than a megabyte each, and less work than fits in 50 ms.
// - Memory is counted in a process of its own (cost.ts), work by what is read of the file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { Cost } from './cost.ts';

const MEGABYTE = 2 ** 20;
/** Reads of one word or byte; a slow machine makes 20 of them in a microsecond. */
const MAX_READS = 1_000_000;

const nursery = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=128'];
const program = ['--import', 'tsx', 'test/playback/mp4/cost.ts'];
const costs = JSON.parse(
  execFileSync(process.execPath, [...nursery, ...program], { encoding: 'utf8' }),
) as readonly Cost[];

test('every file was read', () => {
  assert.ok(costs.length >= 15, `${costs.length} clips`);
  assert.ok(
    costs.every(({ bytes }) => bytes > 0),
    'three readings of each were taken',
  );
});

for (const { name, outcome, bytes, reads } of costs) {
  test(`${name} gives a typed error for less than a megabyte and a million reads`, (t) => {
    t.diagnostic(`${outcome}; ${(bytes / 1024).toFixed(0)} kB, ${reads} reads`);
    assert.match(outcome, /^RemuxError (unsupported|malformed): /);
    assert.ok(bytes < MEGABYTE, `${bytes} bytes`);
    assert.ok(reads < MAX_READS, `${reads} reads`);
  });
}
