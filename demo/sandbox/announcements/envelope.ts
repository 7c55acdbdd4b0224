// The envelope of every error of the announcement API and its token server (document 1, Errors): `{ data: { status: 'FAILED',
// errorLog } }`.
// - A body that cannot be read is the documented 400; an unknown route 404; a known route with another method 405 and `Allow`.
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { type FaultDeps, onlyMethods, restFaults, unreadableBody } from '../rest.ts';
import { AnnouncementRefused } from './announcement-request.ts';

/** Bytes of a body, in both APIs. */
export const MOST_BODY = 64 * 1024;

/** A request that is not served: status, errorLog, and headers that go with it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, errorLog: string, headers: Readonly<Record<string, string>> = {}) {
    super(errorLog);
    this.status = status;
    this.headers = headers;
  }
}

function refuse(reply: FastifyReply, status: number, errorLog: string): FastifyReply {
  return reply.code(status).send({ data: { status: 'FAILED', errorLog } });
}

/** Answers 405 at `url` to every method except `allowed`. */
export const onlyServe = (app: FastifyInstance, url: string, allowed: 'GET' | 'POST'): void =>
  onlyMethods(app, url, [allowed], (why, headers) => new Refusal(405, why, headers));

/** Puts all errors of the routes in `app` into the envelope, and applies the faults in force to them. */
export function answerInEnvelope(app: FastifyInstance, deps: FaultDeps): void {
  app.removeContentTypeParser('text/plain');
  app.addHook(
    'onRequest',
    restFaults(deps, (status, _request, reply) => refuse(reply, status, 'asked for by a fault')),
  );
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'no such route'));
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    if (error instanceof Refusal) return refuse(reply.headers(error.headers), error.status, error.message);
    if (error instanceof AnnouncementRefused) return refuse(reply, 400, error.message);
    const body = unreadableBody(error);
    if (body !== null) return refuse(reply, 400, body);
    console.error(error);
    return refuse(reply, 500, 'the sandbox failed');
  });
}
