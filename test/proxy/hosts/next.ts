// The proxy in a custom server of Next 16, with its development server and the socket by which its pages reload.
// - `npm run test:next` runs it, and `npm test` does not, because Next would be a quarter of what `npm ci` installs and compiles
//   for seconds.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
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
import { obtainPackages } from '../../npm/obtain-packages.mjs';

const versions = { next: '16.4.5', react: '19.3.1', 'react-dom': '19.3.1' };

async function hosted(t: TestContext): Promise<HostedProxy & { readonly origin: string }> {
  const upstream = await repeatingUpstream(t);
  // Next writes into its folder, and looks for packages above it.
  const dir = mkdtempSync(join(obtainPackages('next', versions, console.error), 'app-'));
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
