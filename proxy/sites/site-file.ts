// Reads the file of sites (SIGN_SITES), in YAML or JSON.
// - Each entry is turned into the variables of one site and checked as those are, so that a file and variables mean the
//   same. Paths of key files start from the folder of the file.
// - All problems are reported at once, with the site and the field. No value of a secret is quoted.
// - It has at most 300 sites, 1 MB, 32 levels, 50,000 items and 1,000 references. The path may be a device without an end.
import { dirname, resolve } from 'node:path';
import { isScalar, parse, type ParsedNode } from 'yaml';
import * as z from 'zod/mini';
import { beginningOf, originOf, readSecret, type Report } from '../environment.ts';
import { MAX_SITES, type SiteEntry, sitesSchema } from './site-schema.ts';
import { yamlComplexity } from './yaml-complexity.ts';

const VARIABLE = 'SIGN_SITES';
const MAX_BYTES = 1024 * 1024;
/** The parser takes seconds for 20,000 levels, and a list of 500,000 empty items ends the process. */
const MAX_LEVELS = 32;
const MAX_ITEMS = 50_000;
const MAX_REFERENCES = 1_000;
/** The parser compares each name of an object with all before it: for 50,000 names that takes a minute. */
const MAX_COMPARISONS = 1_000_000;

/** One site as variables. */
interface SiteVariables {
  readonly entry: SiteEntry;
  readonly env: NodeJS.ProcessEnv;
  readonly ticketKeys: Readonly<Record<string, string>>;
  /** Reports a problem of one of `env`'s variables under the field that it came from. */
  readonly report: Report;
}

/** The variables that a file of sites takes the place of. */
const REPLACED = [
  'SIGN_API_KEY',
  'SIGN_API_KEY_FILE',
  'SIGN_CLIENT_ID',
  'SIGN_CLIENT_SECRET',
  'SIGN_CLIENT_SECRET_FILE',
  'SIGN_ALLOWED_ORIGINS',
  'SIGN_OPERATOR_TOKEN',
  'SIGN_OPERATOR_TOKEN_FILE',
  'SIGN_TICKETS',
  'SIGN_TICKET_KEY',
  'SIGN_TICKET_KEY_FILE',
];
/** They need an account, and each account belongs to a site. */
const ANNOUNCEMENT_URLS = ['SIGN_TRANSPORT_URL', 'SIGN_AUTH_URL'];

/** The fields of an entry by the variables that they stand for; a field without one is checked by the schema alone. */
const fieldOf: Readonly<Record<string, string>> = {
  SIGN_ALLOWED_ORIGINS: 'origins',
  SIGN_API_KEY_FILE: 'apiKeyFile',
  SIGN_CLIENT_ID: 'clientId',
  SIGN_CLIENT_SECRET: 'clientSecretFile',
  SIGN_CLIENT_SECRET_FILE: 'clientSecretFile',
  SIGN_OPERATOR_TOKEN_FILE: 'operatorTokenFile',
  SIGN_MAX_SOCKETS_PER_CLIENT: 'limits.sockets',
  SIGN_REQUESTS_PER_MINUTE: 'limits.requestsPerMinute',
  SIGN_MESSAGES_PER_MINUTE: 'limits.messagesPerMinute',
  SIGN_GENERATES_PER_MINUTE: 'limits.generatesPerMinute',
  SIGN_MAX_TEXT_BYTES: 'limits.textBytes',
  SIGN_DAILY_SECONDS: 'limits.dailySeconds',
  SIGN_MONTHLY_SECONDS: 'limits.monthlySeconds',
  SIGN_DAILY_CHARACTERS: 'limits.dailyCharacters',
  SIGN_MONTHLY_CHARACTERS: 'limits.monthlyCharacters',
};

/** `env` without the variables that the file of sites replaces. */
export const withoutSite = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  without(env, [...REPLACED, ...ANNOUNCEMENT_URLS]);

/** The sites of the file that SIGN_SITES names; empty when there is a problem. */
export function readSiteFile(env: NodeJS.ProcessEnv, file: string, report: Report): readonly SiteVariables[] {
  for (const name of REPLACED) {
    if (env[name]?.trim())
      report(name, `is set together with ${VARIABLE}; it belongs into the file of sites`);
  }
  const entries = entriesOf(file, report);
  reportDuplicates(entries, report);
  const folder = dirname(resolve(file));
  return entries.map((entry) => ({
    entry,
    env: variablesOf(entry, env, folder),
    ticketKeys: ticketKeysOf(entry, folder, report),
    report(variable, message) {
      const field = fieldOf[variable];
      if (field !== undefined) report(VARIABLE, `site ${entry.name}: ${field} ${message}`);
    },
  }));
}

function entriesOf(file: string, report: Report): readonly SiteEntry[] {
  let content: unknown;
  try {
    const text = beginningOf(file, MAX_BYTES + 1);
    if (Buffer.byteLength(text) > MAX_BYTES) throw new TooLarge('a file of more than 1 MB');
    const { levels, items, references } = yamlComplexity(text);
    if (levels > MAX_LEVELS) throw new TooLarge(`a file of more than ${MAX_LEVELS} levels`);
    if (items > MAX_ITEMS) throw new TooLarge(`a file of more than ${MAX_ITEMS} items`);
    if (references > MAX_REFERENCES) throw new TooLarge(`a file of more than ${MAX_REFERENCES} references`);
    content = parse(text, { uniqueKeys: compareNames() });
  } catch (error) {
    report(VARIABLE, `names ${unreadable(error)}`);
    return [];
  }
  const { data, error } = z.safeParse(sitesSchema, content, { error: messageOf });
  for (const { path, message } of error?.issues ?? [])
    report(VARIABLE, `${path.join('.') || 'the file'}: ${message}`);
  return data?.sites ?? [];
}

class TooLarge extends Error {}

const TOO_MANY_NAMES = 'a file of too many names in one object';

/** Compares names as the parser does, for at most MAX_COMPARISONS times. */
function compareNames(): (one: ParsedNode, other: ParsedNode) => boolean {
  let comparisons = 0;
  return (one, other) => {
    comparisons += 1;
    if (comparisons > MAX_COMPARISONS) throw new Error(TOO_MANY_NAMES);
    return one === other || (isScalar(one) && isScalar(other) && one.value === other.value);
  };
}

/** Why the file cannot be read. An error that is neither the file system's nor TooLarge is the parser's. */
function unreadable(error: unknown): string {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return `a file that cannot be read (${code})`;
  // The parser writes the place behind it.
  if (message.startsWith(TOO_MANY_NAMES)) return TOO_MANY_NAMES;
  return error instanceof TooLarge ? message : 'neither YAML nor JSON';
}

/** The message of a problem, without the value, which may be a secret in the wrong field. */
const messageOf = (issue: Issue): string => {
  if (issue.code === 'unrecognized_keys') return `has no ${(issue.keys ?? []).join(', ')}`;
  if (issue.code === 'too_big' && issue.maximum === MAX_SITES)
    return `has more than ${MAX_SITES}; serve the others from a second proxy`;
  return 'is not what docs/sites.schema.json has';
};

interface Issue {
  readonly code?: string;
  readonly keys?: readonly string[];
  readonly maximum?: unknown;
}

function reportDuplicates(entries: readonly SiteEntry[], report: Report): void {
  const names = new Set<string>();
  const origins = new Map<string, string>();
  for (const { name, origins: own } of entries) {
    if (names.has(name)) report(VARIABLE, `site ${name}: name is another site’s too`);
    names.add(name);
    for (const origin of own.map((written) => originOf(written) ?? written)) {
      const other = origins.get(origin);
      if (other !== undefined && other !== name) report(VARIABLE, `site ${name}: origins are ${other}’s too`);
      origins.set(origin, name);
    }
  }
}

function variablesOf(entry: SiteEntry, env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  const { limits = {}, clientId, clientSecretFile } = entry;
  const hasAnnouncements = clientId !== undefined || clientSecretFile !== undefined;
  const at = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolve(folder, path);
  const own: NodeJS.ProcessEnv = {
    SIGN_ALLOWED_ORIGINS: entry.origins.join(','),
    SIGN_API_KEY_FILE: at(entry.apiKeyFile),
    SIGN_CLIENT_ID: clientId,
    SIGN_CLIENT_SECRET_FILE: at(clientSecretFile),
    SIGN_OPERATOR_TOKEN_FILE: at(entry.operatorTokenFile),
    SIGN_MAX_SOCKETS_PER_CLIENT: limits.sockets?.toString(),
    SIGN_REQUESTS_PER_MINUTE: limits.requestsPerMinute?.toString(),
    SIGN_MESSAGES_PER_MINUTE: limits.messagesPerMinute?.toString(),
    SIGN_GENERATES_PER_MINUTE: limits.generatesPerMinute?.toString(),
    SIGN_MAX_TEXT_BYTES: limits.textBytes?.toString(),
    SIGN_DAILY_SECONDS: limits.dailySeconds?.toString(),
    SIGN_MONTHLY_SECONDS: limits.monthlySeconds?.toString(),
    SIGN_DAILY_CHARACTERS: limits.dailyCharacters?.toString(),
    SIGN_MONTHLY_CHARACTERS: limits.monthlyCharacters?.toString(),
  };
  const set = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  return { ...without(env, [...REPLACED, ...(hasAnnouncements ? [] : ANNOUNCEMENT_URLS)]), ...set };
}

function ticketKeysOf(
  { name, tickets, ticketKeyFiles = {} }: SiteEntry,
  folder: string,
  report: Report,
): Readonly<Record<string, string>> {
  const keys: Record<string, string> = {};
  for (const [id, path] of Object.entries(ticketKeyFiles)) {
    const env = { KEY_FILE: resolve(folder, path) };
    const problem: Report = (_variable, message) =>
      report(VARIABLE, `site ${name}: ticketKeyFiles.${id} ${message}`);
    const key = readSecret(env, 'KEY', problem);
    if (key !== null) keys[id] = key;
  }
  if (tickets === 'required' && Object.keys(ticketKeyFiles).length === 0) {
    report(VARIABLE, `site ${name}: ticketKeyFiles is not set, and tickets are required`);
  }
  return keys;
}

const without = (env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
