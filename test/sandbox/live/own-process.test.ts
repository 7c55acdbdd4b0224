// A busy child process of the sandbox whose parent is killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../../until.ts';

const module = new URL('../../../demo/sandbox/live/own-process.ts', import.meta.url).href;
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

/** Whether there is such a process that is more than a name. */
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
