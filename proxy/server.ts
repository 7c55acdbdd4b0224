// Joins the parts of the proxy: on a Fastify instance of the host's (plugin) or on one of its own (listen). Policy: all
// that the plugin sets is encapsulated, so a host's own routes, errors and unknown paths stay as they are; closing the
// instance drains the relays first, because Node would wait for their sockets for ever.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { accessTokens } from './access-token.ts';
import { clientAddresses } from './client-address.ts';
import { clientRate } from './client-rate.ts';
import { systemClock, type Clock } from './clock.ts';
import { secretsOf, type Config } from './config.ts';
import { createDrain } from './drain.ts';
import { readElementFiles } from './element-files.ts';
import { takeJsonOnly } from './json-body.ts';
import { operatorWith } from './operator.ts';
import { originRule } from './origins.ts';
import { ownServer } from './own-server.ts';
import { commonHeaders, replyWithProblem, requestId } from './problem-reply.ts';
import { resolveName, type Resolve } from './public-hosts.ts';
import { announcementRoutes } from './routes/announcements.ts';
import { elementRoutes } from './routes/elements.ts';
import { healthRoutes } from './routes/health.ts';
import { liveRoutes } from './routes/live.ts';
import { guardPages } from './routes/pages.ts';
import { translationRoutes } from './routes/translation.ts';
import { wsRoute } from './routes/ws.ts';
import { secretFilter } from './secret-filter.ts';
import { upgradeDoor } from './upgrade-door.ts';
import { upstreamAt } from './upstream.ts';
import { upstreamCheck } from './upstream-check.ts';

/** What a request that is under way when the proxy closes has left. */
const LAST_REQUEST_MS = 10_000;

export interface SignProxy {
  /**
   * Mounts the proxy on a Fastify instance: its routes under `config.path`, `/healthz` and `/readyz` at the root, and
   * the upgrade of `{path}/ws/` on the instance's server. Mount it on one instance, or call listen().
   */
  readonly plugin: FastifyPluginAsync;
  /** Listens on `config.host` and `config.port`; resolves with the address as a URL without a path. */
  listen(): Promise<string>;
  /**
   * Closes every socket with 1012 and refuses new ones, then stops listening where listen() was called. Takes at most
   * 5 s for sockets that do not answer and 10 s for requests under way.
   */
  close(): Promise<void>;
}

/** `clock` and `resolve` are for tests. */
export function createSignProxy(
  config: Config,
  clock: Clock = systemClock,
  resolve: Resolve = resolveName,
): SignProxy {
  const drain = createDrain();
  const clients = clientAddresses(config.trustProxy);
  const secrets = secretFilter(secretsOf(config));
  let own: FastifyInstance | null = null;

  const plugin: FastifyPluginAsync = async (app) => {
    const { wsUrl } = config;
    const isUpstreamThere = wsUrl === null ? null : upstreamCheck(wsUrl, clock);
    const files = readElementFiles(config.elementsDir);
    if (files.size === 0) {
      app.log.warn(
        { directory: config.elementsDir },
        'no built elements: elements.js answers 404 until a build',
      );
    }
    app.setGenReqId(requestId);
    app.setErrorHandler(replyWithProblem);
    app.addHook('onRequest', async (request, reply) => void reply.headers(commonHeaders(request)));
    app.addHook('preClose', () => drain.begin());

    await app.register(async (scope) =>
      healthRoutes(scope, { isDraining: () => drain.begun, isUpstreamThere }),
    );
    await app.register(async (scope) => elementRoutes(scope, files), { prefix: config.path });
    await app.register(
      async (scope) => {
        guardPages(scope, {
          judge: originRule(config.allowedOrigins, clients),
          clients,
          rate: clientRate(config.requestsPerMinute, clock),
        });
        takeJsonOnly(scope);
        const { apiUrl } = config;
        if (apiUrl !== null) {
          const upstream = upstreamAt(apiUrl, clock);
          scope.addHook('onClose', async () => upstream.close());
          const operator = operatorWith(config.operatorToken);
          const parts = { ...config, apiUrl, clients, operator, resolve, secrets, upstream };
          translationRoutes(scope, parts);
          liveRoutes(scope, parts);
        }
        const { transport } = config;
        if (transport !== null) {
          const auth = upstreamAt(transport.authUrl, clock);
          const upstream = upstreamAt(transport.url, clock);
          scope.addHook('onClose', async () => [auth, upstream].forEach((each) => each.close()));
          const tokens = accessTokens({ transport, upstream: auth, clock, log: app.log });
          announcementRoutes(scope, {
            ...config,
            transportUrl: transport.url,
            clients,
            clock,
            secrets,
            tokens,
            upstream,
          });
        }
        if (wsUrl === null || isUpstreamThere === null) return;
        const door = upgradeDoor(app.server, `${config.path}/ws/`);
        scope.addHook('onClose', async () => door.close());
        wsRoute(scope, { ...config, wsUrl, clock, clients, drain, door, secrets, isUpstreamThere });
      },
      { prefix: config.path },
    );
  };

  return {
    plugin,
    async listen() {
      own = ownServer((line) => secrets.text(line));
      await own.register(plugin);
      await own.listen({ host: config.host, port: config.port });
      const { address, family, port } = own.server.address() as AddressInfo;
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    },
    async close() {
      await drain.begin();
      if (own === null) return;
      const { server } = own;
      const stopWaiting = clock.after(LAST_REQUEST_MS, () => server.closeAllConnections());
      await own.close();
      stopWaiting();
    },
  };
}
