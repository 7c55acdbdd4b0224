// Reads and checks single environment variables, and secrets from a variable or from a file.
// - Unset and empty mean the same, because compose files pass empty variables.
// - A bad value is reported and its default is used, so that one run names every problem.
// - A value is quoted in a message only where it cannot be a secret. The path of a secret file is not quoted either:
//   it may be a secret in the wrong variable.
// - A secret is NAME or NAME_FILE, never both: 20 to 8,192 characters of visible ASCII. It must fit into a header, and a
//   shorter one could be guessed, and found by chance when responses are searched for it.
import { closeSync, openSync, readSync } from 'node:fs';
import { isIP } from 'node:net';
import { canonicalHost, hostAndPort, parseRange } from './addresses.ts';

/** Receives a problem of the variable `variable`; `message` continues its name. */
export type Report = (variable: string, message: string) => void;

interface Variables {
  text(name: string): string | null;
  integer(name: string, fallback: number, range: { min: number; max: number }): number;
  flag(name: string): boolean;
  /** A base URL of one of the schemes, without a slash at its end. */
  baseUrl(name: string, schemes: readonly string[]): string | null;
  /** A URL prefix such as `/sign`: it begins with a slash, ends with none and has one segment at least. */
  path(name: string, fallback: string): string;
  host(name: string, fallback: string): string;
  origins(name: string): readonly string[];
  addressRanges(name: string): readonly string[];
  /** Each as canonicalHost() spells it, or with a port as hostAndPort() does. */
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
        (item) => (parseRange(item) === null ? null : item),
        'an IP address or a range such as 10.0.0.0/8',
      ),
    hostNames: (name) => list(name, hostOf, 'a host name or an IP address, with a port or without'),
  };
}

const isHostName = (value: string): boolean =>
  /^(?=.{1,253}$)[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?$/.test(value);

function hostOf(item: string): string | null {
  if (isIP(item) !== 0 || isHostName(item)) return canonicalHost(item);
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(item) ?? [];
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const isName = host === name ? isIP(name) === 4 || isHostName(name) : isIP(name) === 6;
  const canonical = isName && Number(port) >= 1 && Number(port) <= 65_535 ? canonicalHost(name) : null;
  return canonical === null ? null : hostAndPort(canonical, Number(port));
}

/**
 * The origin as browsers spell it. A slash at its end is accepted, any other part of a URL is not, nor is a `*` in the host: the
 * URL parser takes it for a name, which no page has.
 */
export function originOf(value: string): string | null {
  if (!URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.hostname.includes('*')) return null;
  const bare = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  return bare && (url.protocol === 'http:' || url.protocol === 'https:') ? url.origin : null;
}

const MIN_SECRET = 20;
const MAX_SECRET = 8_192;

/** True for what can be a secret. */
export const isSecret = (value: string, min = MIN_SECRET): boolean =>
  value.length >= min && value.length <= MAX_SECRET && /^[\x21-\x7e]+$/.test(value);

/**
 * The secret of `name` or `name`_FILE; null when it is not set or has a problem. Line breaks at the end of the file are
 * not part of it. `min` is its least number of characters.
 */
export function readSecret(
  env: NodeJS.ProcessEnv,
  name: string,
  report: Report,
  min = MIN_SECRET,
): string | null {
  const checked = (value: string, variable: string): string | null => {
    if (value === '') return null;
    if (isSecret(value, min)) return value;
    report(variable, `must be ${min} to ${MAX_SECRET} visible ASCII characters, without spaces`);
    return null;
  };
  const fileName = `${name}_FILE`;
  const file = env[fileName];
  if (env[name] && file) {
    report(fileName, `is set together with ${name}; set one of them`);
    return null;
  }
  if (!file) return checked(env[name] ?? '', name);
  try {
    const content = beginningOf(file, 2 * MAX_SECRET).replace(/[\r\n]+$/, '');
    if (content === '') report(fileName, 'names an empty file');
    return checked(content, fileName);
  } catch (error) {
    report(
      fileName,
      `names a file that cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`,
    );
    return null;
  }
}

/** At most `max` bytes of the file: enough to see that it is too long. The path may be a device without an end. */
export function beginningOf(file: string, max: number): string {
  const bytes = Buffer.alloc(max);
  const descriptor = openSync(file, 'r');
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(descriptor);
  }
}
