// Several sites behind one prefix (SIGN_SITES): each request goes to the routes of its site.
// - each site is a Fastify instance of its own that does not listen: nothing of one site can reach another, and a reload
//   replaces whole instances. A replaced one is closed after its last response; its sockets stay open.
// - chosen by the ticket, which the site checks itself; else by Origin; without one by the operator token, else by the proxy's own address, else the only site there is.
//   What fits no site is 403 `origin_refused`.
// - the limits of a site whose limits did not change are kept over a reload: nobody gets a second helping.
import { isDeepStrictEqual } from 'node:util';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Config } from '../config.ts';
import { type Credentials, credentialsOf, type Operator, operatorWith } from '../credentials/credentials.ts';
import { type Limits, limitsOf } from '../limits/limits.ts';
import type { SocketCount } from '../limits/sockets.ts';
import { useParsedBodies, BODY_BYTES } from '../routes/json-body.ts';
import { commonHeaders, ProblemError, problemReplies, requestId } from '../problem.ts';
import { nameClients } from '../request-log.ts';
import { ownOrigin } from '../routes/guard.ts';
import { claimsOf, ticketOf } from './tickets.ts';
import { type SharedDeps, siteRoutes } from './site-routes.ts';

interface Site {
  readonly config: Config;
  readonly app: FastifyInstance;
  readonly operator: Operator;
  /** Requests without a response. */
  pending: number;
}

export interface Sites {
  /** Takes these sites in place of the current ones, without closing a socket. */
  replace(configs: readonly Config[]): Promise<void>;
  /** Answers every request under the prefix. */
  routes(scope: FastifyInstance): void;
  close(): Promise<void>;
}

interface SitesDeps extends SharedDeps {
  /** Those of the whole configuration, for their redactor. */
  readonly credentials: Credentials;
  readonly log: FastifyBaseLogger;
  readonly sockets: SocketCount;
}

export function createSites(deps: SitesDeps): Sites {
  let current: readonly Site[] = [];
  /** The current ones, and replaced ones with pending requests. */
  const open = new Set<Site>();
  const limits = new Map<string, Limits>();
  /** One after the other, so that of two reloads the later one counts. */
  let replacing: Promise<void> = Promise.resolve();

  const keptLimits = (config: Config): Limits => {
    const { site, requestsPerMinute, messagesPerMinute, generatesPerMinute, maxSocketsPerClient } = config;
    const key = [site, requestsPerMinute, messagesPerMinute, generatesPerMinute, maxSocketsPerClient].join(
      ' ',
    );
    const known = limits.get(key) ?? limitsOf(config, deps.clock, deps.link, deps.sockets);
    limits.set(key, known);
    return known;
  };

  const siteOf = async (config: Config): Promise<Site> => {
    const known = current.find((site) => isDeepStrictEqual(site.config, config));
    if (known) return known;
    const credentials = credentialsOf(config, deps.credentials.redactor);
    const app = siteServer(deps.log.child({ site: config.site }));
    nameClients(app, deps.clients);
    app.setErrorHandler(problemReplies(credentials.redactor));
    app.setNotFoundHandler(async () => {
      throw new ProblemError('not_found');
    });
    const own = { ...deps, config, credentials, limits: keptLimits(config) };
    await app.register(async (scope) => void siteRoutes(scope, own), { prefix: config.path });
    await app.ready();
    const site = { config, app, operator: operatorWith(() => config.operatorToken), pending: 0 };
    open.add(site);
    return site;
  };

  const closeIfReplaced = (site: Site): void => {
    if (site.pending > 0 || current.includes(site) || !open.delete(site)) return;
    void site.app.close();
  };

  const chosen = (request: FastifyRequest): Site | undefined => {
    const ticket = ticketOf(request.raw);
    if (ticket !== null) {
      const { site } = claimsOf(ticket) ?? {};
      const byTicket = current.find(({ config }) => config.site === site);
      if (byTicket === undefined) throw new ProblemError('ticket_refused');
      return byTicket;
    }
    const origin = request.headers.origin ?? ownOrigin(request.raw, deps.clients);
    const byOrigin = current.find(({ config }) => config.allowedOrigins.includes(origin ?? ''));
    if (byOrigin || request.headers.origin !== undefined) return byOrigin;
    return (
      current.find(({ operator }) => operator.is(request)) ?? (current.length === 1 ? current[0] : undefined)
    );
  };

  return {
    replace(configs) {
      const replaced = replacing.then(async () => {
        current = await Promise.all(configs.map(siteOf));
        for (const site of open) closeIfReplaced(site);
      });
      replacing = replaced.catch(() => undefined);
      return replaced;
    },
    routes(scope) {
      scope.all('/*', {
        onRequest: async (request, reply) => {
          const site = chosen(request);
          if (site === undefined) throw new ProblemError('origin_refused');
          // One id in both logs.
          request.raw.headers['x-request-id'] = request.id;
          reply.hijack();
          // The response of an upgrade is never closed, and needs nothing that a closed instance does not have.
          if (deps.upgrades.get(request.raw) === undefined) {
            site.pending += 1;
            reply.raw.once('close', () => {
              site.pending -= 1;
              closeIfReplaced(site);
            });
          }
          site.app.routing(request.raw, reply.raw);
        },
        handler: () => undefined,
      });
    },
    async close() {
      for (const each of limits.values()) each.close();
      await Promise.all([...open].map(({ app }) => app.close()));
    },
  };
}

/** An instance that does not listen; requests are passed to it. */
function siteServer(log: FastifyBaseLogger): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES,
    genReqId: requestId,
    return503OnClosing: false,
  });
  useParsedBodies(app);
  app.addHook('onRequest', async (request, reply) => void reply.headers(commonHeaders(request)));
  return app;
}
