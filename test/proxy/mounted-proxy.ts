// The proxy on a host's Fastify instance that writes no log, in front of a fake service, with a manual clock.
import Fastify, { type FastifyInstance } from 'fastify';
import { createSignProxy, readConfig, type Config, type SignProxy } from '../../proxy/index.ts';
import type { Resolve } from '../../proxy/routes/name-lookups.ts';
import { recordSecrets } from '../secrets/recording.ts';
import { fakeUpstream, type FakeUpstream, type UpstreamSession } from './fake-upstream.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';
import { openClient, SESSION_START, type ClientSocket } from './client-socket.ts';

export const API_KEY = 'key-of-"the"/account+1';

export interface MountedProxy {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** Address of the relay, for a socket. */
  readonly address: string;
  readonly upstream: FakeUpstream;
  readonly clock: ManualClock;
  readonly app: FastifyInstance;
  readonly proxy: SignProxy;
  /** A client and the service's end of it. */
  pair(headers?: Record<string, string>): Promise<{ client: ClientSocket; session: UpstreamSession }>;
  /** The same, when the session.start has arrived at the service. */
  started(): Promise<{ client: ClientSocket; session: UpstreamSession }>;
}

export interface MountedProxyInit {
  readonly env?: NodeJS.ProcessEnv;
  readonly config?: Partial<Config>;
  /** Called before the proxy is mounted. */
  readonly host?: (app: FastifyInstance) => void;
  readonly app?: FastifyInstance;
  readonly clock?: ManualClock;
  /** Looks up the addresses of a name; by default no name has any. */
  readonly resolve?: Resolve;
}

const noNames: Resolve = async () => [];

/** It ends after the test, or with `{ after }` of node:test after the file. */
export async function mountedProxy(
  t: { after(done: () => Promise<void>): void },
  init: MountedProxyInit = {},
): Promise<MountedProxy> {
  const upstream = await fakeUpstream();
  const clock = init.clock ?? manualClock();
  const env = { SIGN_API_URL: upstream.url, SIGN_API_KEY: API_KEY, ...init.env };
  const config: Config = { ...readConfig(env), ...init.config };
  recordSecrets(config);
  const proxy = createSignProxy(config, clock, init.resolve ?? noNames);
  const app = init.app ?? Fastify();
  init.host?.(app);
  await app.register(proxy.plugin);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const address = `${origin.replace('http', 'ws')}/sign/ws/`;
  const clients: ClientSocket[] = [];
  t.after(async () => {
    for (const client of clients) client.socket.terminate();
    await upstream.close();
    // Fastify's close() would wait for the POST of a client that found the proxy.
    clock.advance(2_000);
    // Fastify's close() would wait for a connection that fetch() has opened in advance.
    app.server.closeAllConnections();
    await app.close();
  });

  const pair: MountedProxy['pair'] = async (headers) => {
    const client = await openClient(address, headers);
    clients.push(client);
    return { client, session: await upstream.sessions.next() };
  };
  return {
    origin,
    address,
    upstream,
    clock,
    app,
    proxy,
    pair,
    async started() {
      const both = await pair();
      both.client.socket.send(SESSION_START);
      await both.session.frames.next();
      return both;
    },
  };
}
