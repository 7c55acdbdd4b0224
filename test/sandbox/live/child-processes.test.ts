// The sandbox's child processes: one whose parent is killed, and one that takes too much memory.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { boundMemory } from '../../../demo/sandbox/live/child-processes.ts';
import { until } from '../../until.ts';

const module = new URL('../../../demo/sandbox/live/child-processes.ts', import.meta.url).href;
const tsx = import.meta.resolve('tsx');

const busy = `
  import { endWithParent } from ${JSON.stringify(module)};
  endWithParent();
  process.send('busy');
  setImmediate(() => { for (;;); });
`;
const parent = `
  import { spawn } from 'node:child_process';
  const flags = ['--import', ${JSON.stringify(tsx)}, '--input-type=module', '--eval', ${JSON.stringify(busy)}];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.on('message', () => process.send(child.pid));
`;

/** Whether this process exists and is not a zombie. */
function lives(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !/\) Z /.test(readFileSync(file, 'latin1'));
}

test('a busy process ends when its parent is killed', async (t) => {
  const flags = ['--input-type=module', '--eval', parent];
  const starter = spawn(process.execPath, flags, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  t.after(() => starter.kill('SIGKILL'));
  const [pid] = (await once(starter, 'message')) as [number];
  t.after(() => {
    if (lives(pid)) process.kill(pid, 'SIGKILL');
  });
  assert.ok(lives(pid), 'it is busy');
  starter.kill('SIGKILL');
  await until(() => !lives(pid));
});

test('a process that exceeds its memory limit is reported once, within a quarter of a second', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let bytes = 1_000_000_000;
  let reports = 0;
  boundMemory(
    () => (reports += 1),
    () => bytes,
  );
  t.mock.timers.tick(1000);
  assert.equal(reports, 0);
  bytes += 1;
  t.mock.timers.tick(250);
  assert.equal(reports, 1);
  t.mock.timers.tick(1000);
  assert.equal(reports, 1);
});
