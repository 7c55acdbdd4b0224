// The services of the browser tests: the built sandbox and the built proxy on free ports of loopback.
// - Each test page can have an account of the sandbox and a proxy of its own, so that the faults, limits and sockets of one page
//   do not affect another.
// - There are also a proxy that refuses the test pages and an address where nothing listens.
// - The proxies' limits of one client are so high that no test reaches them, because all pages have one address.
import { createSignProxy, readConfig } from '../../dist/proxy/index.js';
import { startSandbox } from '../../dist/sandbox/index.js';
import { freePort } from './free-port.mjs';
import painting from './painting.mjs';
import { proxyVariables } from './proxy-variables.mjs';

const proxyFor = (addresses, origins) =>
  createSignProxy(
    readConfig({
      ...proxyVariables(addresses),
      SIGN_ALLOWED_ORIGINS: origins.join(','),
      SIGN_REQUESTS_PER_MINUTE: '100000',
      SIGN_GENERATES_PER_MINUTE: '100000',
      SIGN_MESSAGES_PER_MINUTE: '100000',
    }),
  );

/**
 * Starts everything.
 * @param pageOrigins origins whose pages the proxies serve.
 * @returns `addresses`: proxy prefixes `proxy`, `refusing` and `nobody`, and `media`, the origin of the clips; `sandbox`
 * as its own module gives it; `openPage()`: `addresses` with a proxy to an account of its own, that `account`, and `close()`;
 * `close()` of everything.
 */
export async function startBackend(pageOrigins) {
  const sandbox = await startSandbox({ render: painting });
  const refusingProxy = proxyFor(sandbox.addresses, ['https://elsewhere.example']);
  const shared = {
    refusing: `${await refusingProxy.listen()}/sign`,
    nobody: `http://127.0.0.1:${await freePort()}/sign`,
    media: new URL(sandbox.addresses.mediaUrl).origin,
  };
  const serve = async (account) => {
    const proxy = proxyFor(account.addresses, pageOrigins);
    const addresses = { proxy: `${await proxy.listen()}/sign`, ...shared };
    const close = async () => {
      await proxy.close();
      await account.close();
    };
    return { addresses, account, close };
  };
  const { addresses, close } = await serve(sandbox);
  return {
    addresses,
    sandbox,
    openPage: async () => serve(await sandbox.openAccount()),
    async close() {
      await refusingProxy.close();
      await close();
    },
  };
}
