// Which session a text belongs to: the address and the config as they were when it was asked for. Policy: two texts
// share a session exactly when their routes are equal; what cannot be sent is refused here, before anything is spent.
import type { SessionConfig } from '../protocol/client-frames.ts';
import { ownError } from '../protocol/own-errors.ts';

export interface SessionRoute {
  /** `ws(s)://…/ws/` at the proxy. */
  readonly url: string;
  readonly mode: 'translate';
  readonly config: SessionConfig;
}

export const sameRoute = (a: SessionRoute, b: SessionRoute): boolean =>
  a.url === b.url && a.mode === b.mode && JSON.stringify(a.config) === JSON.stringify(b.config);

/**
 * The socket's address under a proxy prefix, relative prefixes against the page.
 * @throws SignError `invalid_request` when the prefix is no http(s) address.
 */
export function socketUrl(proxy: string): string {
  let url: URL;
  try {
    url = new URL(`${proxy.replace(/\/+$/, '')}/ws/`, document.baseURI);
  } catch {
    throw ownError('invalid_request', `proxy="${proxy}" is not an address`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw ownError('invalid_request', `proxy="${proxy}" is not an http address`);
  }
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}
