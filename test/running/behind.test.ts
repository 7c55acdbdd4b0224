// Processes of low priority: `putBehind` lowers one process and all that it starts, and no other process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { getPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { BEHIND, putBehind } from './behind.mjs';

const SESSION = '/proc/self/autogroup';
/** Prints its own priority and that of its session. */
const printing = `
  const [{ existsSync, readFileSync }, { getPriority }] = [require('node:fs'), require('node:os')];
  const session = existsSync('${SESSION}') ? readFileSync('${SESSION}', 'utf8').trim() : 'none';
  console.log('priority ' + getPriority() + ', session ' + session);
`;
/** Starts the program above as soon as its parent writes to it. */
const starting = `
  process.stdin.once('data', () => {
    require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(printing)}], { stdio: 'inherit' });
    process.exit();
  });
`;

/** The output of a grandchild after `put` was called with the id of its parent, which leads a session of its own. */
async function printedAfter(put: (pid: number) => void): Promise<string> {
  const child = spawn(process.execPath, ['-e', starting], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  put(child.pid!);
  child.stdin.end('on');
  return text(child.stdout);
}

test('a process that a process of low priority starts later has low priority too, and so has its session where Linux weighs sessions', async () => {
  const printed = await printedAfter(putBehind);
  assert.match(printed, new RegExp(`^priority ${Math.max(BEHIND, getPriority())},`));
  if (existsSync(SESSION)) assert.match(printed, new RegExp(`session .* nice ${BEHIND}$`, 'm'));
});

test('any other process has the priority of the whole run', async () => {
  assert.match(
    await printedAfter(() => {}),
    new RegExp(`^priority ${getPriority()}, session (none|.* nice 0)$`, 'm'),
  );
});

test('a process that has ended causes no error', () => {
  assert.doesNotThrow(() => putBehind(2 ** 30));
});
