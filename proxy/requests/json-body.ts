// Reads the bodies that pages send. Policy: JSON and nothing else, at most 256 kB and 16 levels deep, no `__proto__`
// (Fastify's own parser refuses it); whatever parsers the host has are not inherited. What was checked is what goes up:
// a body is written anew, so that a key that stands twice means to the service what it meant to us.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '../problem-reply.ts';

export const BODY_BYTES = 256 * 1024;
const MAX_DEPTH = 16;
const MAX_ERRORS = 20;

/** A field that is wrong, by its path (`content.data`, empty for the body itself), and what it has to be. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** 400 `invalid_request` naming fields, the first 20 of them. */
export const invalidFields = (errors: readonly FieldProblem[]): ProblemError =>
  new ProblemError('invalid_request', { extra: { errors: errors.slice(0, MAX_ERRORS) } });

/** Makes `scope` take JSON bodies only; routes with one have to set `bodyLimit: BODY_BYTES`. */
export function takeJsonOnly(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // A DELETE has no body; some who send one name a type all the same.
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
