// What the browser tests talk to: the built sandbox and the built proxy, for real, on free ports of loopback. Policy: a
// proxy that serves the test page, one that refuses it, and an address where nobody listens; limits of one client are out
// of the way, because all tests share an address.
import { createSignProxy, readConfig } from '../../dist/proxy/index.js';
import { startSandbox } from '../../dist/sandbox/index.js';
import { freePort } from './free-port.mjs';

/**
 * Starts everything.
 * @param pageOrigins origins whose pages the proxy serves.
 * @returns `addresses`: proxy prefixes `proxy`, `refusing` and `nobody`, and `media`, the origin of the clips; `sandbox`
 * as its own module gives it; `close()`.
 */
export async function startBackend(pageOrigins) {
  const sandbox = await startSandbox({ render: { stamp: true } });
  const proxyFor = (origins) =>
    createSignProxy(
      readConfig({
        PORT: '0',
        SIGN_API_URL: sandbox.addresses.apiUrl,
        SIGN_WS_URL: sandbox.addresses.wsUrl,
        SIGN_API_KEY: sandbox.addresses.apiKey,
        SIGN_TRANSPORT_URL: sandbox.addresses.transportUrl,
        SIGN_AUTH_URL: sandbox.addresses.authUrl,
        SIGN_CLIENT_ID: sandbox.addresses.clientId,
        SIGN_CLIENT_SECRET: sandbox.addresses.clientSecret,
        SIGN_ALLOWED_ORIGINS: origins.join(','),
        SIGN_REQUESTS_PER_MINUTE: '100000',
        SIGN_MESSAGES_PER_MINUTE: '100000',
      }),
    );
  const proxies = [proxyFor(pageOrigins), proxyFor(['https://elsewhere.example'])];
  const [proxy, refusing] = await Promise.all(proxies.map((one) => one.listen()));
  return {
    addresses: {
      proxy: `${proxy}/sign`,
      refusing: `${refusing}/sign`,
      nobody: `http://127.0.0.1:${await freePort()}/sign`,
      media: new URL(sandbox.addresses.mediaUrl).origin,
    },
    sandbox,
    async close() {
      await Promise.all(proxies.map((one) => one.close()));
      await sandbox.close();
    },
  };
}
