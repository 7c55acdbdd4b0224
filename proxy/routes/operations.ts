// `/healthz`: the process answers. `/readyz`: it can work, or which part cannot. `/metrics`: for Prometheus; there
// `sign_proxy_service_up` says whether the service can be reached.
// - With SIGN_OPERATIONS_PORT they are on that port alone, so that no balancer can pass `/metrics` to the public.
// - Outside the prefix and without an Origin check, because balancers and Prometheus ask. The host keeps a path that it
//   serves itself. Other spellings of a path are unknown (`/%6Detrics`), because a front server may refuse to the public only the
//   path as it is written here.
// - `/readyz` 503 does not stop elements.js, so that the elements can say what is wrong.
// - Announcements that are down are named, and make the proxy unready only when it serves nothing else. Redis is not
//   checked: the proxy works without it.
// - An address reads `/metrics` 240 times a minute at most, because a read takes 2 ms of CPU.
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import type { ClientAddresses } from '../limits/client-address.ts';
import { clientRate } from '../limits/client-rate.ts';
import type { Metrics, MetricsReader } from '../metrics.ts';
import { allowMethods, ProblemError } from '../problem.ts';
import { take } from './guard.ts';

/** Answers requests to the routes of `scope` only if they spell the path as the route does. */
export function exactPaths(scope: FastifyInstance): void {
  scope.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
    if (raw.url?.split('?', 1)[0] !== routeOptions.url) return reply.callNotFound();
  });
}

interface HealthDeps {
  readonly isDraining: () => boolean;
  /** Whether the service of the relay answers; null when it is not configured. */
  readonly isUpstreamReachable: (() => Promise<boolean>) | null;
  /** Whether the service of generate and live answers; null when it is on the same host as the relay's. */
  readonly isApiReachable: (() => Promise<boolean>) | null;
  /** Whether the announcement API answers; null while it is not configured. */
  readonly areAnnouncementsReachable: () => Promise<boolean> | null;
}

export function healthRoutes(scope: FastifyInstance, deps: HealthDeps): void {
  const { isDraining, isUpstreamReachable, isApiReachable, areAnnouncementsReachable } = deps;
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  /** Balancers ask every few seconds: successful requests are not logged. */
  const serve = (url: string, answer: () => Promise<object>): void => {
    if (scope.hasRoute({ method: 'GET', url })) return;
    scope.get(url, { logLevel: 'warn' }, answer);
    allowMethods(scope, url, ['GET', 'HEAD']);
  };

  serve('/healthz', async () => ({ status: 'ok' }));
  serve('/readyz', async () => {
    if (isDraining()) throw new ProblemError('restarting', { extra: { down: ['proxy'] } });
    const [upstream = true, api = true, isThere] = await Promise.all([
      isUpstreamReachable?.(),
      isApiReachable?.(),
      areAnnouncementsReachable(),
    ]);
    const announcements = isThere ?? true;
    const parts = { upstream, api, announcements };
    const down = Object.entries(parts).flatMap(([name, isUp]) => (isUp ? [] : [name]));
    if (!upstream || !api || (isUpstreamReachable === null && !announcements)) {
      throw new ProblemError('not_ready', { extra: { down } });
    }
    return down.length === 0 ? { status: 'ready' } : { status: 'ready', down };
  });
}

const PATH = '/metrics';
/** Prometheus asks every few seconds. */
const READS_PER_MINUTE = 240;

interface MetricsDeps {
  readonly metrics: MetricsReader & Pick<Metrics, 'limitHit'>;
  readonly clients: ClientAddresses;
  readonly clock: Clock;
}

export function metricsRoute(scope: FastifyInstance, { metrics, clients, clock }: MetricsDeps): void {
  if (scope.hasRoute({ method: 'GET', url: PATH })) return;
  const rate = clientRate(READS_PER_MINUTE, clock);
  let reading: Promise<string> | null = null;
  /** Requests that come while the metrics are read share one result. */
  const read = (): Promise<string> =>
    (reading ??= metrics.text().finally(() => {
      reading = null;
    }));
  scope.get(PATH, { logLevel: 'warn' }, async (request, reply) => {
    await take(() => rate(clients.keyOf(request.raw)), 'metrics_per_minute', metrics);
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await read());
  });
  allowMethods(scope, PATH, ['GET', 'HEAD']);
}
