// The real proxy in front of the real sandbox, on loopback, for tests from the session to the service.
// - One sandbox a file, because its encoders are slow to start.
// - Each test that needs a proxy has one of its own, and no fault of an earlier test is in force.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Sandbox } from '../../demo/sandbox/index.ts';
import { createSignProxy, readConfig } from '../../proxy/index.ts';
import { proxyVariables } from '../backend/proxy-variables.mjs';

interface RealProxy {
  /** Absolute prefix. */
  readonly prefix: string;
  /** Address of its socket. */
  readonly socketUrl: string;
  /** Replaces the faults in force. */
  fault(...faults: readonly object[]): Promise<void>;
}

/** `env` replaces variables of the proxy. */
export async function realProxy(
  t: TestContext,
  { addresses }: Sandbox,
  env: Record<string, string> = {},
): Promise<RealProxy> {
  const proxy = createSignProxy(readConfig({ ...proxyVariables(addresses), ...env }));
  const origin = await proxy.listen();
  const fault = async (...faults: readonly object[]): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(faults);
    const answer = await fetch(addresses.controlUrl, { method: 'POST', headers, body });
    assert.equal(answer.ok, true, await answer.text());
  };
  t.after(async () => {
    try {
      await fault();
    } finally {
      await proxy.close();
    }
  });
  return { prefix: `${origin}/sign`, socketUrl: `${origin.replace('http', 'ws')}/sign/ws/`, fault };
}
