// 405 with Allow for a path that is there and the method is not, where Fastify would say 404.
import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../problem-reply.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Method = (typeof METHODS)[number];

/** Call beside the routes of the same path, once, with all methods they serve. The refusal comes before a body is read. */
export function onlyServe(scope: FastifyInstance, url: string, served: readonly Method[]): void {
  const refuse = async (): Promise<never> => {
    throw new ProblemError('method_not_allowed', { headers: { allow: served.join(', ') } });
  };
  const method = METHODS.filter((name) => !served.includes(name));
  scope.route({ method, url, onRequest: refuse, handler: refuse });
}
