// That what is put behind the others is there with all that it starts, and the others are not.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { getPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { BEHIND, putBehind } from './behind.mjs';

const SESSION = '/proc/self/autogroup';
/** Tells its own priority and its session's. */
const telling = `
  const [{ existsSync, readFileSync }, { getPriority }] = [require('node:fs'), require('node:os')];
  const session = existsSync('${SESSION}') ? readFileSync('${SESSION}', 'utf8').trim() : 'none';
  console.log('priority ' + getPriority() + ', session ' + session);
`;
/** Starts that, once its parent lets it continue. */
const starting = `
  process.stdin.once('data', () => {
    require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(telling)}], { stdio: 'inherit' });
    process.exit();
  });
`;

/** What is told in a session of its own that `put` was done to. */
async function toldAfter(put: (pid: number) => void): Promise<string> {
  const child = spawn(process.execPath, ['-e', starting], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  put(child.pid!);
  child.stdin.end('on');
  return text(child.stdout);
}

test('what a process of low priority starts later has low priority too, and so has its session where Linux weighs sessions', async () => {
  const told = await toldAfter(putBehind);
  assert.match(told, new RegExp(`^priority ${Math.max(BEHIND, getPriority())},`));
  if (existsSync(SESSION)) assert.match(told, new RegExp(`session .* nice ${BEHIND}$`, 'm'));
});

test('any other process has the priority of the whole run', async () => {
  assert.match(
    await toldAfter(() => {}),
    new RegExp(`^priority ${getPriority()}, session (none|.* nice 0)$`, 'm'),
  );
});

test('a process that has ended causes no error', () => {
  assert.doesNotThrow(() => putBehind(2 ** 30));
});
