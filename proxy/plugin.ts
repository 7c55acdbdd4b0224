// Mounts the proxy's routes on a Fastify instance. Everything set here is encapsulated: the host's own routes, error
// handlers and unknown paths do not change. Whatever is opened here is closed with the instance.
import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Credentials } from './credentials/credentials.ts';
import { clientAddresses } from './limits/client-address.ts';
import { clientRate } from './limits/client-rate.ts';
import { limitsOf } from './limits/limits.ts';
import { SpendingFile } from './limits/spending-file.ts';
import { spendings } from './limits/spending.ts';
import { redisLink } from './redis/redis-link.ts';
import type { Metrics, MetricsReader } from './metrics.ts';
import { commonHeaders, problemReplies, requestId } from './problem.ts';
import type { Drain } from './relay/drain.ts';
import { nameClients } from './request-log.ts';
import { elementRoutes, FILES_FOR_A_REQUEST, readElementFiles } from './routes/elements.ts';
import { bodyPlaces } from './routes/json-body.ts';
import { keptFiles } from './routes/kept-files.ts';
import { nameLookups, type Resolve } from './routes/name-lookups.ts';
import { exactPaths, healthRoutes, metricsRoute } from './routes/operations.ts';
import { siteRoutes } from './sites/site-routes.ts';
import { Sites } from './sites/sites.ts';
import type { Upgrades } from './upgrades.ts';
import { reachabilityCheck } from './upstream/reachability.ts';

interface ProxyDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly drain: Drain;
  readonly metrics: Metrics & MetricsReader;
  readonly resolve: Resolve;
  readonly upgrades: Upgrades;
  /** Serves health and metrics; null for the instance that serves pages. */
  readonly operations: FastifyInstance | null;
}

export interface Mounted {
  /** Renews the access token after the client secret was replaced. */
  renewToken(): Promise<void>;
  /** Takes other sites in place of the current ones. */
  replaceSites(sites: readonly Config[]): void;
}

export async function mountRoutes(app: FastifyInstance, deps: ProxyDeps): Promise<Mounted> {
  const { config, clock, credentials, drain, metrics } = deps;
  const clients = clientAddresses(config.trustProxy);
  const { redisUrl: url } = config;
  const link = url === null ? null : await redisLink({ url, clock, log: app.log, metrics });
  await link?.settled;
  const sockets = { open: 0 };
  const limits = limitsOf(config, clock, link, sockets);
  let currentSites = config.sites;
  const checks = serviceChecks(config, () => currentSites, clock);
  const { isUpstreamReachable, isApiReachable, areAnnouncementsReachable } = checks;
  metrics.watchService({
    ...(isUpstreamReachable && { upstream: isUpstreamReachable }),
    ...(isApiReachable && { api: isApiReachable }),
    announcements: areAnnouncementsReachable,
  });
  const files = readElementFiles(config.elementsDir);
  if (files.size === 0) {
    app.log.warn(
      { directory: config.elementsDir },
      'no built elements: elements.js answers 404 until a build',
    );
  }
  const keptFolder = config.keptFiles === null ? null : keptFiles(config.keptFiles, files, clock, app.log);
  app.addHook('onClose', async () => keptFolder?.stop());
  const kept = keptFolder?.find ?? (async () => undefined);
  app.setGenReqId(requestId);
  app.setErrorHandler(problemReplies(credentials.redactor));
  nameClients(app, clients);
  app.addHook('onRequest', async (request, reply) => void reply.headers(commonHeaders(request)));
  app.addHook('preClose', () => drain.begin());
  app.addHook('onClose', async () => link?.close());

  await (deps.operations ?? app).register(async (scope) => {
    exactPaths(scope);
    healthRoutes(scope, { isDraining: () => drain.announced, ...checks });
    metricsRoute(scope, { metrics, clients, clock });
  });
  const rate = clientRate(FILES_FOR_A_REQUEST * config.requestsPerMinute, clock);
  const elements = { files, kept, rate, clients, drain, metrics };
  await app.register(async (scope) => elementRoutes(scope, elements), { prefix: config.path });
  const { spendingFile: path } = config;
  const file = path === null || link !== null ? null : new SpendingFile(path, { clock, log: app.log });
  app.addHook('onClose', () => file?.close() ?? Promise.resolve());
  const spendingOf = spendings({ clock, link, file, log: app.log, metrics });
  app.addHook('onClose', async () => spendingOf.close());
  const bodies = bodyPlaces();
  const lookUp = nameLookups(deps.resolve, clock, metrics);
  const shared = { ...deps, bodies, clients, link, lookUp, spendingOf, isUpstreamReachable };
  if (config.sites.length > 0) {
    const sites = new Sites({ ...shared, log: app.log, sockets });
    app.addHook('onClose', () => sites.close());
    sites.replace(config.sites);
    await app.register(async (scope) => sites.routes(scope), { prefix: config.path });
    const replaceSites = (configs: readonly Config[]): void => {
      currentSites = configs;
      sites.replace(configs);
    };
    return { renewToken: async () => undefined, replaceSites };
  }
  let renewToken = async (): Promise<void> => undefined;
  await app.register(
    async (scope) => {
      renewToken = siteRoutes(scope, { ...shared, limits });
    },
    { prefix: config.path },
  );
  return { renewToken, replaceSites: () => undefined };
}

/**
 * Whether each part of the service answers; null for a part that is not configured. A reload may bring announcements to `sites`,
 * which all have one address for them.
 */
function serviceChecks({ wsUrl, apiUrl, transport }: Config, sites: () => readonly Config[], clock: Clock) {
  const isUpstreamReachable =
    wsUrl === null ? null : reachabilityCheck(`${wsUrl.replace(/^ws/, 'http')}/ws/`, clock);
  // The service of generate and live, when it is on another host than the relay's.
  const isApiReachable =
    apiUrl === null || wsUrl === null || new URL(apiUrl).host === new URL(wsUrl).host
      ? null
      : reachabilityCheck(`${apiUrl}/`, clock);
  let check: (() => Promise<boolean>) | null = null;
  const areAnnouncementsReachable = (): Promise<boolean> | null => {
    const [url] = [transport, ...sites().map((site) => site.transport)].flatMap((each) => each?.url ?? []);
    if (url === undefined) return null;
    check ??= reachabilityCheck(`${url}/`, clock);
    return check();
  };
  return { isUpstreamReachable, isApiReachable, areAnnouncementsReachable };
}
