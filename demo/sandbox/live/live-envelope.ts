// How the live routes answer what they refuse. Policy: every error of them in the live envelope; every answer carries
// `X-Request-Id`; a body that cannot be read is BAD_REQUEST; what breaks inside is printed, not told.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxClock } from '../clock.ts';
import type { FaultsInForce } from '../faults.ts';
import { type Method, onlyMethods, restFaults, unreadableBody } from '../rest.ts';
import { codeOfStatus, LiveError, requestIdOf } from './live-error.ts';

const send = (request: FastifyRequest, reply: FastifyReply, error: LiveError): FastifyReply =>
  reply
    .code(error.status)
    .headers(error.headers)
    .send(error.envelope(requestIdOf(request)));

/** Answers 405 at `url` to every method but those served there. */
export const onlyServe = (app: FastifyInstance, url: string, served: readonly Method[]): void =>
  onlyMethods(app, url, served, (why, headers) => new LiveError('METHOD_NOT_ALLOWED', why, null, headers));

/** Puts every error of the routes in `app` into the envelope, and lets the faults in force happen to them. */
export function answerLive(
  app: FastifyInstance,
  deps: { readonly clock: SandboxClock; readonly faults: FaultsInForce },
): void {
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('X-Request-Id', requestIdOf(request));
    next();
  });
  app.addHook(
    'onRequest',
    // The fault says the status, and whether there is a `Retry-After`.
    restFaults(deps, (status, request, reply) => {
      const error = new LiveError(codeOfStatus(status), 'asked for by a fault');
      return reply.code(status).send(error.envelope(requestIdOf(request)));
    }),
  );
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error instanceof LiveError) return send(request, reply, error);
    const body = unreadableBody(error);
    if (body !== null) return send(request, reply, new LiveError('BAD_REQUEST', body));
    console.error(error);
    return send(request, reply, new LiveError('INTERNAL_ERROR', 'the sandbox failed'));
  });
  app.setNotFoundHandler(() => {
    throw new LiveError('NOT_FOUND', 'no such route');
  });
}
