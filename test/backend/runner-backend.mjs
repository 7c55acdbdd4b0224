// The backend inside web-test-runner: it lives as long as the runner's server, and test pages reach it at `/backend/…` of
// their own origin. `GET addresses` and `GET sockets` tell, `POST faults` and `POST limits` set (a list of faults; limits
// on top of the service's defaults), `POST operate` asks the service what only an operator may. client.ts is the pages'
// side of it.
import { json } from 'node:stream/consumers';

export function runnerBackend(pageOrigin) {
  let backend;
  let defaults;
  const operate = async ({ method, path, body }) => {
    const { apiUrl, apiKey } = backend.sandbox.addresses;
    const headers = { 'X-API-KEY': apiKey, ...(body && { 'Content-Type': 'application/json' }) };
    const response = await fetch(apiUrl + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const routes = {
    'GET /backend/addresses': () => backend.addresses,
    'GET /backend/sockets': () => backend.sandbox.openSockets,
    'POST /backend/faults': (faults) => void backend.sandbox.setFaults(faults),
    'POST /backend/limits': (limits) => void backend.sandbox.setLimits({ ...defaults, ...limits }),
    'POST /backend/operate': operate,
  };
  return {
    plugin: {
      name: 'backend',
      async serverStart() {
        // Not imported before: the runner reads this file even where nothing is built yet.
        ({ defaultLimits: defaults } = await import('../../dist/sandbox/index.js'));
        const { startBackend } = await import('./backend.mjs');
        backend = await startBackend([pageOrigin]);
      },
      serverStop: () => backend?.close(),
    },
    async middleware(context, next) {
      const route = routes[`${context.method} ${context.path}`];
      if (!route) return next();
      const value = await route(context.method === 'POST' ? await json(context.req) : undefined);
      context.body = { value: value ?? null };
    },
  };
}
