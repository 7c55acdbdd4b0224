// Checks the URLs in a body that the service will fetch from or push to, against requests to private networks (SSRF).
// - checked: every field whose name ends in `url` and every string that looks like a URL, at any depth. A URL that
//   can be read in two ways (backslash, white space, two `@`) is refused, and so is a host that is not public.
// - an address is public when no IANA special-purpose registry lists it, IPv6 only within 2000::/3. A name is public
//   when it has a dot, is in no local domain and all its addresses are public. A name without an answer for both
//   address families within 4 s is not. What a name resolves to later is for the service to check.
// - SIGN_ALLOWED_HOSTS are accepted unchecked, for the operator only.
import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { isPublicAddress } from '../addresses.ts';
import { invalidFields, type FieldProblem } from './json-body.ts';

const schemes: readonly string[] = ['http', 'https', 'rtmp', 'rtmps', 'srt'];
const MAX_URLS = 16;

export interface UrlRules {
  /** Accepted besides public hosts, as canonicalHost() spells them. */
  readonly allowedHosts: readonly string[];
  readonly resolve: Resolve;
}

/** @throws ProblemError naming every field whose URL may not be used. `field` is the path of `value`. */
export async function checkUrls(value: unknown, field: string, rules: UrlRules): Promise<void> {
  const found = urlsIn(value, field);
  if (found.length > MAX_URLS) {
    throw invalidFields([{ field, message: `must hold at most ${MAX_URLS} addresses` }]);
  }
  const verdicts = await Promise.all(
    found.map(async ([path, url]): Promise<readonly FieldProblem[]> => {
      const message = await refusalOf(url, rules);
      return message === null ? [] : [{ field: path, message }];
    }),
  );
  const problems = verdicts.flat();
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

/** URL parsers drop tabs, line breaks and surrounding spaces, so these cannot hide a URL. */
const looksLikeUrl = (value: string): boolean =>
  /^((https?|rtmps?|srt|ftp|file|data):|([a-z][a-z\d+.-]*:)?[\\/]{2})/i.test(
    value.replace(/[^\x21-\x7e]/g, ''),
  );

/** Why a URL is refused; null when it is accepted. */
async function refusalOf(url: string, { allowedHosts, resolve }: UrlRules): Promise<string | null> {
  const [, scheme = '', authority = ''] = /^([a-z]+):\/\/([^/?#]*)/i.exec(url) ?? [];
  if (!schemes.includes(scheme.toLowerCase())) return `must be an address of ${schemes.join(', ')}`;
  // For http the URL parser has one spelling of each host: 0x7f.1 and 2130706433 become 127.0.0.1.
  const asHttp = `http${url.slice(scheme.length)}`;
  const isPlain = /^[\x21-\x7e]+$/.test(url) && !url.includes('\\') && authority.split('@').length <= 2;
  if (!isPlain || !URL.canParse(asHttp)) return 'must be an address that can be read in one way only';
  const host = new URL(asHttp).hostname.replace(/^\[(.*)\]$/, '$1');
  if (allowedHosts.includes(host.replace(/\.$/, '')) || (await isPublicHost(host, resolve))) return null;
  return 'must be an address on a public host';
}

const RESOLVE_MS = 2_000;
const TRIES = 2;

const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)$/;

/** All addresses of a name, of both families; none when there is none. Rejects when the name servers do not answer. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/**
 * Queries name servers directly: the system's resolver has four threads for the whole process, and names come from
 * clients. `servers` are addresses with a port; the system's name servers by default.
 */
export const resolveBy =
  (servers?: readonly string[]): Resolve =>
  async (name) => {
    const resolver = new dns.Resolver({ timeout: RESOLVE_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const answers = await Promise.all([
      resolver.resolve4(name).catch(noneOrFail),
      resolver.resolve6(name).catch(noneOrFail),
    ]);
    return answers.flat();
  };

/** Without an answer for one address family, a private address may have been missed. */
function noneOrFail(error: NodeJS.ErrnoException): readonly string[] {
  if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return [];
  throw error;
}

export const resolveName: Resolve = resolveBy();

/** `host` is as the URL parser spells it, an IPv6 address without its brackets. */
export async function isPublicHost(host: string, resolve: Resolve): Promise<boolean> {
  if (isIP(host) !== 0) return isPublicAddress(host);
  const name = host.replace(/\.$/, '');
  if (!name.includes('.') || LOCAL_NAME.test(name)) return false;
  try {
    const addresses = await resolve(name);
    return addresses.length > 0 && addresses.every(isPublicAddress);
  } catch {
    return false;
  }
}
