// The proxy as a whole: a Fastify plugin, a request handler for other Node servers, or a server of its own.
// - Closing drains the relays first, because Node waits for open sockets without a limit.
// - Secrets can be replaced while the proxy runs; everything else in the configuration cannot.
// - The handler answers a request or passes it to the host, never half of each, and passes no error to the host.
//   Frameworks that strip their mount path from `url` keep the whole in `originalUrl`; routing uses that.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync } from 'fastify';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { credentialsOf } from './credentials/credentials.ts';
import { createMetrics } from './metrics.ts';
import { OwnServers } from './own-servers.ts';
import { type Mounted, mountRoutes } from './plugin.ts';
import { createDrain } from './relay/drain.ts';
import { type Resolve, resolveName } from './routes/name-lookups.ts';
import { createUpgrades } from './upgrades.ts';

export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

export interface SignProxy {
  /**
   * Mounts the proxy on a Fastify instance: its routes under `config.path`, `/healthz`, `/readyz` and `/metrics` at the
   * root unless the host has them already, and the upgrade of `{path}/ws/` on the instance's server. Either mount it on
   * one instance, or use `handler`, or call listen().
   */
  readonly plugin: FastifyPluginAsync;
  /**
   * Answers a request of any Node server, also as middleware (Express). With `next`, requests outside `config.path`
   * are passed to it; without, every request is answered, `/healthz`, `/readyz` and `/metrics` included. Bodies that
   * the host has parsed are taken from `request.body`. Logs go to stderr. Call attach() as well, for the WebSockets.
   */
  readonly handler: NodeHandler;
  /**
   * Accepts upgrades of `{path}/ws/` on a server that uses `handler`. They pass through the server's request listeners
   * like other requests; upgrades of other paths are left to the server's other listeners.
   */
  attach(server: Server): void;
  /**
   * Listens on `config.host` and `config.port`, and on `config.operationsPort` if it is set; resolves with the address as a URL
   * without a path.
   */
  listen(): Promise<string>;
  /**
   * Replaces the secrets by those of `config`, without closing a socket: new sockets and requests use the new API
   * key, the new operator token replaces the old one at once, a new client secret fetches a new access token.
   * The sites of SIGN_SITES are replaced as a whole; sockets stay with the site that they were opened on. Everything
   * else in `config` is ignored. A new Redis URL needs a restart.
   */
  reload(config: Config): void;
  /**
   * Answers `/readyz` with 503, serves on for `config.drainDelay` seconds, closes every socket with 1012 and refuses
   * new ones, then stops listening where listen() was called. Takes at most 5 s for sockets that do not answer and
   * 10 s for pending requests.
   */
  close(): Promise<void>;
}

/** `clock` and `resolve` are for tests. */
export function createSignProxy(
  config: Config,
  clock: Clock = systemClock,
  resolve: Resolve = resolveName,
): SignProxy {
  const credentials = credentialsOf(config);
  const drain = createDrain(clock);
  const metrics = createMetrics();
  const upgrades = createUpgrades(`${config.path}/ws/`);
  let log: FastifyBaseLogger | null = null;
  let mounted: Mounted | null = null;
  /** The latest. They may be reloaded while the routes are mounted, which waits up to a second for Redis. */
  let { sites } = config;

  const plugin: FastifyPluginAsync = async (app) => {
    log = app.log;
    if (config.wsUrl !== null) upgrades.listen(app.server);
    app.addHook('onClose', async () => upgrades.close());
    const { operations } = servers;
    const deps = { config, clock, credentials, drain, metrics, resolve, upgrades, operations };
    mounted = await mountRoutes(app, deps);
    if (sites !== config.sites) mounted.replaceSites(sites);
  };
  const { redactor } = credentials;
  const servers = new OwnServers({ config, sites: () => sites, clock, redactor, drain, metrics, plugin });

  const replaceSites = (next: Config): void => {
    const before = new Map(sites.map((config) => [config.site, config]));
    const changed = namesOf(
      next.sites.filter((config) => !isDeepStrictEqual(before.get(config.site), config)),
    );
    ({ sites } = next);
    mounted?.replaceSites(sites);
    log?.info({ sites: namesOf(sites), changed }, 'sites read anew');
  };

  return {
    plugin,
    handler: nodeHandler(() => servers.pages, config.path),
    attach: (server) => upgrades.listen(server),
    listen: () => servers.listen(),
    reload(next) {
      const replaced = credentials.replace(next);
      log?.info({ replaced }, 'secrets read anew');
      if (config.sites.length > 0 && next.sites.length > 0) replaceSites(next);
      else if (config.sites.length !== next.sites.length)
        log?.warn('SIGN_SITES counts from the next start on');
      if (replaced.includes('SIGN_REDIS_URL')) log?.warn('SIGN_REDIS_URL counts from the next start on');
      // A failure is logged by accessTokens(), and the next request tries again.
      if (replaced.includes('SIGN_CLIENT_SECRET')) mounted?.renewToken().catch(() => undefined);
    },
    async close() {
      drain.announce();
      if (config.drainDelay > 0 && !drain.begun) {
        await new Promise<void>((over) => void clock.after(config.drainDelay * 1000, over));
      }
      await drain.begin();
      await servers.close();
    },
  };
}

const namesOf = (sites: readonly Config[]): readonly string[] => sites.map(({ site }) => site);

/** What host frameworks add to a request. */
interface HostRequest extends IncomingMessage {
  readonly originalUrl?: unknown;
}

/** `appOf` is called at the first request: a proxy that is mounted as a plugin needs no server of its own. */
function nodeHandler(appOf: () => FastifyInstance, path: string): NodeHandler {
  return (request: HostRequest, response, next) => {
    const url = typeof request.originalUrl === 'string' ? request.originalUrl : (request.url ?? '/');
    const [route = ''] = url.split('?', 1);
    if (next && route !== path && !route.startsWith(`${path}/`)) return next();
    request.url = url;
    const app = appOf();
    app.ready().then(
      () => app.routing(request, response),
      (error: unknown) => {
        app.log.error({ error: String(error) }, 'the proxy cannot start');
        response.writeHead(500).end();
      },
    );
  };
}
