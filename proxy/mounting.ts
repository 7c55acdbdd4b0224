// Mounts the proxy's routes on a Fastify instance. Policy: all that is set here is encapsulated, so a host's own routes,
// errors and unknown paths stay as they are; whatever is opened is closed with the instance.
import type { FastifyInstance } from 'fastify';
import { accessTokens } from './upstream/access-token.ts';
import { clientAddresses } from './limits/client-address.ts';
import type { Clock } from './clock.ts';
import type { Config, TransportConfig } from './config.ts';
import type { Credentials } from './credentials/credentials.ts';
import type { Drain } from './relay/drain.ts';
import { readElementFiles } from './element-files.ts';
import { takeJsonOnly } from './requests/json-body.ts';
import { limitsOf } from './limits.ts';
import type { Metrics, MetricsReader } from './metrics.ts';
import { operatorWith } from './requests/operator.ts';
import { originRule } from './requests/origins.ts';
import { commonHeaders, problemReplies, requestId } from './problem-reply.ts';
import type { Resolve } from './upstream/public-hosts.ts';
import { announcementRoutes } from './routes/announcements.ts';
import { elementRoutes } from './routes/elements.ts';
import { healthRoutes } from './routes/health.ts';
import { liveRoutes } from './routes/live.ts';
import { metricsRoute } from './routes/metrics.ts';
import { guardPages } from './routes/pages.ts';
import { translationRoutes } from './routes/translation.ts';
import { wsRoute } from './routes/ws.ts';
import type { UpgradeDoor } from './upgrade-door.ts';
import { upstreamAt } from './upstream/upstream.ts';
import { upstreamCheck } from './upstream/upstream-check.ts';

export interface ProxyParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly door: UpgradeDoor;
  readonly drain: Drain;
  readonly metrics: Metrics & MetricsReader;
  readonly resolve: Resolve;
}

/** Resolves with what has to be done when the client secret was replaced. */
export async function mountProxy(app: FastifyInstance, parts: ProxyParts): Promise<() => Promise<void>> {
  const { config, clock, credentials, drain, metrics } = parts;
  const { wsUrl } = config;
  const clients = clientAddresses(config.trustProxy);
  const secrets = credentials.filter;
  const limits = await limitsOf(config, { clock, log: app.log, metrics });
  const isUpstreamThere = wsUrl === null ? null : upstreamCheck(`${wsUrl.replace(/^ws/, 'http')}/ws/`, clock);
  // Generate and live, where they are on another host than the relay.
  const isApiThere =
    config.apiUrl === null || wsUrl === null || new URL(config.apiUrl).host === new URL(wsUrl).host
      ? null
      : upstreamCheck(`${config.apiUrl}/`, clock);
  const transport = config.transport && withLiveSecret(config.transport, credentials);
  const areAnnouncementsThere = transport === null ? null : upstreamCheck(`${transport.url}/`, clock);
  const files = readElementFiles(config.elementsDir);
  let renewToken = async (): Promise<void> => undefined;
  if (files.size === 0) {
    app.log.warn(
      { directory: config.elementsDir },
      'no built elements: elements.js answers 404 until a build',
    );
  }
  app.setGenReqId(requestId);
  app.setErrorHandler(problemReplies(secrets));
  app.addHook('onRequest', async (request, reply) => void reply.headers(commonHeaders(request)));
  app.addHook('preClose', () => drain.begin());
  app.addHook('onClose', () => limits.close());

  await app.register(async (scope) => {
    healthRoutes(scope, {
      isDraining: () => drain.begun,
      isUpstreamThere,
      isApiThere,
      areAnnouncementsThere,
    });
    metricsRoute(scope, metrics);
  });
  await app.register(async (scope) => elementRoutes(scope, files), { prefix: config.path });
  await app.register(
    async (scope) => {
      const judge = originRule(config.allowedOrigins, clients);
      guardPages(scope, { judge, clients, rate: limits.requests, metrics });
      takeJsonOnly(scope);
      const { budget, messages, sockets } = limits;
      const common = { ...config, ...parts, budget, clients, messages, secrets, sockets };
      const { apiUrl } = config;
      if (apiUrl !== null) {
        const upstream = upstreamAt(apiUrl, clock, metrics);
        scope.addHook('onClose', async () => upstream.close());
        const operator = operatorWith(() => credentials.operatorToken);
        translationRoutes(scope, { ...common, apiUrl, operator, upstream });
        liveRoutes(scope, { ...common, apiUrl, operator, upstream });
      }
      if (transport !== null) {
        const auth = upstreamAt(transport.authUrl, clock, metrics);
        const upstream = upstreamAt(transport.url, clock, metrics);
        scope.addHook('onClose', async () => [auth, upstream].forEach((each) => each.close()));
        const sharing = limits.tokenSharing(transport);
        const tokens = accessTokens({ transport, upstream: auth, clock, log: app.log, metrics, sharing });
        announcementRoutes(scope, { ...common, transportUrl: transport.url, tokens, upstream });
        renewToken = tokens.replace;
      }
      if (wsUrl === null || isUpstreamThere === null) return;
      wsRoute(scope, {
        ...common,
        wsUrl,
        isUpstreamThere,
        get apiKey() {
          return credentials.apiKey;
        },
      });
    },
    { prefix: config.path },
  );
  return renewToken;
}

/** The same with the client secret of the moment at which it is read. */
const withLiveSecret = (transport: TransportConfig, credentials: Credentials): TransportConfig => ({
  ...transport,
  get clientSecret() {
    return credentials.clientSecret ?? transport.clientSecret;
  },
});
