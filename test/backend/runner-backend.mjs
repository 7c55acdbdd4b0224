// The backend inside web-test-runner: it runs as long as the runner's server, and test pages reach it at `/backend/…` of
// their own origin. client.ts is the client for the pages.
// - Every page has an account of the sandbox and a proxy of its own: pages can run side by side. `page` in the query names the
//   page. Its account and proxy are opened at its first request and closed when the results of its file are reported.
// - `GET addresses` and `GET sockets` read, `POST faults` and `POST limits` set (a list of faults; limits on top of the
//   service's defaults), `POST operate` sends the service a request of an operator.
import { json } from 'node:stream/consumers';

const operate = async ({ addresses: { apiUrl, apiKey } }, { method, path, body }) => {
  const headers = { 'X-API-KEY': apiKey, ...(body && { 'Content-Type': 'application/json' }) };
  const response = await fetch(apiUrl + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.json();
};

export function runnerBackend(pageOrigin) {
  let backend;
  let defaults;
  /** Accounts and proxies, as promises, by the id of the page's session in the runner. */
  const pages = new Map();
  const routes = {
    'GET /backend/addresses': ({ addresses }) => addresses,
    'GET /backend/sockets': ({ account }) => account.openSockets,
    'POST /backend/faults': ({ account }, faults) => void account.setFaults(faults),
    'POST /backend/limits': ({ account }, limits) => void account.setLimits({ ...defaults, ...limits }),
    'POST /backend/operate': ({ account }, asked) => operate(account, asked),
  };
  const close = async (id) => {
    const page = pages.get(id);
    pages.delete(id);
    await (await page)?.close();
  };
  return {
    plugin: {
      name: 'backend',
      async serverStart() {
        // Imported here, because the runner reads this file even where nothing is built yet.
        ({ defaultLimits: defaults } = await import('../../dist/sandbox/index.js'));
        const { startBackend } = await import('./backend.mjs');
        backend = await startBackend([pageOrigin]);
      },
      async serverStop() {
        await Promise.all([...pages.keys()].map(close));
        await backend?.close();
      },
    },
    reporter: {
      reportTestFileResults({ sessionsForTestFile }) {
        for (const { id } of sessionsForTestFile) void close(id);
      },
    },
    async middleware(context, next) {
      const route = routes[`${context.method} ${context.path}`];
      if (!route) return next();
      const { page: id } = context.query;
      if (!pages.has(id)) pages.set(id, backend.openPage());
      const page = await pages.get(id);
      const value = await route(page, context.method === 'POST' ? await json(context.req) : undefined);
      context.body = { value: value ?? null };
    },
  };
}
