// The route that sets faults: GET lists what can be asked for, POST replaces what is in force. Policy: for tools on this
// machine only: loopback address and loopback host name (a rebound name is refused), JSON only and no CORS header, so that
// no page can reach it.
import type { FastifyError, FastifyPluginCallback } from 'fastify';
import { FaultListError, faultMenu } from './faults.ts';
import type { Fault } from './fault-table.ts';

export const CONTROL_PATH = '/sandbox/faults';
const MOST_BYTES = 64 * 1024;
const ownHosts = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** What the route does in the sandbox. */
export interface Control {
  readonly inForce: readonly Fault[];
  /** @throws FaultListError */
  setFaults(list: unknown): void;
}

const problem = (error: string, problems: readonly string[] = []) => ({ error, problems });

/** What the framework says of a body that it cannot read. */
const unreadable: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'application/json only',
  FST_ERR_CTP_BODY_TOO_LARGE: `at most ${MOST_BYTES} bytes`,
};

export const controlRoute =
  (control: Control): FastifyPluginCallback =>
  (app, _, done) => {
    app.removeContentTypeParser('text/plain');
    app.addHook('onRequest', (request, reply, next) => {
      if (ownHosts.test(request.headers.host ?? '')) next();
      else void reply.code(403).send(problem('loopback only'));
    });
    app.setErrorHandler<FastifyError>((error, _request, reply) => {
      if (error instanceof FaultListError) {
        return reply.code(400).send(problem('not a list of faults', error.problems));
      }
      const status = error.statusCode ?? 500;
      if (status >= 500) console.error(error);
      return reply.code(status).send(problem(unreadable[error.code] ?? 'not JSON'));
    });
    app.get(CONTROL_PATH, () => ({ faults: faultMenu, in_force: control.inForce }));
    app.post(CONTROL_PATH, { bodyLimit: MOST_BYTES }, (request) => {
      control.setFaults(request.body ?? null);
      return { in_force: control.inForce };
    });
    app.route({
      method: ['PUT', 'DELETE', 'PATCH'],
      url: CONTROL_PATH,
      handler: (_request, reply) => reply.code(405).send(problem('GET or POST')),
    });
    done();
  };
