// The attribute `proxy`: where the proxy is, as a page may write it. Policy: relative ones mean the page's own address, an
// empty one the default; no query, no fragment, no slash at its end.
import { defaultProxy } from '../internal/script-base.ts';
import { ownError } from '../protocol/sign-error.ts';

/**
 * The prefix of the proxy's routes as an absolute address.
 * @throws SignError `invalid_request` when it is no http(s) address.
 */
export function resolveProxy(proxy: string): string {
  let url: URL;
  try {
    url = new URL(proxy || defaultProxy(), document.baseURI);
  } catch {
    throw ownError('invalid_request', `proxy="${proxy}" is not an address`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw ownError('invalid_request', `proxy="${proxy}" is not an http address`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
