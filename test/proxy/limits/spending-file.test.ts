// How SIGN_SPENDING_FILE is written. What it keeps is in ../spending.test.ts.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { SpendingFile } from '../../../proxy/limits/spending-file.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { manualClock } from '../manual-clock.ts';

const DAY = '2026-11-23';
const log = { warn: () => undefined };

const contentOf = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

test('requests are served without waiting until the file is written', async () => {
  const folder = temporaryFolder();
  const [path, released] = [join(folder, 'spending.json'), join(folder, 'released')];
  // A pipe in place of a disk that takes nothing. Its reader begins when the test tells it to, or after ten seconds.
  execFileSync('mkfifo', [`${path}.new`]);
  const reader = spawn('bash', ['-c', 'read -t 10; touch "$1"; cat "$2"', 'reader', released, `${path}.new`]);
  const clock = manualClock();
  const file = new SpendingFile(path, { clock, log });
  file.set('a', DAY, 'seconds', 5);
  clock.advance(1_000);
  assert.equal(existsSync(released), false, 'nothing has waited for the disk');
  reader.stdin.end('\n');
  const [content] = (await once(reader.stdout, 'data')) as [Buffer];
  assert.deepEqual(JSON.parse(content.toString()), { a: { [DAY]: { seconds: 5 } } });
  // A pipe cannot be flushed, so this writing failed.
  rmSync(`${path}.new`);
  await file.close();
  assert.deepEqual(contentOf(path), { a: { [DAY]: { seconds: 5 } } });
});

for (const [what, error, make] of [
  ['a folder', 'EISDIR', mkdirSync],
  ['no JSON', 'SyntaxError', (path: string) => writeFileSync(path, '{"a')],
] as const)
  test(`the log says ${error} where the file is ${what}, and nothing of the file`, () => {
    const path = join(temporaryFolder(), 'spending.json');
    make(path);
    const fields: unknown[] = [];
    new SpendingFile(path, {
      clock: manualClock(),
      log: { warn: (each: unknown) => void fields.push(each) },
    });
    assert.deepEqual(fields, [{ error }]);
  });

test('the sums of today are kept over a restart also when the clock was days ahead before', async () => {
  const path = join(temporaryFolder(), 'spending.json');
  const start = () => new SpendingFile(path, { clock: manualClock(), log });
  const ahead = start();
  for (const day of ['2036-02-01', '2036-02-02', '2036-02-03', '2036-02-04'])
    ahead.set('a', day, 'seconds', 1);
  await ahead.close();
  const today = start();
  today.set('a', DAY, 'seconds', 5);
  today.set('a', DAY, 'characters', 6);
  await today.close();
  const next = start();
  assert.deepEqual([next.sum('a', DAY, 'seconds'), next.sum('a', DAY, 'characters')], [5, 6]);
});

test('the sums of a site of any name are kept', async () => {
  const path = join(temporaryFolder(), 'spending.json');
  const start = () => new SpendingFile(path, { clock: manualClock(), log });
  const names = ['__proto__', 'constructor', 'a.b-c'];
  const first = start();
  for (const name of names) first.set(name, DAY, 'seconds', 5);
  await first.close();
  const next = start();
  assert.deepEqual(
    names.map((name) => next.sum(name, DAY, 'seconds')),
    [5, 5, 5],
  );
});

for (const isClosed of [false, true]) {
  test(`sums that could not be written are written ${isClosed ? 'at the close' : 'a second later'}, although nothing more is spent`, async () => {
    const folder = join(temporaryFolder(), 'not-there-yet');
    const path = join(folder, 'spending.json');
    const clock = manualClock();
    let warnings = 0;
    const file = new SpendingFile(path, { clock, log: { warn: () => (warnings += 1) } });
    file.set('a', DAY, 'seconds', 5);
    clock.advance(1_000);
    await until(async () => warnings === 1);
    mkdirSync(folder);
    if (isClosed) await file.close();
    else {
      await until(async () => clock.pending === 1);
      clock.advance(1_000);
      await until(async () => existsSync(path));
      await file.close();
    }
    assert.deepEqual(contentOf(path), { a: { [DAY]: { seconds: 5 } } });
    assert.deepEqual([warnings, clock.pending], [1, 0]);
  });
}

test('closing waits two seconds for a disk that does not answer, and the log says what is lost', async () => {
  const path = join(temporaryFolder(), 'spending.json');
  execFileSync('mkfifo', [`${path}.new`]);
  const clock = manualClock();
  const warnings: unknown[] = [];
  const file = new SpendingFile(path, { clock, log: { warn: (what: unknown) => warnings.push(what) } });
  file.set('a', DAY, 'seconds', 5);
  const closed = file.close();
  clock.advance(2_000);
  await closed;
  assert.deepEqual(warnings, ['the sums of what is spent are not written: the disk does not answer']);
  // This process would wait for the pipe when it ends.
  await readFile(`${path}.new`);
});

test('seconds that are spent while the file is written at the close are written too', async () => {
  const path = join(temporaryFolder(), 'spending.json');
  const clock = manualClock();
  const file = new SpendingFile(path, { clock, log });
  file.set('a', DAY, 'seconds', 5);
  const closed = file.close();
  // The writing has begun, and takes a turn of the event loop at least.
  await Promise.resolve();
  file.set('a', DAY, 'seconds', 6);
  await closed;
  assert.deepEqual(contentOf(path), { a: { [DAY]: { seconds: 6 } } });
  assert.equal(clock.pending, 0);
});
