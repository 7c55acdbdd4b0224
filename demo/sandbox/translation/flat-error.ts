// Errors of document 2 outside its live half (Errors, envelope 1): `{ error, details? }`.
// - Every error of a request has this envelope, also the error for a wrong method.
// - A body that cannot be parsed is the documented 400 of its route.
// - When the document shows no code, the code is the name of the status.
// - An internal error is printed, and the client gets no description of it.
import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FaultDeps, onlyMethods, restFaults, unreadableBody } from '../rest.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Codes that document 2 shows for a status of this route. */
    readonly codes?: Readonly<Partial<Record<number, string>>>;
  }
}

/** An answer other than success: its status, `error` (a code, or a message where the document has one) and `details`. */
export class FlatError extends Error {
  override readonly name = 'FlatError';
  readonly status: number;
  readonly code: string;
  readonly details: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    details?: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(details ?? code);
    this.status = status;
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

/** The code of a status on the requested route. */
const codeOf = (status: number, request: FastifyRequest): string =>
  request.routeOptions.config.codes?.[status] ??
  (STATUS_CODES[status] ?? `status ${status}`).toLowerCase().replace(/[^a-z0-9]+/g, '_');

const send = (reply: FastifyReply, { status, code, details, headers }: FlatError): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send({ error: code, ...(details === undefined ? {} : { details }) });

/** The 400 of the requested route. */
export const badRequest = (request: FastifyRequest, details: string): FlatError =>
  new FlatError(400, codeOf(400, request), details);

/** Answers 405 at `url` to every method except `allowed`. */
export const onlyServe = (app: FastifyInstance, url: string, allowed: 'GET' | 'POST'): void =>
  onlyMethods(app, url, [allowed], (why, headers) => new FlatError(405, 'method_not_allowed', why, headers));

/** Puts every error of the routes in `app` into the envelope, and applies the faults in force to them. */
export function answerFlat(app: FastifyInstance, deps: FaultDeps): void {
  app.removeContentTypeParser('text/plain');
  app.addHook(
    'onRequest',
    restFaults(deps, (status, request, reply) => send(reply, new FlatError(status, codeOf(status, request)))),
  );
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error instanceof FlatError) return send(reply, error);
    const body = unreadableBody(error);
    if (body !== null) return send(reply, badRequest(request, body));
    console.error(error);
    return send(reply, new FlatError(500, 'internal_error'));
  });
}
