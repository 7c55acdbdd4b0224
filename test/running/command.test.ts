// How the test run reports a command.
import assert from 'node:assert/strict';
import test from 'node:test';
import { run } from './command.mjs';

const node = (program: string, env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, ['-e', program], { env });

test('a command that succeeds has no problem', async () => {
  assert.equal(await node('console.log("fine")'), null);
});

test('a command that fails is reported with its exit and both output streams', async () => {
  const told = await node('console.log("before"); console.error("why"); process.exitCode = 3');
  assert.match(told ?? '', /^ended with exit code 3\n/);
  assert.match(told ?? '', /before/);
  assert.match(told ?? '', /why/);
});

test('a command that cannot be started is a problem', async () => {
  assert.match((await run('./no-such-program', [])) ?? '', /ENOENT/);
});

test('a command gets our environment with its own variables added', async () => {
  const asked = 'process.exitCode = process.env.PATH && process.env.WORD === "a" ? 0 : 1';
  assert.equal(await node(asked, { WORD: 'a' }), null);
  assert.match((await node(asked)) ?? '', /exit code 1/);
});
