// Who may do what pages may not (SEMANTICS, operator). Policy: without a configured token nobody may (403); a missing or a
// wrong one is 401; compared in constant time, whatever the lengths.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../problem-reply.ts';

export interface Operator {
  /** True when the request carries a token, right or wrong. A browser's own Basic credentials are none. */
  isClaimedBy(request: FastifyRequest): boolean;
  /** True when the request carries the operator's token. */
  is(request: FastifyRequest): boolean;
  /** @throws ProblemError 403 `operator_only` or 401 `unauthorized` when it is not the operator's */
  check(request: FastifyRequest): void;
}

const digest = (word: string): Buffer => createHash('sha256').update(word).digest();

/** `token` is asked at each call, because it may be replaced while the proxy runs. */
export function operatorWith(token: () => string | null): Operator {
  const isClaimedBy = ({ headers }: FastifyRequest): boolean =>
    /^Bearer\b/i.test(headers.authorization ?? '');
  const is = ({ headers }: FastifyRequest): boolean => {
    const right = token();
    const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    return right !== null && given !== undefined && timingSafeEqual(digest(given), digest(right));
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
