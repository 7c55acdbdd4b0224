// One spelling for each host, that of the URL parser, so that two can be compared: lower case, IPv4 in four decimal
// numbers, IPv6 as short as it goes and without brackets, a name without a dot at its end.
import { isIP } from 'node:net';

/** Null for what no URL can have as its host. */
export function canonicalHost(host: string): string | null {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '') : null;
}
