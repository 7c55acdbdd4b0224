// How SIGN_SPENDING_FILE is written; what it keeps is in ../spending.test.ts.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { spendingFile } from '../../../proxy/limits/spending-file.ts';
import { manualClock } from '../manual-clock.ts';

test('what is served does not wait until the file is written', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sign-spending-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [path, released] = [join(folder, 'spending.json'), join(folder, 'released')];
  // A disk that takes nothing: a pipe, until somebody reads it. The reader begins when it is told to, or after ten seconds.
  execFileSync('mkfifo', [`${path}.new`]);
  const reader = spawn('bash', ['-c', 'read -t 10; touch "$1"; cat "$2"', 'reader', released, `${path}.new`]);
  const clock = manualClock();
  const file = spendingFile(path, { clock, log: { warn: () => undefined } });
  file.set('a', '2026-11-23', 'seconds', 5);
  clock.advance(1_000);
  assert.equal(existsSync(released), false, 'nothing has waited for the disk');
  reader.stdin.end('\n');
  const [content] = (await once(reader.stdout, 'data')) as [Buffer];
  assert.deepEqual(JSON.parse(content.toString()), { a: { '2026-11-23': { seconds: 5 } } });
  await file.close();
});
