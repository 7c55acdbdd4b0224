// `npm start`: the sandbox, the proxy, the demo pages and the documentation in one process.
// - The pages are served like those of a real site, under the strict policy of docs/security-policy.md. The proxy gets the
//   sandbox's addresses in place of the service's.
// - HOST and PORT say where the server listens. The defaults are 127.0.0.1 and 8787. When PORT is not set and 8787 is taken, a
//   free port is used.
// - Of the sandbox only the media server listens on HOST; the rest stays on loopback.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import Fastify from 'fastify';
import { createSignProxy, readConfig } from '../proxy/index.ts';
import { eventRoutes } from './event-source/event-routes.ts';
import { LiveEvent } from './event-source/live-event.ts';
import { faultRoutes } from './fault-routes.ts';
import { renderOptionsFrom, startSandbox } from './sandbox/index.ts';

const host = process.env.HOST || '127.0.0.1';
const requestedPort = process.env.PORT || undefined;
/** The token for the operator's page; a new one is made at each start. */
const operatorToken = `sandbox-operator-${randomBytes(8).toString('hex')}`;
/** The address by which the service on this machine reaches a server that listens on `host`. */
const ownHost = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;

const render = renderOptionsFrom(process.env);
const sandbox = await startSandbox({ host, render });
const { mediaUrl, controlUrl, ...service } = sandbox.addresses;
const proxy = createSignProxy(
  readConfig({
    SIGN_API_URL: service.apiUrl,
    SIGN_WS_URL: service.wsUrl,
    SIGN_API_KEY: service.apiKey,
    SIGN_TRANSPORT_URL: service.transportUrl,
    SIGN_AUTH_URL: service.authUrl,
    SIGN_CLIENT_ID: service.clientId,
    SIGN_CLIENT_SECRET: service.clientSecret,
    SIGN_OPERATOR_TOKEN: operatorToken,
    // The sandbox may then pull an event from this machine.
    SIGN_ALLOWED_HOSTS: [...new Set(['127.0.0.1', ownHost])].join(),
  }),
);

const media = new URL(mediaUrl).origin;
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  `connect-src 'self' ${media}`,
  `media-src blob: ${media}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const site = Fastify();
const event = new LiveEvent({
  address: () => {
    const { port } = site.server.address() as AddressInfo;
    return `http://${ownHost.includes(':') ? `[${ownHost}]` : ownHost}:${port}`;
  },
  sessionsPath: '/sign/v2/live/sessions',
  operatorToken,
  stamp: render.stamp,
});
site.addHook('onSend', async (_request, reply) => {
  reply.header('content-security-policy', policy).header('x-content-type-options', 'nosniff');
});
await site.register(proxy.plugin);
await site.register(faultRoutes(controlUrl, host));
await site.register(eventRoutes(event));
await site.register(fastifyStatic, { root: fileURLToPath(new URL('./pages/', import.meta.url)) });
await site.register(fastifyStatic, {
  root: fileURLToPath(new URL('../docs/', import.meta.url)),
  prefix: '/docs',
  redirect: true,
  decorateReply: false,
});
site.get('/docs/examples.json', () => ({ elements: '/sign/elements.js' }));
await site.register(fastifyStatic, {
  root: dirname(fileURLToPath(import.meta.resolve('hls.js'))),
  prefix: '/hls.js/',
  decorateReply: false,
});

/** The address that people open. */
async function listen(): Promise<string> {
  try {
    return await site.listen({ host, port: Number(requestedPort ?? 8787) });
  } catch (error) {
    if (requestedPort || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return site.listen({ host, port: 0 });
  }
}

async function stop(): Promise<void> {
  await event.close();
  await proxy.close();
  await site.close();
  await sandbox.close();
  process.exit(0);
}

await listen().then(
  (address) => {
    console.log(`Sign Elements with its sandbox: ${address}`);
    console.log(`Token for the operator's page: ${operatorToken}`);
  },
  (error: unknown) => {
    console.error(`HOST=${host} PORT=${requestedPort ?? 8787}: ${(error as Error).message}`);
    process.exit(1);
  },
);
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
