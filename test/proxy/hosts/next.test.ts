// The proxy in a custom server of Next 16, with its development server and the socket by which its pages reload.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  ask,
  carriesBodies,
  carriesFrames,
  closesAlone,
  firstMessage,
  KEY,
  refusesByItself,
  repeatingUpstream,
  type HostedProxy,
} from './hosted-proxy.ts';

async function hosted(t: TestContext): Promise<HostedProxy & { readonly origin: string }> {
  const upstream = await repeatingUpstream(t);
  // Next writes into its folder, and looks for packages above it.
  mkdirSync('.build', { recursive: true });
  const dir = resolve(mkdtempSync(join('.build', 'next-host-')));
  cpSync(join(import.meta.dirname, 'next-app'), dir, { recursive: true });
  const host = fork(join(import.meta.dirname, 'next-host.ts'), [dir], {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: '1',
      SIGN_API_URL: upstream.url,
      SIGN_API_KEY: KEY,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  for (const stream of [host.stdout, host.stderr])
    stream?.on('data', (chunk: Buffer) => (said += String(chunk)));
  const exited = once(host, 'exit');
  t.after(async () => {
    host.kill('SIGKILL');
    await exited;
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  const [origin] = (await Promise.race([
    once(host, 'message'),
    exited.then(() => Promise.reject(new Error(said))),
  ])) as [string];
  return { upstream, close: async () => void host.send('close'), origin };
}

test('Next still serves its pages and its reload socket, and the proxy works beside a page for every path', async (t) => {
  const application = await hosted(t);
  const { origin } = application;
  for (const path of ['/', '/healthz', '/signs']) {
    assert.match(await (await ask(origin + path)).text(), new RegExp(`Page of the host: .*${path}<`), path);
  }
  assert.match(await firstMessage(`${origin.replace('http', 'ws')}/_next/hmr?id=1`), /"type":/);
  await carriesBodies(origin, application);
  await carriesFrames(origin, application);
  await refusesByItself(origin);
  await closesAlone(origin, application);
});
