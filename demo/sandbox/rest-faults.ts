// Faults of the REST operations, the same for all three documents' routes; each document answers in its own envelope.
// Policy: taken before anything else of a request is looked at, so that a client's retry finds the service as it was.
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { SandboxClock } from './clock.ts';
import type { FaultsInForce } from './faults.ts';
import type { Fault, RestOperation } from './fault-table.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name under which faults speak of this route. */
    readonly operation?: RestOperation;
  }
}

/** Answers with this status in a document's envelope. */
export type AnswerStatus = (status: number, request: FastifyRequest, reply: FastifyReply) => unknown;

/** A hook that lets the faults in force happen to the routes of one document. */
export function restFaults(
  { clock, faults }: { readonly clock: SandboxClock; readonly faults: FaultsInForce },
  answer: AnswerStatus,
): onRequestHookHandler {
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
    const callOff = clock.after(late.ms, go);
    request.raw.once('close', () => request.raw.destroyed && callOff());
  };
}
