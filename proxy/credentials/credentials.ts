// The secrets that the proxy uses now; SIGHUP replaces them while it runs.
// - A secret is read here when it is used and never copied, so that a replaced one counts from the next upstream
//   request, the next socket and the next operator request.
// - Responses are searched for replaced secrets too: sockets opened with them are still open. As many replaced ones are remembered
//   as there were secrets at most, because a reload may replace all, and 32 at least.
// - The secrets of all sites are searched for in what each site gets.
import { secretsOf, type Config } from '../config.ts';
import { DEFAULT_KEY_ID } from '../sites/tickets.ts';
import { createRedactor, type Redactor } from './redaction.ts';

/** The least number of replaced secrets that are remembered. */
const REMEMBERED = 32;

/** A secret by its environment variable. */
type SecretName =
  | 'SIGN_API_KEY'
  | 'SIGN_CLIENT_SECRET'
  | 'SIGN_OPERATOR_TOKEN'
  | 'SIGN_REDIS_URL'
  | 'SIGN_TICKET_KEY';

export interface Credentials {
  readonly apiKey: string | null;
  readonly clientSecret: string | null;
  readonly operatorToken: string | null;
  /** The keys of tickets, by their ids. */
  readonly ticketKeys: Config['ticketKeys'];
  /** Finds the current secrets and the replaced ones, of all sites. */
  readonly redactor: Redactor;
  /** Takes the secrets of `config` in place of the current ones; returns which of them have changed. */
  replace(config: Config): readonly SecretName[];
}

/** `ofAll` finds the secrets of all sites: it is given when these are the credentials of one of several sites. */
export function credentialsOf(config: Config, ofAll?: Redactor): Credentials {
  let current = byName(config);
  let { ticketKeys } = config;
  let remembered = [...secretsOf(config)];
  let most = Math.max(REMEMBERED, remembered.length);
  let redactor = createRedactor(ofAll === undefined ? remembered : []);
  return {
    get apiKey() {
      return current.SIGN_API_KEY;
    },
    get clientSecret() {
      return current.SIGN_CLIENT_SECRET;
    },
    get operatorToken() {
      return current.SIGN_OPERATOR_TOKEN;
    },
    get ticketKeys() {
      return ticketKeys;
    },
    redactor: ofAll ?? {
      bytes: (data) => redactor.bytes(data),
      text: (value) => redactor.text(value),
      isFree: (data, from, to) => redactor.isFree(data, from, to),
      secretsIn: (value) => redactor.secretsIn(value),
      without: (known) => redactor.without(known),
    },
    replace(config) {
      const secrets = new Set(secretsOf(config));
      const isNew = [...secrets].some((secret) => !remembered.includes(secret));
      most = Math.max(most, secrets.size);
      remembered = [...new Set([...secrets, ...remembered])].slice(0, secrets.size + most);
      if (isNew) redactor = createRedactor(remembered);
      const next = byName(config);
      const names = Object.keys(next) as SecretName[];
      const replaced = names.filter((name) => next[name] !== current[name]);
      current = next;
      ({ ticketKeys } = config);
      return replaced;
    },
  };
}

const byName = (config: Config): Readonly<Record<SecretName, string | null>> => ({
  SIGN_API_KEY: config.apiKey,
  SIGN_CLIENT_SECRET: config.transport?.clientSecret ?? null,
  SIGN_OPERATOR_TOKEN: config.operatorToken,
  SIGN_REDIS_URL: config.redisUrl,
  SIGN_TICKET_KEY: config.ticketKeys[DEFAULT_KEY_ID] ?? null,
});
