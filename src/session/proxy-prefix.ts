// Where the proxy is, for whoever asks it over HTTP. Policy: an absolute http(s) address, so that it means the same in a
// page and without one; no query, no fragment, no slash at its end.
import { httpUrl } from '../protocol/http-url.ts';
import { ownError } from '../protocol/sign-error.ts';

/** @throws SignError `invalid_request` when it is no absolute http(s) address. */
export function proxyPrefix(proxy: string): string {
  const address = httpUrl(proxy);
  if (address === null) throw ownError('invalid_request', 'proxy: no absolute http address');
  return address.replace(/[?#].*/, '').replace(/\/+$/, '');
}
