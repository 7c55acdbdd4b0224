// Which pages may use the proxy (SEMANTICS, Proxy, request by request). Policy: a browser says where a request comes
// from, and that is checked before anything is spent, on HTTP and on the upgrade alike, because a WebSocket knows no
// CORS. Own and listed origins pass; any other, and `null` (sandboxed frames, files), does not. A request without Origin
// is no browser's cross-origin request, except the ones that a browser marks with Sec-Fetch-Site: cross-site.
import type { IncomingMessage } from 'node:http';
import type { ClientAddresses } from '../limits/client-address.ts';

export type OriginVerdict =
  | { readonly allowed: false }
  /** `origin` is what to answer in Access-Control-Allow-Origin, null when the request had none. */
  | { readonly allowed: true; readonly origin: string | null };

/** `listed` are origins as `new URL(...).origin` spells them. */
export function originRule(
  listed: readonly string[],
  clients: ClientAddresses,
): (request: IncomingMessage) => OriginVerdict {
  const known = new Set(listed);
  return (request) => {
    const { origin } = request.headers;
    if (origin === undefined) {
      return request.headers['sec-fetch-site'] === 'cross-site'
        ? { allowed: false }
        : { allowed: true, origin: null };
    }
    return known.has(origin) || origin === ownOrigin(request, clients)
      ? { allowed: true, origin }
      : { allowed: false };
  };
}

/** Host with the scheme of the connection; behind a trusted proxy its X-Forwarded-Proto counts. Null when unreadable. */
function ownOrigin(request: IncomingMessage, clients: ClientAddresses): string | null {
  const host = request.headers.host ?? '';
  if (!/^[\w.:[\]-]+$/.test(host)) return null;
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
