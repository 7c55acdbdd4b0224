// What stands before every route that pages use (SEMANTICS, Proxy, request by request). Policy: Origin first, before
// anything is looked up or spent; an allowed origin gets its CORS headers on errors too, so that it can read them;
// a preflight is answered here and never goes further; credentials are never allowed, for the proxy knows no cookies.
import type { FastifyInstance } from 'fastify';
import type { originRule } from '../origins.ts';
import { ProblemError } from '../problem-reply.ts';

const PREFLIGHT_HOLDS_SECONDS = 600;

/** Guards all routes of `scope`, and its unknown paths, which answer 404. */
export function guardPages(scope: FastifyInstance, judge: ReturnType<typeof originRule>): void {
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    reply.header('cache-control', 'no-store');
    const verdict = judge(request.raw);
    if (!verdict.allowed) throw new ProblemError('origin_refused');
    if (verdict.origin !== null) {
      reply.header('access-control-allow-origin', verdict.origin);
      reply.header('access-control-expose-headers', 'Retry-After, X-Request-Id');
    }
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) {
      reply.header('access-control-allow-methods', 'GET');
      reply.header('access-control-allow-headers', 'X-Request-Id');
      reply.header('access-control-max-age', PREFLIGHT_HOLDS_SECONDS);
      return reply.code(204).send();
    }
  });
  scope.setNotFoundHandler(async () => {
    throw new ProblemError('not_found');
  });
}
