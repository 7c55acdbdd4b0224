// Parses request bodies: JSON only, at most 256 kB and 16 levels deep, no `__proto__` (Fastify's parser refuses it).
// - the host's body parsers are not inherited.
// - the parsed body is what goes upstream, serialized again: a duplicate key means the same to the service and to us.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';

export const BODY_BYTES = 256 * 1024;
const MAX_DEPTH = 16;
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
  scope.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Some clients send a Content-Type with a DELETE, which has no body.
    if (request.method === 'DELETE' && body === '') done(null, undefined);
    else void parse(request, body, done);
  });
  scope.addHook('preValidation', async ({ body }) => {
    if (isDeeper(body, MAX_DEPTH)) {
      throw invalidFields([{ field: '', message: `must be at most ${MAX_DEPTH} levels deep` }]);
    }
  });
}

/** The body when it is an object. @throws ProblemError 400 */
export function objectBody({ body }: FastifyRequest): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw invalidFields([{ field: '', message: 'must be an object' }]);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
