// Reads single environment variables. Policy: unset and empty are the same (a compose file passes empty ones); a bad
// value is reported and its default used, so that one run names every problem; a value is quoted in a message only
// where it cannot hold a secret, and an address with a user or password in it is refused without being quoted.
import { isIP } from 'node:net';
import { isAddressRange } from './limits/client-address.ts';
import { canonicalHost } from './host-name.ts';
import type { Report } from './credentials/secret-file.ts';

export interface Variables {
  text(name: string): string | null;
  integer(name: string, fallback: number, range: { min: number; max: number }): number;
  flag(name: string): boolean;
  /** A base URL of one of the schemes, without a slash at its end. */
  baseUrl(name: string, schemes: readonly string[]): string | null;
  /** A URL prefix such as `/sign`: it begins with a slash, ends with none and has one part at least. */
  path(name: string, fallback: string): string;
  host(name: string, fallback: string): string;
  origins(name: string): readonly string[];
  addressRanges(name: string): readonly string[];
  /** Each as host-name.ts spells it. */
  hostNames(name: string): readonly string[];
}

export function variables(env: NodeJS.ProcessEnv, report: Report): Variables {
  const text = (name: string): string | null => env[name]?.trim() || null;

  const list = (name: string, accept: (item: string) => string | null, what: string): readonly string[] =>
    (text(name) ?? '').split(',').flatMap((item) => {
      const trimmed = item.trim();
      if (trimmed === '') return [];
      const accepted = accept(trimmed);
      if (accepted === null) report(name, `${JSON.stringify(trimmed)} is not ${what}`);
      return accepted ?? [];
    });

  return {
    text,
    integer(name, fallback, { min, max }) {
      const value = text(name);
      if (value === null) return fallback;
      const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
      if (number >= min && number <= max) return number;
      report(name, `${JSON.stringify(value)} is not a whole number from ${min} to ${max}`);
      return fallback;
    },
    flag(name) {
      const value = text(name) ?? '0';
      if (value !== '0' && value !== '1') report(name, `${JSON.stringify(value)} is neither 1 nor 0`);
      return value === '1';
    },
    baseUrl(name, schemes) {
      const value = text(name);
      if (value === null) return null;
      const url = URL.canParse(value) ? new URL(value) : null;
      const allowed = schemes.map((scheme) => `${scheme}://`).join(' or ');
      if (!url || url.host === '' || !schemes.includes(url.protocol.slice(0, -1))) {
        report(name, `is not a URL that begins with ${allowed}`);
      } else if (url.username || url.password) {
        report(name, 'must not hold a user or password; credentials have variables of their own');
      } else if (url.search || url.hash) {
        report(name, 'must not have a query or a fragment');
      } else {
        return url.href.replace(/\/+$/, '');
      }
      return null;
    },
    path(name, fallback) {
      const value = text(name) ?? fallback;
      if (/^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(value)) return value;
      report(name, `${JSON.stringify(value)} is not a path such as /sign`);
      return fallback;
    },
    host(name, fallback) {
      const value = text(name) ?? fallback;
      if (isIP(value) !== 0 || isHostName(value)) return value;
      report(name, `${JSON.stringify(value)} is neither an address nor a host name`);
      return fallback;
    },
    origins: (name) => list(name, originOf, 'an origin such as https://www.example.org'),
    addressRanges: (name) =>
      list(
        name,
        (item) => (isAddressRange(item) ? item : null),
        'an IP address or a range such as 10.0.0.0/8',
      ),
    hostNames: (name) =>
      list(
        name,
        (item) => (isIP(item) !== 0 || isHostName(item) ? canonicalHost(item) : null),
        'a host name or an IP address',
      ),
  };
}

const isHostName = (value: string): boolean =>
  /^(?=.{1,253}$)[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?$/.test(value);

/** The origin as browsers spell it; a slash at its end is forgiven, anything more of an address is not. */
function originOf(value: string): string | null {
  if (!URL.canParse(value)) return null;
  const url = new URL(value);
  const bare = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  return bare && (url.protocol === 'http:' || url.protocol === 'https:') ? url.origin : null;
}
