// `/healthz`: this process answers. `/readyz`: it can do its work, or which part cannot. Policy: outside the prefix and
// without an Origin check, since balancers ask; not ready never stops elements.js, for a page that has its elements can
// say what is wrong.
import type { FastifyInstance } from 'fastify';
import { onlyServe } from '../only-serve.ts';
import { ProblemError } from '../problem-reply.ts';

export interface HealthParts {
  readonly isDraining: () => boolean;
  /** Null when no service of the relay is configured. */
  readonly isUpstreamThere: (() => Promise<boolean>) | null;
}

export function healthRoutes(scope: FastifyInstance, { isDraining, isUpstreamThere }: HealthParts): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  // Balancers ask every few seconds: their requests are not worth a line of the log.
  scope.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok' }));
  scope.get('/readyz', { logLevel: 'warn' }, async () => {
    if (isDraining()) throw new ProblemError('restarting', { extra: { down: ['proxy'] } });
    if (isUpstreamThere && !(await isUpstreamThere())) {
      throw new ProblemError('not_ready', { extra: { down: ['upstream'] } });
    }
    return { status: 'ready' };
  });
  onlyServe(scope, '/healthz', ['GET', 'HEAD']);
  onlyServe(scope, '/readyz', ['GET', 'HEAD']);
}
