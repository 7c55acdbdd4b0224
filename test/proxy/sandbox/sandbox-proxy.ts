// The proxy in front of the sandbox, with the system's clock: one sandbox for each test file, an account for each test.
import { after, type TestContext } from 'node:test';
import Fastify from 'fastify';
import { startSandbox, type Sandbox } from '../../../demo/sandbox/index.ts';
import { createSignProxy, readConfig } from '../../../proxy/index.ts';
import { proxyVariables } from '../../backend/proxy-variables.mjs';

type SandboxAccount = Awaited<ReturnType<Sandbox['openAccount']>>;

let started: Promise<Sandbox> | null = null;
after(async () => (await started)?.close());

/** `prefix` is where the proxy's routes begin. */
export async function sandboxProxy(
  t: TestContext,
  env: NodeJS.ProcessEnv = {},
): Promise<{ sandbox: SandboxAccount; prefix: string }> {
  started ??= startSandbox({ seed: 1, render: { framesPerWord: 2, scale: 0.25 } });
  const sandbox = await (await started).openAccount();
  const proxy = createSignProxy(readConfig({ ...proxyVariables(sandbox.addresses), ...env }));
  const app = Fastify();
  await app.register(proxy.plugin);
  const prefix = `${await app.listen({ host: '127.0.0.1', port: 0 })}/sign`;
  t.after(async () => {
    // Fastify's close() would wait for a connection that fetch() has opened in advance.
    app.server.closeAllConnections();
    await app.close();
    await sandbox.close();
  });
  return { sandbox, prefix };
}

export async function postJson(url: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
