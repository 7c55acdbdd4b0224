// 405 with Allow for a path that is there and the method is not, where Fastify would say 404.
import type { FastifyInstance } from 'fastify';
import { ProblemError } from './problem-reply.ts';

/** Call beside the GET route of the same path. The refusal comes before a body is read. */
export function onlyGet(scope: FastifyInstance, url: string): void {
  const refuse = async (): Promise<never> => {
    throw new ProblemError('method_not_allowed', { headers: { allow: 'GET, HEAD' } });
  };
  scope.route({ method: ['POST', 'PUT', 'PATCH', 'DELETE'], url, onRequest: refuse, handler: refuse });
}
