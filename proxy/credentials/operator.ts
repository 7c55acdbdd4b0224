// The check of the operator token (SEMANTICS, operator).
// - no token configured: 403. Token missing or wrong: 401. It is compared in constant time.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';

export interface Operator {
  /** True when the request carries a bearer token, right or wrong. Basic credentials of a browser do not count. */
  isClaimedBy(request: FastifyRequest): boolean;
  /** True when the request carries the operator's token. */
  is(request: FastifyRequest): boolean;
  /** @throws ProblemError 403 `operator_only` or 401 `unauthorized` when it is not the operator's */
  check(request: FastifyRequest): void;
}

const digest = (word: string): Buffer => createHash('sha256').update(word).digest();

/** `token` is called at each check, because the token may be replaced while the proxy runs. */
export function operatorWith(token: () => string | null): Operator {
  const isClaimedBy = ({ headers }: FastifyRequest): boolean =>
    /^Bearer\b/i.test(headers.authorization ?? '');
  const is = ({ headers }: FastifyRequest): boolean => {
    const expected = token();
    const actual = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    return expected !== null && actual !== undefined && timingSafeEqual(digest(actual), digest(expected));
  };
  return {
    isClaimedBy,
    is,
    check(request) {
      if (token() === null) throw new ProblemError('operator_only');
      if (!is(request)) throw new ProblemError('unauthorized');
    },
  };
}
