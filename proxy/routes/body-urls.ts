// Checks the URLs in a body that the service will fetch from or push to, against requests to private networks (SSRF).
// - Checked: every field whose name ends in `url` and every string that looks like a URL, at any depth. A URL that
//   can be read in two ways (backslash, white space, two `@`, one after `?` or `#`) is refused, and so is a host that is not
//   public.
// - An address is public when no IANA special-purpose registry lists it, IPv6 only within 2000::/3. A name is public
//   when it has a dot, is in no local domain and all its addresses are public (name-lookups.ts). What a name resolves
//   to later is for the service to check.
// - Ports: 80 and 443 for http(s), these and 1935 for rtmp(s), 1024 and up for srt, which has no port of its own.
// - SIGN_ALLOWED_HOSTS are accepted unchecked, for the operator only: `host` on all ports, `host:port` on this one.
import { isIP } from 'node:net';
import { hostAndPort, hostIn, isPublicAddress } from '../addresses.ts';
import { invalidFields, type FieldProblem } from './json-body.ts';
import type { Resolve } from './name-lookups.ts';

interface Ports {
  readonly default: number;
  allows(port: number): boolean;
}

const web = [80, 443];
const oneOf = (...ports: readonly number[]): Ports => ({
  default: ports[0] ?? 0,
  allows: (port) => ports.includes(port),
});
const schemes: Readonly<Record<string, Ports>> = {
  http: oneOf(...web),
  https: oneOf(...web.toReversed()),
  rtmp: oneOf(1935, ...web),
  rtmps: oneOf(443, 1935, ...web),
  srt: { default: 0, allows: (port) => port === 0 || port >= 1024 },
};

/** How many URLs a body of the operator's may hold. */
export const OPERATOR_URLS = 4;

interface UrlRules {
  /** How many URLs a body may hold. */
  readonly maxUrls: number;
  /** Accepted besides public hosts, spelled as in Config. */
  readonly allowedHosts: readonly string[];
  readonly resolve: Resolve;
}

/** @throws ProblemError naming every field of `body` whose URL may not be used. */
export async function checkUrls(body: unknown, rules: UrlRules): Promise<void> {
  const found = urlsIn(body, '');
  const { maxUrls } = rules;
  if (found.length > maxUrls) {
    throw invalidFields([
      { field: '', message: `must hold at most ${maxUrls === 1 ? 'one address' : `${maxUrls} addresses`}` },
    ]);
  }
  const refused = await Promise.all(
    found.map(async ([path, url]): Promise<readonly FieldProblem[]> => {
      const message = await refusalOf(url, rules);
      return message === null ? [] : [{ field: path, message }];
    }),
  );
  const problems = refused.flat();
  if (problems.length > 0) throw invalidFields(problems);
}

type Found = readonly [path: string, url: string];

function urlsIn(value: unknown, path: string, isNamed = false): readonly Found[] {
  if (typeof value === 'string') return isNamed || looksLikeUrl(value) ? [[path, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    urlsIn(item, path === '' ? key : `${path}.${key}`, isNamed || /url$/i.test(key)),
  );
}

/**
 * URL parsers drop tabs, line breaks and surrounding spaces, so a URL is found in spite of them, and in spite of a scheme in front
 * of it (`jar:http:`).
 */
const looksLikeUrl = (value: string): boolean =>
  /^((https?|rtmps?|srt|ftp|file|data):|([a-z][a-z\d+.-]*:)*[\\/]{2})/i.test(
    value.replace(/[^\x21-\x7e]/g, ''),
  );

/** The URL parser takes 350 ms of CPU for a host of 240 kB in Punycode (`xn--`), and one client may send 120 a minute. */
const MAX_URL = 8_192;

/** Why a URL is refused; null when it is accepted. */
async function refusalOf(url: string, { allowedHosts, resolve }: UrlRules): Promise<string | null> {
  if (url.length > MAX_URL) return `must be an address of at most ${MAX_URL} characters`;
  const [, scheme = '', authority = '', rest = ''] = /^([a-z]+):\/\/([^/?#]*)([^/]*)/i.exec(url) ?? [];
  const name = scheme.toLowerCase();
  const ports = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
  if (!ports) return `must be an address of ${Object.keys(schemes).join(', ')}`;
  // For http the URL parser has one spelling of each host: 0x7f.1 and 2130706433 become 127.0.0.1.
  const asHttp = `http${url.slice(scheme.length)}`;
  // For some parsers only a slash ends the host part, so an `@` after `?` or `#` would name another host. The id of a stream by
  // srt may have an `@`.
  const hasOneHost = authority.split('@').length <= 2 && (name === 'srt' || !rest.includes('@'));
  const isPlain = /^[\x21-\x7e]+$/.test(url) && !url.includes('\\') && hasOneHost;
  if (!isPlain || !URL.canParse(asHttp)) return 'must be an address that can be read in one way only';
  const host = hostIn(new URL(asHttp));
  const port = Number(/:(\d+)$/.exec(authority)?.[1] ?? ports.default);
  if (allowedHosts.includes(host) || allowedHosts.includes(hostAndPort(host, port))) return null;
  if (!ports.allows(port)) return 'must be an address on a port that its scheme commonly uses';
  return (await isPublicHost(host, resolve)) ? null : 'must be an address on a public host';
}

/** No name in DNS is longer (RFC 1035, 2.3.4). The URL parser accepts 250 kB, and name-lookups.ts keeps a thousand names. */
const MAX_NAME = 253;
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)$/;

/** `host` is as the URL parser spells it, an IPv6 address without its brackets. */
export async function isPublicHost(host: string, resolve: Resolve): Promise<boolean> {
  if (isIP(host) !== 0) return isPublicAddress(host);
  const name = host.replace(/\.$/, '');
  if (!name.includes('.') || name.length > MAX_NAME || LOCAL_NAME.test(name)) return false;
  const addresses = await resolve(name);
  return addresses.length > 0 && addresses.every(isPublicAddress);
}
