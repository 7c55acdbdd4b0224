// One test for a whole table: every case is checked, and a failure names each case that failed.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';

const LONGEST_NAME = 200;

/** Runs `check` for one case after the other. */
export async function eachCase<Case>(cases: Iterable<Case>, check: (one: Case) => unknown): Promise<void> {
  const failures: string[] = [];
  let count = 0;
  for (const one of cases) {
    count += 1;
    try {
      await check(one);
    } catch (error) {
      const name = inspect(one, { breakLength: Infinity, maxStringLength: 100 }).slice(0, LONGEST_NAME);
      failures.push(`${name}\n${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  assert.ok(count > 0, 'no case');
  assert.equal(failures.length, 0, failures.join('\n\n'));
}
