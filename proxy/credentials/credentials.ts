// The secrets that the proxy holds now, and may be given anew while it runs. Policy: whoever uses one reads it here at
// the moment of use and keeps no copy, so that a replaced key counts from the next upstream request, the next socket and
// the next operator's call on; what leaves is searched for the old ones too, because sockets opened with them live on and
// the service may still speak of them. The 32 latest secrets are remembered, the ones of now always.
// One that is longer than 128 characters (a signed token, say) is searched for as access tokens are: the pattern of all
// spellings of 2,000 characters holds everything up for seconds, that of 8,000 the engine refuses.
import { isDeepStrictEqual } from 'node:util';
import { secretsOf, type Config } from '../config.ts';
import { secretFilter, type SecretFilter } from './secret-filter.ts';
import { hidingTokens } from './token-filter.ts';

const REMEMBERED = 32;
const LONGEST_BY_PATTERN = 128;

/** A secret by its variable, as an operator knows it. */
export type SecretName = 'SIGN_API_KEY' | 'SIGN_CLIENT_SECRET' | 'SIGN_OPERATOR_TOKEN' | 'SIGN_REDIS_URL';

export interface Credentials {
  readonly apiKey: string | null;
  readonly clientSecret: string | null;
  readonly operatorToken: string | null;
  /** Finds every secret of now and of before. */
  readonly filter: SecretFilter;
  /** Takes the secrets of `config` in place of its own; returns which of them are others. */
  replace(config: Config): readonly SecretName[];
}

export function credentialsOf(config: Config): Credentials {
  let now = byName(config);
  let remembered = [...secretsOf(config)];
  let filter = filterOf(remembered);
  return {
    get apiKey() {
      return now.SIGN_API_KEY;
    },
    get clientSecret() {
      return now.SIGN_CLIENT_SECRET;
    },
    get operatorToken() {
      return now.SIGN_OPERATOR_TOKEN;
    },
    filter: { bytes: (data) => filter.bytes(data), text: (value) => filter.text(value) },
    replace(config) {
      const next = byName(config);
      if (isDeepStrictEqual(next, now)) return [];
      const names = Object.keys(next) as SecretName[];
      const replaced = names.filter((name) => next[name] !== now[name]);
      remembered = [...new Set([...secretsOf(config), ...remembered])].slice(0, REMEMBERED);
      filter = filterOf(remembered);
      now = next;
      return replaced;
    },
  };
}

/** The longest goes first: where one secret begins like another, the whole of it goes. */
function filterOf(secrets: readonly string[]): SecretFilter {
  const byPattern = secrets.filter(({ length }) => length <= LONGEST_BY_PATTERN);
  return secrets
    .filter((secret) => !byPattern.includes(secret))
    .toSorted((a, b) => a.length - b.length)
    .reduce((filter, secret) => hidingTokens(filter)(secret), secretFilter(byPattern));
}

const byName = (config: Config): Readonly<Record<SecretName, string | null>> => ({
  SIGN_API_KEY: config.apiKey,
  SIGN_CLIENT_SECRET: config.transport?.clientSecret ?? null,
  SIGN_OPERATOR_TOKEN: config.operatorToken,
  SIGN_REDIS_URL: config.redisUrl,
});
