// Everything that is limited or shared, from one place: of this process alone, or of all replicas together when there is
// a Redis (SIGN_REDIS_URL). Policy: what may pass is the same in both; each shared limit stands on this process's own,
// which goes on by itself while Redis is gone (shared/redis-link.ts).
import type { FastifyBaseLogger } from 'fastify';
import { TOKEN_FETCHES_PER_MINUTE, type TokenSharing } from './upstream/access-token.ts';
import { clientRate, type ClientRate } from './limits/client-rate.ts';
import type { Clock } from './clock.ts';
import type { Config, TransportConfig } from './config.ts';
import type { Metrics } from './metrics.ts';
import { requestBudget, type RequestBudget } from './limits/request-budget.ts';
import { sharedBudget } from './shared/budget.ts';
import { sharedRate } from './shared/rate.ts';
import { redisLink } from './shared/redis-link.ts';
import { sharedSockets } from './shared/sockets.ts';
import { sharedToken } from './shared/token.ts';
import { openSockets, type OpenSockets } from './limits/sockets.ts';

export interface Limits {
  /** HTTP requests a minute of an address. */
  readonly requests: ClientRate;
  /** Messages a minute on an address's sockets. */
  readonly messages: ClientRate;
  readonly sockets: OpenSockets;
  /** Of the announcement API. */
  readonly budget: RequestBudget;
  /** How replicas with these credentials share their access token. */
  tokenSharing(transport: TransportConfig): TokenSharing;
  /** Lets go of Redis; from then on limits are this process's own. */
  close(): Promise<void>;
}

export interface LimitsParts {
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  readonly metrics: Pick<Metrics, 'redisUp'>;
}

/** With a Redis it resolves when it is known whether that is there, after a second at the latest. */
export async function limitsOf(config: Config, { clock, log, metrics }: LimitsParts): Promise<Limits> {
  const requests = clientRate(config.requestsPerMinute, clock);
  const messages = clientRate(config.messagesPerMinute, clock);
  const fetches = clientRate(TOKEN_FETCHES_PER_MINUTE, clock);
  const sockets = openSockets(config.maxSocketsPerClient);
  const budget = requestBudget(clock);
  const { redisUrl } = config;
  if (redisUrl === null) {
    return {
      requests,
      messages,
      sockets,
      budget,
      tokenSharing: ({ clientId }) => ({
        mayFetch: () => fetches(clientId),
        obtain: (_useless, fetch) => fetch(),
      }),
      close: async () => undefined,
    };
  }

  const link = await redisLink({ url: redisUrl, clock, log, metrics });
  await link.settled;
  const shared = sharedSockets(link, config.maxSocketsPerClient, sockets, clock);
  const sharedFetches = sharedRate(link, 'token', TOKEN_FETCHES_PER_MINUTE, fetches);
  return {
    requests: sharedRate(link, 'requests', config.requestsPerMinute, requests),
    messages: sharedRate(link, 'messages', config.messagesPerMinute, messages),
    sockets: shared,
    budget: sharedBudget(link, budget),
    tokenSharing: (transport) => sharedToken(link, transport, clock, sharedFetches),
    close() {
      shared.close();
      return link.close();
    },
  };
}
