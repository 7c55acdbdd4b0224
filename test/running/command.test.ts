// How the test run reports a command.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { run } from './command.mjs';

const node = (program: string, env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, ['-e', program], { env });

test('a command that succeeds has no problem', async () => {
  assert.equal(await node('console.log("fine")'), null);
});

test('a command that fails is reported with its exit and both output streams', async () => {
  const problem = await node('console.log("before"); console.error("why"); process.exitCode = 3');
  assert.match(problem ?? '', /^ended with exit code 3\n/);
  assert.match(problem ?? '', /before/);
  assert.match(problem ?? '', /why/);
});

test('a command that cannot be started is a problem', async () => {
  assert.match((await run('./no-such-program', [])) ?? '', /ENOENT/);
});

test('a command gets our environment with its own variables added', async () => {
  const asked = 'process.exitCode = process.env.PATH && process.env.WORD === "a" ? 0 : 1';
  assert.equal(await node(asked, { WORD: 'a' }), null);
  assert.match((await node(asked)) ?? '', /exit code 1/);
});

/** Whether a process runs; false for one that has ended and is still listed until its parent learns of it. */
const runs = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length > 0;
  } catch {
    return false;
  }
};

test('a process that a command leaves running in a process group of its own is ended with the command', async () => {
  const stays = "'-e', 'setInterval(() => {}, 1e6)'";
  const left = `spawn(process.execPath, [${stays}], { detached: true, stdio: 'inherit' })`;
  const problem = await node(
    `const { spawn } = require('child_process'); console.log('left', ${left}.pid); process.exit(1)`,
  );
  const [, pid] = /left (\d+)/.exec(problem ?? '') ?? [];
  assert.ok(pid, String(problem));
  await until(() => !runs(Number(pid)));
});

test('when a run is ended, the processes that its commands started in groups of their own are ended too', async () => {
  const folder = temporaryFolder();
  const [file, module] = [join(folder, 'pid'), new URL('command.mjs', import.meta.url).href];
  const stays = "['-e', 'setInterval(() => {}, 1e6)']";
  const command = `const left = require('child_process').spawn(process.execPath, ${stays}, { detached: true });
    require('fs').writeFileSync(${JSON.stringify(file)}, left.pid + ' ');`;
  const program = `import { run } from ${JSON.stringify(module)};
    await run(process.execPath, ['-e', ${JSON.stringify(command)}]);`;
  const runner = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
  const exited = once(runner, 'exit');
  const pid = Number(await until(() => existsSync(file) && /^(\d+) $/.exec(readFileSync(file, 'utf8'))?.[1]));
  assert.ok(runs(pid));
  runner.kill('SIGTERM');
  assert.deepEqual(await exited, [1, null]);
  await until(() => !runs(pid));
});
