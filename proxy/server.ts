// The proxy as one thing with its doors: a Fastify plugin, a Node handler, or a server of its own. Policy: closing drains
// the relays first, because Node would wait for their sockets for ever; secrets may be replaced while it runs, everything
// else of the configuration stays as it was at the start.
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync } from 'fastify';
import { systemClock, type Clock } from './clock.ts';
import type { Config } from './config.ts';
import { credentialsOf } from './credentials/credentials.ts';
import { createDrain } from './relay/drain.ts';
import { nodeHandler, takeBodiesOfHost, type NodeHandler } from './host-door.ts';
import { createMetrics } from './metrics.ts';
import { mountProxy } from './mounting.ts';
import { ownServer, warnOfOpenHost } from './own-server.ts';
import { resolveName, type Resolve } from './upstream/public-hosts.ts';
import { upgradeDoor, type Upgrade, type UpgradeDoor } from './upgrade-door.ts';

/** What a request that is under way when the proxy closes has left. */
const LAST_REQUEST_MS = 10_000;

export interface SignProxy {
  /**
   * Mounts the proxy on a Fastify instance: its routes under `config.path`, `/healthz`, `/readyz` and `/metrics` at the
   * root unless the host has them already, and the upgrade of `{path}/ws/` on the instance's server. Mount it on one
   * instance, or use `handler`, or call listen().
   */
  readonly plugin: FastifyPluginAsync;
  /**
   * Answers a request of any Node server, as middleware of Express and its kind too. With `next`, what is not under
   * `config.path` is left to it; without, everything is answered, `/healthz`, `/readyz` and `/metrics` included. Bodies
   * that the host has parsed already are taken from `request.body`. Logs go to stderr, as the program's do. Call
   * attach() as well, else pages have no socket.
   */
  readonly handler: NodeHandler;
  /**
   * Lets upgrades of `{path}/ws/` on a server that `handler` answers for in. They pass through the server's request
   * listeners like any other request; upgrades of other paths are left to the server's other listeners.
   */
  attach(server: Server): void;
  /** Listens on `config.host` and `config.port`; resolves with the address as a URL without a path. */
  listen(): Promise<string>;
  /**
   * Takes the secrets of `config` in place of its own and closes no socket for it: new sockets and requests use the new
   * API key, a new operator token counts at once and the old one no more, the access token is fetched anew with a new
   * client secret. Anything else in `config` is left unread. A new Redis URL needs a restart.
   */
  reload(config: Config): void;
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
  const credentials = credentialsOf(config);
  const drain = createDrain();
  const metrics = createMetrics();
  const doors: UpgradeDoor[] = [];
  const attach = (server: Server): void => void doors.push(upgradeDoor(server, `${config.path}/ws/`));
  const door: UpgradeDoor = {
    of: (request) => upgradeOf(request, doors),
    close: () => doors.splice(0).forEach((each) => each.close()),
  };
  let own: FastifyInstance | null = null;
  let log: FastifyBaseLogger | null = null;
  let renewToken = async (): Promise<void> => undefined;

  const plugin: FastifyPluginAsync = async (app) => {
    log = app.log;
    if (config.wsUrl !== null) attach(app.server);
    app.addHook('onClose', async () => door.close());
    renewToken = await mountProxy(app, { config, clock, credentials, door, drain, metrics, resolve });
  };

  const ownWithProxy = (): FastifyInstance => {
    if (own !== null) return own;
    own = ownServer(credentials.filter);
    takeBodiesOfHost(own);
    void own.register(plugin);
    return own;
  };

  return {
    plugin,
    handler: nodeHandler(ownWithProxy, config.path),
    attach,
    async listen() {
      const app = ownWithProxy();
      warnOfOpenHost(config, app.log);
      await app.listen({ host: config.host, port: config.port });
      const { address, family, port } = app.server.address() as AddressInfo;
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    },
    reload(next) {
      const replaced = credentials.replace(next);
      log?.info({ replaced }, 'secrets read anew');
      if (replaced.includes('SIGN_REDIS_URL')) log?.warn('SIGN_REDIS_URL counts from the next start on');
      // What fails is logged where it fails, and the next request tries again.
      if (replaced.includes('SIGN_CLIENT_SECRET')) renewToken().catch(() => undefined);
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

function upgradeOf(request: IncomingMessage, doors: readonly UpgradeDoor[]): Upgrade | undefined {
  for (const door of doors) {
    const upgrade = door.of(request);
    if (upgrade) return upgrade;
  }
  return undefined;
}
