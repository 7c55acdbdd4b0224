// `/healthz`: this process answers. `/readyz`: it can do its work, or which part cannot. Policy: outside the prefix and
// without an Origin check, since balancers ask; a host that serves one of the paths itself keeps it. Not ready never
// stops elements.js, for a page that has its elements can say what is wrong. Announcements that are down are named, and
// make the proxy unready only where they are all that it serves: pages that sign text lose nothing by them. The store
// that replicas share is no part of this, because the proxy goes on without it.
import type { FastifyInstance } from 'fastify';
import { onlyServe } from '../requests/only-serve.ts';
import { ProblemError } from '../problem-reply.ts';

export interface HealthParts {
  readonly isDraining: () => boolean;
  /** Whether the service of the relay answers; null when none is configured. */
  readonly isUpstreamThere: (() => Promise<boolean>) | null;
  /** The same of the service of generate and live; null when it is on the same host. */
  readonly isApiThere: (() => Promise<boolean>) | null;
  /** The same of the announcement API. */
  readonly areAnnouncementsThere: (() => Promise<boolean>) | null;
}

export function healthRoutes(scope: FastifyInstance, parts: HealthParts): void {
  const { isDraining, isUpstreamThere, isApiThere, areAnnouncementsThere } = parts;
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  /** Balancers ask every few seconds: their requests are not worth a line of the log. */
  const serve = (url: string, answer: () => Promise<object>): void => {
    if (scope.hasRoute({ method: 'GET', url })) return;
    scope.get(url, { logLevel: 'warn' }, answer);
    onlyServe(scope, url, ['GET', 'HEAD']);
  };

  serve('/healthz', async () => ({ status: 'ok' }));
  serve('/readyz', async () => {
    if (isDraining()) throw new ProblemError('restarting', { extra: { down: ['proxy'] } });
    const [upstream = true, api = true, announcements = true] = await Promise.all([
      isUpstreamThere?.(),
      isApiThere?.(),
      areAnnouncementsThere?.(),
    ]);
    const parts = { upstream, api, announcements };
    const down = Object.entries(parts).flatMap(([name, isThere]) => (isThere ? [] : [name]));
    if (!upstream || !api || (isUpstreamThere === null && !announcements)) {
      throw new ProblemError('not_ready', { extra: { down } });
    }
    return down.length === 0 ? { status: 'ready' } : { status: 'ready', down };
  });
}
