// What the image runs, without an engine: the built program where nothing may be written and no process started, as
// on a read-only root, and the health check word for word.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { stages } from './files.ts';

const MAIN = resolve(import.meta.dirname, '../../../dist/proxy/main.js');
/** Node's own permissions (the flag has two names): files may be read, and nothing else be done. */
const permission = ['--permission', '--experimental-permission'].find((flag) =>
  process.allowedNodeEnvironmentFlags.has(flag),
);

async function built(t: TestContext) {
  assert.ok(permission, 'this Node can hold a program to what it may do');
  const child = spawn(process.execPath, [permission, '--allow-fs-read=*', MAIN], {
    env: { PORT: '0', SIGN_API_URL: 'http://127.0.0.1:1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error(stderr))),
  ])) as [string];
  const address = new URL(/http:\S+$/.exec(line)?.[0] ?? '');
  return { child, exited, address, stderr: () => stderr };
}

/** Exit code of the image's HEALTHCHECK against a port. */
async function health(port: string): Promise<number | null> {
  const { rest = '' } =
    stages()
      .at(-1)
      ?.find(({ name }) => name === 'HEALTHCHECK') ?? {};
  const [, ...args] = JSON.parse(rest.slice(rest.indexOf('['))) as string[];
  const child = spawn(process.execPath, args, { env: { PORT: port }, stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

test('the program serves, tells its health and metrics, and drains without writing a file', async (t) => {
  const { child, exited, address, stderr } = await built(t);
  for (const path of ['/healthz', '/metrics', '/sign/elements.js']) {
    assert.equal((await fetch(address.origin + path)).status, 200, path);
  }
  assert.equal(await health(address.port), 0);
  child.kill('SIGTERM');
  assert.equal(await exited, 0, stderr());
  assert.doesNotMatch(stderr(), /ERR_ACCESS_DENIED|EROFS|"level":[56]0/);
  assert.equal(await health(address.port), 1);
});
