// The proxy's configuration, from environment variables (CONTRACT, Proxy; SEMANTICS, More variables).
// - Every variable is read and checked before the proxy listens, and all problems are reported together.
// - Without an upstream the proxy does not start.
// - The value of a secret is never printed.
import { join } from 'node:path';
import { type Feature, FEATURES } from './sites/site-schema.ts';
import { readSiteFile, withoutSite } from './sites/site-file.ts';
import { DEFAULT_KEY_ID } from './sites/tickets.ts';
import { isSecret, readSecret, type Report, variables } from './environment.ts';

export interface Config {
  /** The name of the site; `default` without a file of sites. */
  readonly site: string;
  /** The sites of SIGN_SITES, each with a whole configuration; none when the proxy serves one site. */
  readonly sites: readonly Config[];
  /** What pages may use. */
  readonly features: readonly Feature[];
  /** Whether the sockets and paid requests of pages need a ticket, and the keys by their ids. */
  readonly tickets: 'off' | 'required';
  readonly ticketKeys: Readonly<Record<string, string>>;
  /** The signers that pages may ask for, in lower case; any while there are none. */
  readonly signers: readonly string[];
  /** The fields of a request's `context` that pages may send. */
  readonly contextFields: readonly string[];
  /** Where it listens; port 0 is any free port. */
  readonly host: string;
  readonly port: number;
  /** Port of `/healthz`, `/readyz` and `/metrics`; null when they are on `port` too. */
  readonly operationsPort: number | null;
  /** Prefix of its routes: begins with a slash, does not end with one. */
  readonly path: string;
  /** `{base_url}` and `{ws_url}` without a slash at the end; null when only announcements are configured. */
  readonly apiUrl: string | null;
  readonly wsUrl: string | null;
  readonly apiKey: string | null;
  /** The announcement API; null when it is not configured. */
  readonly transport: TransportConfig | null;
  /** Allowed origins; the proxy's own while there are none. */
  readonly allowedOrigins: readonly string[];
  readonly operatorToken: string | null;
  /** Limits of one client address. */
  readonly maxSocketsPerClient: number;
  readonly requestsPerMinute: number;
  readonly messagesPerMinute: number;
  readonly generatesPerMinute: number;
  /** Caps of the signed video of the site, in seconds; null for none. */
  readonly dailySeconds: number | null;
  readonly monthlySeconds: number | null;
  /** The same for the characters of the texts. */
  readonly dailyCharacters: number | null;
  readonly monthlyCharacters: number | null;
  /** File that keeps what is spent while there is no Redis; null for none. */
  readonly spendingFile: string | null;
  readonly redisUrl: string | null;
  /** Addresses and CIDR ranges whose X-Forwarded-* are trusted. */
  readonly trustProxy: readonly string[];
  readonly maxTextBytes: number;
  /** Hosts, with a port or without, that operators may name as source or target though they are private. */
  readonly allowedHosts: readonly string[];
  readonly forwardClientAddress: boolean;
  /** Seconds from close() until sockets are closed and connections refused. */
  readonly drainDelay: number;
  /** Folder in which replicas of several builds keep their hashed files; null for none. */
  readonly keptFiles: string | null;
  /** Directory of the built elements (`dist/cdn`). Not a variable: the build puts it next to the program. */
  readonly elementsDir: string;
}

export interface TransportConfig {
  readonly url: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ConfigProblem {
  readonly variable: string;
  readonly message: string;
}

/** All problems of the environment; the message has one line for each. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(({ variable, message }) => `${variable} ${message}`).join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const NO_UPSTREAM =
  'is not set: there is no service to speak to. Set it to the base URL of the signing service (or set SIGN_WS_URL, ' +
  'or SIGN_TRANSPORT_URL for announcements alone). To try it without any account, run ' +
  '`npx sign-elements-sandbox`: it stands in for the service, and prints its address and a key';

/**
 * Reads and checks the whole configuration.
 * @throws ConfigError that lists every problem.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const problems: ConfigProblem[] = [];
  const report: Report = (variable, message) => void problems.push({ variable, message });
  const read = variables(env, report);
  if (!read.text('SIGN_API_URL') && !read.text('SIGN_WS_URL') && !read.text('SIGN_TRANSPORT_URL')) {
    report('SIGN_API_URL', NO_UPSTREAM);
  }
  const file = read.text('SIGN_SITES');
  const base = readVariables(file === null ? env : withoutSite(env), report);
  const sites = file === null ? [] : readSiteFile(env, file, report);
  const config: Config = {
    ...base,
    sites: sites.map(({ entry, env: own, report: reportOwn, ticketKeys }) => ({
      ...readVariables(own, reportOwn),
      site: entry.name,
      features: entry.features ?? FEATURES,
      tickets: entry.tickets ?? 'off',
      ticketKeys,
      signers: (entry.signers ?? []).map((signer) => signer.toLowerCase()),
      contextFields: entry.context ?? base.contextFields,
    })),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Names in `env` that begin like ours and are none, such as a misspelled one: the variable that was meant has its default. */
export function unknownVariables(env: NodeJS.ProcessEnv): readonly string[] {
  const known = new Set(['SIGN_SITES']);
  const recording = new Proxy<NodeJS.ProcessEnv>({}, { get: (_, name) => void known.add(String(name)) });
  readVariables(recording, () => undefined);
  return Object.keys(env).filter((name) => name.startsWith('SIGN_') && !known.has(name));
}

/** The configuration of one site. */
function readVariables(env: NodeJS.ProcessEnv, report: Report): Config {
  const read = variables(env, report);
  const apiUrl = read.baseUrl('SIGN_API_URL', ['https', 'http']);
  const wsUrl = read.baseUrl('SIGN_WS_URL', ['wss', 'ws']) ?? apiUrl?.replace(/^http/, 'ws') ?? null;
  const readCap = (name: string): number | null =>
    read.text(name) === null ? null : read.integer(name, 0, { min: 0, max: 999_999_999 });
  return {
    site: 'default',
    sites: [],
    features: FEATURES,
    ...readTickets(env, report),
    signers: [],
    contextFields: ['application'],
    host: read.host('HOST', '127.0.0.1'),
    port: read.integer('PORT', 8787, { min: 0, max: 65_535 }),
    operationsPort:
      read.text('SIGN_OPERATIONS_PORT') === null
        ? null
        : read.integer('SIGN_OPERATIONS_PORT', 0, { min: 0, max: 65_535 }),
    path: read.path('SIGN_PATH', '/sign'),
    apiUrl,
    wsUrl,
    apiKey: readSecret(env, 'SIGN_API_KEY', report),
    transport: readTransport(env, report),
    allowedOrigins: read.origins('SIGN_ALLOWED_ORIGINS'),
    operatorToken: readSecret(env, 'SIGN_OPERATOR_TOKEN', report),
    maxSocketsPerClient: read.integer('SIGN_MAX_SOCKETS_PER_CLIENT', 32, { min: 1, max: 100_000 }),
    requestsPerMinute: read.integer('SIGN_REQUESTS_PER_MINUTE', 600, { min: 1, max: 1_000_000 }),
    messagesPerMinute: read.integer('SIGN_MESSAGES_PER_MINUTE', 240, { min: 1, max: 1_000_000 }),
    generatesPerMinute: read.integer('SIGN_GENERATES_PER_MINUTE', 120, { min: 1, max: 1_000_000 }),
    dailySeconds: readCap('SIGN_DAILY_SECONDS'),
    monthlySeconds: readCap('SIGN_MONTHLY_SECONDS'),
    dailyCharacters: readCap('SIGN_DAILY_CHARACTERS'),
    monthlyCharacters: readCap('SIGN_MONTHLY_CHARACTERS'),
    spendingFile: read.text('SIGN_SPENDING_FILE'),
    redisUrl: readRedisUrl(env, report),
    trustProxy: read.addressRanges('SIGN_TRUST_PROXY'),
    maxTextBytes: read.integer('SIGN_MAX_TEXT_BYTES', 20_000, { min: 1, max: 200_000 }),
    allowedHosts: read.hostNames('SIGN_ALLOWED_HOSTS'),
    forwardClientAddress: read.flag('SIGN_FORWARD_CLIENT_ADDRESS'),
    drainDelay: read.integer('SIGN_DRAIN_DELAY', 0, { min: 0, max: 3_600 }),
    keptFiles: read.text('SIGN_KEPT_FILES'),
    elementsDir: join(import.meta.dirname, 'cdn'),
  };
}

function readTickets(env: NodeJS.ProcessEnv, report: Report): Pick<Config, 'tickets' | 'ticketKeys'> {
  const tickets = env.SIGN_TICKETS?.trim() || 'off';
  if (tickets !== 'off' && tickets !== 'required') report('SIGN_TICKETS', 'is neither off nor required');
  const key = readSecret(env, 'SIGN_TICKET_KEY', report);
  if (tickets === 'required' && key === null)
    report('SIGN_TICKET_KEY', 'is not set, and tickets are required');
  return {
    tickets: tickets === 'required' ? 'required' : 'off',
    ticketKeys: key === null ? {} : { [DEFAULT_KEY_ID]: key },
  };
}

/** The announcement API needs all four of its variables; each missing one is a problem. */
function readTransport(env: NodeJS.ProcessEnv, report: Report): TransportConfig | null {
  const names = ['SIGN_TRANSPORT_URL', 'SIGN_AUTH_URL', 'SIGN_CLIENT_ID', 'SIGN_CLIENT_SECRET'];
  const missing = names.filter((name) => !env[name]?.trim());
  // Only the secret may come from a file.
  if (env.SIGN_CLIENT_SECRET_FILE && missing.at(-1) === 'SIGN_CLIENT_SECRET') missing.pop();
  else if (missing.length === names.length) return null;
  for (const name of missing) report(name, `is not set, and announcements need all of ${names.join(', ')}`);
  const read = variables(env, report);
  const url = read.baseUrl('SIGN_TRANSPORT_URL', ['https', 'http']);
  const authUrl = read.baseUrl('SIGN_AUTH_URL', ['https', 'http']);
  const clientId = read.text('SIGN_CLIENT_ID');
  // The text after a colon would be read as the secret (RFC 7617, 2).
  if (clientId?.includes(':')) report('SIGN_CLIENT_ID', 'must not hold a colon');
  const clientSecret = readSecret(env, 'SIGN_CLIENT_SECRET', report);
  return url && authUrl && clientId && clientSecret ? { url, authUrl, clientId, clientSecret } : null;
}

/** The whole URL is a secret, because it may contain a password. It may be short, because it may have no password. */
function readRedisUrl(env: NodeJS.ProcessEnv, report: Report): string | null {
  const value = readSecret(env, 'SIGN_REDIS_URL', report, 'redis://a'.length);
  if (value === null || isRedisUrl(value)) return value;
  const variable = env.SIGN_REDIS_URL_FILE ? 'SIGN_REDIS_URL_FILE' : 'SIGN_REDIS_URL';
  report(
    variable,
    'is not a URL that begins with redis:// or rediss:// and has at most a database’s number as its path',
  );
  return null;
}

/** True for a URL that node-redis accepts. */
const isRedisUrl = (value: string): boolean =>
  /^rediss?:\/\/./.test(value) &&
  URL.canParse(value) &&
  /^\/?\d*$/.test(new URL(value).pathname) &&
  decoded(value, 'username') !== null &&
  decoded(value, 'password') !== null;

/** The user or password of a URL; empty when there is none, null when it cannot be decoded. */
function decoded(url: string, part: 'username' | 'password'): string | null {
  try {
    return decodeURIComponent(new URL(url)[part]);
  } catch {
    return null;
  }
}

/** Every secret of the configuration and its sites, and the password of Redis by itself. */
export function secretsOf({
  apiKey,
  transport,
  operatorToken,
  redisUrl,
  sites,
  ticketKeys,
}: Config): readonly string[] {
  const password = redisUrl === null ? null : decoded(redisUrl, 'password');
  const ofSites = sites.flatMap(secretsOf);
  const secrets = [
    ...Object.values(ticketKeys),
    apiKey,
    transport?.clientSecret,
    operatorToken,
    redisUrl,
    password,
    ...ofSites,
  ];
  // A short one would be found by chance.
  return secrets.filter((secret): secret is string => typeof secret === 'string' && isSecret(secret));
}
