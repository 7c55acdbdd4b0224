// The checks before every route that clients use: Origin, CORS, request rate (SEMANTICS, Proxy, request by request).
// - Origin first, on HTTP and on the upgrade alike (a WebSocket has no CORS), before anything is looked up or spent.
//   Listed origins pass, or the own one while none is listed, which is less safe because the client writes Host. Others and `null`
//   (sandboxed frames, files) do not. Without Origin a request passes unless the browser marks it `Sec-Fetch-Site: cross-site` or
//   `same-site`.
// - An allowed origin gets CORS headers on errors too, so that the page can read them. No credentials: no cookies
//   here.
// - A preflight is answered here. Then the requests a minute of the client address.
// - Responses of the service are data: opened as a document of this origin they may neither run nor load anything.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ClientAddresses } from '../limits/client-address.ts';
import type { ClientRate } from '../limits/client-rate.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError } from '../problem.ts';

const PREFLIGHT_MAX_AGE_SECONDS = 600;

interface GuardDeps {
  readonly checkOrigin: ReturnType<typeof originPolicy>;
  readonly clients: ClientAddresses;
  readonly rate: ClientRate;
  readonly metrics: Metrics;
}

export interface PaidDeps {
  readonly generates: ClientRate;
  readonly clients: ClientAddresses;
  readonly metrics: Pick<Metrics, 'limitHit'>;
}

/** Checks every request to `scope`; unknown paths in it answer 404. */
export function guardRoutes(
  scope: FastifyInstance,
  { checkOrigin, clients, rate, metrics }: GuardDeps,
): void {
  scope.addHook('onResponse', async (request, reply) =>
    metrics.answered(request.routeOptions.url ?? 'unknown', reply.statusCode),
  );
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    reply.header('cache-control', 'no-store');
    reply.header('content-security-policy', "default-src 'none'; sandbox");
    const checked = checkOrigin(request.raw);
    if (!checked.allowed) throw new ProblemError('origin_refused');
    if (checked.origin !== null) {
      reply.header('access-control-allow-origin', checked.origin);
      reply.header('access-control-expose-headers', 'Retry-After, X-Request-Id');
    }
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) {
      reply.header('access-control-allow-methods', 'GET, POST, DELETE');
      reply.header(
        'access-control-allow-headers',
        'Accept, Authorization, Content-Type, Traceparent, X-Request-Id, X-Sign-Ticket',
      );
      reply.header('access-control-max-age', PREFLIGHT_MAX_AGE_SECONDS);
      return reply.code(204).send();
    }
    await take(() => rate(clients.keyOf(request.raw)), 'requests_per_minute', metrics);
  });
  scope.setNotFoundHandler(async () => {
    throw new ProblemError('not_found');
  });
}

/** @throws ProblemError 429 `rate_limited` when there are seconds to wait; `limit` is for metrics */
export async function take(
  wait: () => number | Promise<number>,
  limit: string,
  metrics: Pick<Metrics, 'limitHit'>,
  detail?: string,
): Promise<void> {
  const seconds = await wait();
  if (seconds === 0) return;
  metrics.limitHit(limit);
  throw new ProblemError('rate_limited', {
    headers: { 'retry-after': String(Math.ceil(seconds)) },
    ...(detail === undefined ? {} : { extra: { detail } }),
  });
}

/** The same for a request that costs money. */
export const takePaid = ({ generates, clients, metrics }: PaidDeps, request: FastifyRequest): Promise<void> =>
  take(
    () => generates(clients.keyOf(request.raw)),
    'generates_per_minute',
    metrics,
    'this address sends more paid requests a minute than the proxy allows',
  );

type OriginCheck =
  | { readonly allowed: false }
  /** `origin` is the Access-Control-Allow-Origin of the response; null when the request had no Origin. */
  | { readonly allowed: true; readonly origin: string | null };

/** `listed` are origins as `new URL(...).origin` spells them. */
export function originPolicy(
  listed: readonly string[],
  clients: ClientAddresses,
): (request: IncomingMessage) => OriginCheck {
  const known = new Set(listed);
  return (request) => {
    const { origin } = request.headers;
    if (origin === undefined) {
      const site = request.headers['sec-fetch-site'];
      // A browser sends exactly one of these values.
      const isOwn = site === undefined || site === 'same-origin' || site === 'none';
      return isOwn ? { allowed: true, origin: null } : { allowed: false };
    }
    const isAllowed = known.size > 0 ? known.has(origin) : origin === ownOrigin(request, clients);
    return isAllowed ? { allowed: true, origin } : { allowed: false };
  };
}

/** A name of 253 characters, a dot and a port. The URL parser takes 2 ms for a host of 15 kB in Punycode. */
const HOST = /^[\w.:[\]-]{1,260}$/;

/**
 * Host with the scheme of the connection or, from a trusted peer, of X-Forwarded-Proto. Null when it cannot be
 * parsed.
 */
export function ownOrigin(request: IncomingMessage, clients: ClientAddresses): string | null {
  const host = request.headers.host ?? '';
  if (!HOST.test(host)) return null;
  try {
    return new URL(`${scheme(request, clients)}://${host}`).origin;
  } catch {
    return null;
  }
}

function scheme(request: IncomingMessage, clients: ClientAddresses): 'http' | 'https' {
  if (clients.isTrustedPeer(request)) {
    const forwarded = String(request.headers['x-forwarded-proto'] ?? '')
      .split(',')
      .pop()
      ?.trim()
      .toLowerCase();
    if (forwarded === 'http' || forwarded === 'https') return forwarded;
  }
  return 'encrypted' in request.socket ? 'https' : 'http';
}
