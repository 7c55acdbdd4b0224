// The real proxy in front of the real sandbox, on loopback, for tests from the session to the service.
// - One sandbox a file, because its encoders are slow to start.
// - Each test that needs one has its own proxy; no fault of an earlier test is in force then.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Sandbox } from '../../demo/sandbox/index.ts';
import { createSignProxy, readConfig } from '../../proxy/index.ts';

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
  const proxy = createSignProxy(
    readConfig({
      PORT: '0',
      SIGN_API_URL: addresses.apiUrl,
      SIGN_WS_URL: addresses.wsUrl,
      SIGN_API_KEY: addresses.apiKey,
      SIGN_TRANSPORT_URL: addresses.transportUrl,
      SIGN_AUTH_URL: addresses.authUrl,
      SIGN_CLIENT_ID: addresses.clientId,
      SIGN_CLIENT_SECRET: addresses.clientSecret,
      ...env,
    }),
  );
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
