// The check of the operator token (SEMANTICS, operator).
// - No token configured: 403. Token missing or wrong: 401. It is compared in constant time.
// - A token is hashed once for each request, because a client may send one of 16 kB to a proxy of 300 sites.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';

export interface Operator {
  /** True when the request carries a bearer token, right or wrong. Basic credentials of a browser do not count. */
  isClaimedBy(request: FastifyRequest): boolean;
  /** True when the request carries the operator's token. */
  is(request: FastifyRequest): boolean;
  /** The same for what bearerOf() gives. */
  isBearer(bearer: Bearer | null): boolean;
  /** @throws ProblemError 403 `operator_only` or 401 `unauthorized` when it is not the operator's */
  check(request: FastifyRequest): void;
}

/** The hash of a token. */
type Bearer = Buffer;

const digest = (word: string): Bearer => createHash('sha256').update(word).digest();

/** The token that a request carries; null when it carries none. */
export function bearerOf({ headers }: FastifyRequest): Bearer | null {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return token === undefined ? null : digest(token);
}

/** `token` is called at each check, because the token may be replaced while the proxy runs. */
export function operatorWith(token: () => string | null): Operator {
  const isClaimedBy = ({ headers }: FastifyRequest): boolean =>
    /^Bearer\b/i.test(headers.authorization ?? '');
  let latest: { readonly token: string; readonly bearer: Bearer } | null = null;
  const expected = (): Bearer | null => {
    const current = token();
    if (current === null) return null;
    if (latest?.token !== current) latest = { token: current, bearer: digest(current) };
    return latest.bearer;
  };
  const isBearer = (bearer: Bearer | null): boolean => {
    const own = expected();
    return own !== null && bearer !== null && timingSafeEqual(bearer, own);
  };
  const is = (request: FastifyRequest): boolean => isBearer(bearerOf(request));
  return {
    isClaimedBy,
    is,
    isBearer,
    check(request) {
      if (token() === null) throw new ProblemError('operator_only');
      if (!is(request)) throw new ProblemError('unauthorized');
    },
  };
}
