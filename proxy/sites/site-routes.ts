// The routes of one site, with its own credentials, limits and allowed features. A feature that is not allowed answers
// 404.
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Config, TransportConfig } from '../config.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { operatorWith } from '../credentials/operator.ts';
import type { ClientAddresses } from '../limits/client-address.ts';
import type { FairShare } from '../limits/fair-share.ts';
import type { Limits } from '../limits/limits.ts';
import type { Spending, SpendingConfig } from '../limits/spending.ts';
import type { Metrics } from '../metrics.ts';
import type { RedisLink } from '../redis/redis-link.ts';
import type { Drain } from '../relay/drain.ts';
import { announcementRoutes } from '../routes/announcements.ts';
import { guardRoutes, originPolicy } from '../routes/guard.ts';
import { acceptJsonOnly, limitBodies } from '../routes/json-body.ts';
import { liveRoutes } from '../routes/live.ts';
import type { NameLookups } from '../routes/name-lookups.ts';
import { translationRoutes } from '../routes/translation.ts';
import { wsRoute } from '../routes/ws.ts';
import type { Upgrades } from '../upgrades.ts';
import { accessTokens } from '../upstream/access-token.ts';
import { tokenSharing } from '../upstream/shared-token.ts';
import { createUpstream } from '../upstream/upstream.ts';
import type { Feature } from './site-schema.ts';

/** Shared by all sites of a proxy. */
export interface SharedDeps {
  /** The bodies that are being read. */
  readonly bodies: FairShare;
  readonly clock: Clock;
  readonly clients: ClientAddresses;
  readonly drain: Drain;
  readonly link: RedisLink | null;
  readonly lookUp: NameLookups;
  readonly metrics: Metrics;
  readonly spendingOf: (config: SpendingConfig) => Spending;
  readonly upgrades: Upgrades;
  readonly isUpstreamReachable: (() => Promise<boolean>) | null;
}

interface SiteDeps extends SharedDeps {
  readonly config: Config;
  readonly credentials: Credentials;
  readonly limits: Limits;
}

/** Returns the function that renews the access token after the client secret was replaced. */
export function siteRoutes(scope: FastifyInstance, deps: SiteDeps): () => Promise<void> {
  const { config, clock, credentials, limits, link, metrics } = deps;
  const { apiUrl, wsUrl } = config;
  const allows = (feature: Feature): boolean => config.features.includes(feature);
  const checkOrigin = originPolicy(config.allowedOrigins, deps.clients);
  guardRoutes(scope, { checkOrigin, clients: deps.clients, rate: limits.requests, metrics });
  limitBodies(scope, deps);
  acceptJsonOnly(scope);
  const common = { ...config, ...deps, ...limits, spending: deps.spendingOf(config) };
  if (apiUrl !== null) {
    const upstream = createUpstream(apiUrl, clock, metrics);
    scope.addHook('onClose', async () => upstream.close());
    const operator = operatorWith(() => credentials.operatorToken);
    if (allows('rest')) translationRoutes(scope, { ...common, apiUrl, operator, upstream });
    if (allows('live')) liveRoutes(scope, { ...common, apiUrl, operator, upstream });
  }
  if (wsUrl !== null && deps.isUpstreamReachable !== null && allows('stream')) {
    wsRoute(scope, { ...common, wsUrl, isUpstreamReachable: deps.isUpstreamReachable });
  }
  const transport = config.transport && withCurrentSecret(config.transport, credentials);
  if (transport === null || !allows('announcements')) return async () => undefined;
  const auth = createUpstream(transport.authUrl, clock, metrics);
  const upstream = createUpstream(transport.url, clock, metrics);
  scope.addHook('onClose', async () => [auth, upstream].forEach((each) => each.close()));
  const sharing = tokenSharing(transport, clock, link);
  const tokens = accessTokens({ transport, upstream: auth, clock, log: scope.log, metrics, sharing });
  announcementRoutes(scope, { ...common, transportUrl: transport.url, tokens, upstream });
  return () => tokens.replace();
}

/** The same configuration, whose client secret is always the current one. */
const withCurrentSecret = (transport: TransportConfig, credentials: Credentials): TransportConfig => ({
  ...transport,
  get clientSecret() {
    return credentials.clientSecret ?? transport.clientSecret;
  },
});
