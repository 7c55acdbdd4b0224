// The backend inside web-test-runner: it lives as long as the runner's server, and test pages reach it at `/backend/…` of
// their own origin. `GET addresses` and `GET sockets` tell, `POST faults` and `POST limits` set (a list of faults; limits
// on top of the service's defaults). client.ts is the pages' side of it.
import { json } from 'node:stream/consumers';

export function runnerBackend(pageOrigin) {
  let backend;
  let defaults;
  const routes = {
    'GET /backend/addresses': () => backend.addresses,
    'GET /backend/sockets': () => backend.sandbox.openSockets,
    'POST /backend/faults': (faults) => void backend.sandbox.setFaults(faults),
    'POST /backend/limits': (limits) => void backend.sandbox.setLimits({ ...defaults, ...limits }),
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
      context.body = {
        value: route(context.method === 'POST' ? await json(context.req) : undefined) ?? null,
      };
    },
  };
}
