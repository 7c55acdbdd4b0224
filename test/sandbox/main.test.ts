// `npm run sandbox` as a process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { V3Client } from './v3/socket.ts';

/** The built program where SANDBOX_BUILD names a build, else the source. */
const { SANDBOX_BUILD: build } = process.env;
const COMMAND = build
  ? [join(build, 'main.js')]
  : ['--import', 'tsx', fileURLToPath(new URL('../../demo/sandbox/main.ts', import.meta.url))];

function run(t: TestContext, env: Record<string, string>) {
  const child = spawn(process.execPath, COMMAND, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`the first line of the program has its addresses, and it exits 0 on ${signal}, also with open sockets`, async (t) => {
    const child = run(t, { PORT: '0', SANDBOX_SEED: '3' });
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const addresses = JSON.parse(line) as Record<string, string>;
    assert.deepEqual(Object.keys(addresses), [
      'apiUrl',
      'wsUrl',
      'apiKey',
      'transportUrl',
      'authUrl',
      'clientId',
      'clientSecret',
      'mediaUrl',
      'controlUrl',
    ]);
    const client = await new V3Client(addresses['wsUrl']!).opened();
    assert.equal((await client.start().next()).type, 'session.ready');
    const exited = once(child, 'exit');
    child.kill(signal);
    assert.deepEqual(await exited, [0, null]);
  });
}

for (const [name, value] of [
  ['PORT', '70000'],
  ['PORT', 'http'],
  ['SANDBOX_SEED', '1.5'],
  ['SANDBOX_FRAMES_PER_WORD', '26'],
  ['SANDBOX_SCALE', '0.2'],
  ['SANDBOX_LIVE_LATENCY', '61'],
] as const) {
  test(`with ${name}=${value} the program exits 2 and names the variable`, async (t) => {
    const child = run(t, { [name]: value });
    let said = '';
    child.stderr.on('data', (data: Buffer) => (said += data.toString()));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 2);
    assert.match(said, new RegExp(name));
  });
}
