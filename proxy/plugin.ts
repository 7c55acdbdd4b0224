// Mounts the proxy's routes on a Fastify instance. Everything set here is encapsulated: the host's own routes, error
// handlers and unknown paths do not change. Whatever is opened here is closed with the instance.
import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.ts';
import type { Config, TransportConfig } from './config.ts';
import { type Credentials, operatorWith } from './credentials/credentials.ts';
import { clientAddresses } from './limits/client-address.ts';
import { limitsOf } from './limits/limits.ts';
import { redisLink } from './redis/redis-link.ts';
import { tokenSharing } from './upstream/shared-token.ts';
import type { Metrics, MetricsReader } from './metrics.ts';
import { commonHeaders, problemReplies, requestId } from './problem.ts';
import type { Drain } from './relay/drain.ts';
import { announcementRoutes } from './routes/announcements.ts';
import { elementRoutes, readElementFiles } from './routes/elements.ts';
import { guardRoutes, originPolicy } from './routes/guard.ts';
import { acceptJsonOnly } from './routes/json-body.ts';
import { keptFiles } from './routes/kept-files.ts';
import { liveRoutes } from './routes/live.ts';
import { nameLookups, type Resolve } from './routes/name-lookups.ts';
import { healthRoutes, metricsRoute } from './routes/operations.ts';
import { translationRoutes } from './routes/translation.ts';
import { wsRoute } from './routes/ws.ts';
import type { Upgrades } from './upgrades.ts';
import { accessTokens } from './upstream/access-token.ts';
import { reachabilityCheck } from './upstream/reachability.ts';
import { createUpstream } from './upstream/upstream.ts';

interface ProxyDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly drain: Drain;
  readonly metrics: Metrics & MetricsReader;
  readonly resolve: Resolve;
  readonly upgrades: Upgrades;
}

/** Resolves with the function that renews the access token after the client secret was replaced. */
export async function mountRoutes(app: FastifyInstance, deps: ProxyDeps): Promise<() => Promise<void>> {
  const { config, clock, credentials, drain, metrics } = deps;
  const { wsUrl } = config;
  const clients = clientAddresses(config.trustProxy);
  const { redisUrl: url } = config;
  const link = url === null ? null : await redisLink({ url, clock, log: app.log, metrics });
  await link?.settled;
  const limits = limitsOf(config, clock, link);
  const isUpstreamReachable =
    wsUrl === null ? null : reachabilityCheck(`${wsUrl.replace(/^ws/, 'http')}/ws/`, clock);
  // The service of generate and live, when it is on another host than the relay's.
  const isApiReachable =
    config.apiUrl === null || wsUrl === null || new URL(config.apiUrl).host === new URL(wsUrl).host
      ? null
      : reachabilityCheck(`${config.apiUrl}/`, clock);
  const transport = config.transport && withLiveSecret(config.transport, credentials);
  const areAnnouncementsReachable = transport === null ? null : reachabilityCheck(`${transport.url}/`, clock);
  metrics.watchService({
    ...(isUpstreamReachable && { upstream: isUpstreamReachable }),
    ...(isApiReachable && { api: isApiReachable }),
    ...(areAnnouncementsReachable && { announcements: areAnnouncementsReachable }),
  });
  const files = readElementFiles(config.elementsDir);
  const kept =
    config.keptFiles === null ? () => undefined : keptFiles(config.keptFiles, files, clock, app.log);
  let renewToken = async (): Promise<void> => undefined;
  if (files.size === 0) {
    app.log.warn(
      { directory: config.elementsDir },
      'no built elements: elements.js answers 404 until a build',
    );
  }
  app.setGenReqId(requestId);
  app.setErrorHandler(problemReplies(credentials.redactor));
  app.addHook('onRequest', async (request, reply) => void reply.headers(commonHeaders(request)));
  app.addHook('preClose', () => drain.begin());
  app.addHook('onClose', async () => {
    limits.close();
    await link?.close();
  });

  await app.register(async (scope) => {
    healthRoutes(scope, {
      isDraining: () => drain.announced,
      isUpstreamReachable,
      isApiReachable,
      areAnnouncementsReachable,
    });
    metricsRoute(scope, metrics);
  });
  await app.register(async (scope) => elementRoutes(scope, files, kept), { prefix: config.path });
  await app.register(
    async (scope) => {
      const checkOrigin = originPolicy(config.allowedOrigins, clients);
      guardRoutes(scope, { checkOrigin, clients, rate: limits.requests, metrics });
      acceptJsonOnly(scope);
      const { budget, generates, ids, messages, sockets } = limits;
      const common = { ...config, ...deps, budget, clients, generates, ids, messages, sockets };
      const { apiUrl } = config;
      if (apiUrl !== null) {
        const upstream = createUpstream(apiUrl, clock, metrics);
        scope.addHook('onClose', async () => upstream.close());
        const operator = operatorWith(() => credentials.operatorToken);
        const lookUp = nameLookups(deps.resolve, clock, metrics);
        translationRoutes(scope, { ...common, apiUrl, lookUp, operator, upstream });
        liveRoutes(scope, { ...common, apiUrl, lookUp, operator, upstream });
      }
      if (transport !== null) {
        const auth = createUpstream(transport.authUrl, clock, metrics);
        const upstream = createUpstream(transport.url, clock, metrics);
        scope.addHook('onClose', async () => [auth, upstream].forEach((each) => each.close()));
        const sharing = tokenSharing(transport, clock, link);
        const tokens = accessTokens({ transport, upstream: auth, clock, log: app.log, metrics, sharing });
        announcementRoutes(scope, { ...common, transportUrl: transport.url, tokens, upstream });
        renewToken = tokens.replace;
      }
      if (wsUrl === null || isUpstreamReachable === null) return;
      wsRoute(scope, { ...common, wsUrl, isUpstreamReachable });
    },
    { prefix: config.path },
  );
  return renewToken;
}

/** The same, with the current client secret whenever it is read. */
const withLiveSecret = (transport: TransportConfig, credentials: Credentials): TransportConfig => ({
  ...transport,
  get clientSecret() {
    return credentials.clientSecret ?? transport.clientSecret;
  },
});
