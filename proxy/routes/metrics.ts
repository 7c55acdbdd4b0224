// `/metrics`: what Prometheus reads. Policy: outside the prefix and without an Origin check, since no page asks for it; a
// balancer does not route it to the public (README). A host that serves the path itself keeps it.
import type { FastifyInstance } from 'fastify';
import type { MetricsReader } from '../metrics.ts';
import { onlyServe } from '../requests/only-serve.ts';

const PATH = '/metrics';

export function metricsRoute(scope: FastifyInstance, metrics: MetricsReader): void {
  if (scope.hasRoute({ method: 'GET', url: PATH })) return;
  scope.get(PATH, { logLevel: 'warn' }, async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text()),
  );
  onlyServe(scope, PATH, ['GET', 'HEAD']);
}
