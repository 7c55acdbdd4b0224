// What the REST routes of all documents share: the API key, the faults, and refusals before the body is read.
// - Each document has its own envelope for errors.
// - A fault is applied before anything else. So a request with a fault changes nothing, and the client's retry finds the same
//   state.
// - `X-API-KEY` (document 2, Authentication) is checked before the body is read, in constant time. No answer repeats it.
// - A body that cannot be parsed is the client's error. A route that does not have the requested method names its methods.
import { createHash, timingSafeEqual } from 'node:crypto';
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify';
import type { SandboxClock } from './clock.ts';
import type { Fault, RestOperation } from './fault-table.ts';
import type { FaultsInForce } from './faults.ts';

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Compares in constant time. */
export const isSame = (given: string, right: string): boolean =>
  timingSafeEqual(digestOf(given), digestOf(right));

/** A hook that accepts requests with this key. `refuse` makes the 401 in the envelope of the routes. */
export function apiKeyRequired(apiKey: string, refuse: (why: string) => Error): onRequestHookHandler {
  return (request, _reply, next) => {
    const given = request.headers['x-api-key'];
    if (typeof given === 'string' && isSame(given, apiKey)) next();
    else next(refuse('X-API-KEY is absent or incorrect'));
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of this route in faults. */
    readonly operation?: RestOperation;
  }
}

/** Answers with this status in a document's envelope. */
type AnswerStatus = (status: number, request: FastifyRequest, reply: FastifyReply) => unknown;

export interface FaultDeps {
  readonly clock: SandboxClock;
  readonly faults: FaultsInForce;
}

/** A hook that applies the faults in force to the routes of one document. */
export function restFaults({ clock, faults }: FaultDeps, answer: AnswerStatus): onRequestHookHandler {
  return (request, reply, next) => {
    const { operation } = request.routeOptions.config;
    const fits = (fault: Fault): boolean =>
      !('operation' in fault) || fault.operation === undefined || fault.operation === operation;
    if (faults.take('rest_silence', fits)) return;
    const failed = faults.take('rest_error', fits);
    const late = faults.take('rest_latency', fits);
    const go = (): void => {
      if (!failed) return next();
      if (failed.retry_after !== undefined) reply.header('Retry-After', String(failed.retry_after));
      answer(failed.status, request, reply);
    };
    if (!late) return go();
    const cancel = clock.after(late.ms, go);
    request.raw.once('close', () => request.raw.destroyed && cancel());
  };
}

const unreadable: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Content-Type: not the documented one',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body: too large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'body: empty',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'body: not as long as Content-Length says',
};

/** Why the framework could not parse a request's body; null for another error. */
export function unreadableBody({ statusCode, code }: FastifyError): string | null {
  if (statusCode === undefined || statusCode >= 500) return null;
  return unreadable[code] ?? 'body: not JSON';
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof methods)[number];

/** Makes the error of a 405, with its header. */
type Refuse = (why: string, headers: { readonly Allow: string }) => Error;

/** Refuses every method except those `served` at `url`, before a body is read. */
export function onlyMethods(
  app: FastifyInstance,
  url: string,
  served: readonly Method[],
  refuse: Refuse,
): void {
  const Allow = served.join(', ');
  app.route({
    method: methods.filter((method) => !served.includes(method)),
    url,
    onRequest: (_request, _reply, next) => next(refuse(`only ${Allow} is served here`, { Allow })),
    handler: () => undefined,
  });
}
