// What stands before every route that pages use (SEMANTICS, Proxy, request by request). Policy: Origin first, before
// anything is looked up or spent; an allowed origin gets its CORS headers on errors too, so that it can read them;
// a preflight is answered here and never goes further; credentials are never allowed, for the proxy knows no cookies.
// Then the requests a minute of the client's address. What the service answers is data: opened as a page of this origin,
// it may run nothing and load nothing.
import type { FastifyInstance } from 'fastify';
import type { ClientAddresses } from '../limits/client-address.ts';
import type { ClientRate } from '../limits/client-rate.ts';
import type { Metrics } from '../metrics.ts';
import type { originRule } from '../requests/origins.ts';
import { ProblemError } from '../problem-reply.ts';

const PREFLIGHT_HOLDS_SECONDS = 600;

export interface PageGuard {
  readonly judge: ReturnType<typeof originRule>;
  readonly clients: ClientAddresses;
  readonly rate: ClientRate;
  readonly metrics: Metrics;
}

/** Guards all routes of `scope`, and its unknown paths, which answer 404. */
export function guardPages(scope: FastifyInstance, { judge, clients, rate, metrics }: PageGuard): void {
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    reply.header('cache-control', 'no-store');
    reply.header('content-security-policy', "default-src 'none'; sandbox");
    const verdict = judge(request.raw);
    if (!verdict.allowed) throw new ProblemError('origin_refused');
    if (verdict.origin !== null) {
      reply.header('access-control-allow-origin', verdict.origin);
      reply.header('access-control-expose-headers', 'Retry-After, X-Request-Id');
    }
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) {
      reply.header('access-control-allow-methods', 'GET, POST, DELETE');
      reply.header('access-control-allow-headers', 'Accept, Authorization, Content-Type, X-Request-Id');
      reply.header('access-control-max-age', PREFLIGHT_HOLDS_SECONDS);
      return reply.code(204).send();
    }
    const seconds = await rate(clients.of(request.raw));
    if (seconds > 0) {
      metrics.limitHit('requests_per_minute');
      throw new ProblemError('rate_limited', { headers: { 'retry-after': String(Math.ceil(seconds)) } });
    }
  });
  scope.setNotFoundHandler(async () => {
    throw new ProblemError('not_found');
  });
}
