// Parses request bodies: JSON only, at most 256 kB, 16 levels deep and 5,000 items, no `__proto__` (Fastify's parser
// refuses it).
// - the host's body parsers are not inherited.
// - the parsed body is what goes upstream, serialized again: a duplicate key means the same to the service and to us.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isTooComplex } from '../json-complexity.ts';
import { ProblemError } from '../problem.ts';

export const BODY_BYTES = 256 * 1024;
const LIMITS = { depth: 16, values: 5_000 };
const TOO_COMPLEX = `must be at most ${LIMITS.depth} levels deep and have at most ${LIMITS.values} items`;
const MAX_ERRORS = 20;

/** A wrong field, by its path (`content.data`; empty for the body itself), and what is allowed. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** 400 `invalid_request` that names the first 20 fields. */
export const invalidFields = (errors: readonly FieldProblem[]): ProblemError =>
  new ProblemError('invalid_request', { extra: { errors: errors.slice(0, MAX_ERRORS) } });

/** Makes `scope` accept JSON bodies only; routes with a body must set `bodyLimit: BODY_BYTES`. */
export function acceptJsonOnly(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Some clients send a Content-Type with a DELETE, which has no body.
    if (request.method === 'DELETE' && body.length === 0) done(null, undefined);
    else if (isTooComplex(body, LIMITS)) done(invalidFields([{ field: '', message: TOO_COMPLEX }]));
    else void parse(request, body.toString(), done);
  });
}

/** The body when it is an object. @throws ProblemError 400 */
export function objectBody({ body }: FastifyRequest): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw invalidFields([{ field: '', message: 'must be an object' }]);
}
