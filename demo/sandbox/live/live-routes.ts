// The live session routes of document 2 (Endpoints): create, list, get and stop.
// - Order of the checks: faults in force, key, path and method, body or id.
// - Every error is in the live envelope, and every answer carries `X-Request-Id`.
// - An id is a UUID. Anything else is answered with 400, and an id that is unknown or no longer kept with 404.
// - A stop is answered at once, also for a session that has ended.
// - A body that cannot be read is BAD_REQUEST. An internal error is printed, and the client gets no description of it.
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyError,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { isUuid } from '../ids.ts';
import { setCookies } from '../media/signed-url.ts';
import {
  apiKeyRequired,
  type FaultDeps,
  type Method,
  onlyMethods,
  restFaults,
  unreadableBody,
} from '../rest.ts';
import type { FieldNames } from '../settings.ts';
import { LiveError, codeOfStatus, requestIdOf } from './live-error.ts';
import { parseLiveRequest, type LiveRequest } from './live-request.ts';
import type { LiveSession } from './live-session.ts';
import { LiveSessions, type LiveSessionsDeps } from './live-sessions.ts';
import { cursorAfter, numberOf, viewOf } from './session-view.ts';

const send = (request: FastifyRequest, reply: FastifyReply, error: LiveError): FastifyReply =>
  reply
    .code(error.status)
    .headers(error.headers)
    .send(error.envelope(requestIdOf(request)));

/** Answers 405 at `url` to every method but those served there. */
const onlyServe = (app: FastifyInstance, url: string, served: readonly Method[]): void =>
  onlyMethods(app, url, served, (why, headers) => new LiveError('METHOD_NOT_ALLOWED', why, null, headers));

/** Puts every error of the routes in `app` into the envelope, and applies the faults in force to them. */
function answerLive(app: FastifyInstance, deps: FaultDeps): void {
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('X-Request-Id', requestIdOf(request));
    next();
  });
  app.addHook(
    'onRequest',
    // The error's own headers are not sent: the fault says whether there is a `Retry-After`.
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

/** Every path below this one answers in the live envelope, also a path without a route. */
const LIVE = '/v2/live';
const SESSIONS = '/sessions';
const ONE = `${SESSIONS}/:id`;
const options = { config: { operation: 'live_sessions' } } as const;

interface LiveDeps extends LiveSessionsDeps {
  /** The names now in force of fields that the document does not show. */
  readonly names: () => FieldNames;
  readonly apiKey: string;
}

/** @throws LiveError 400 */
function readRequest(body: unknown): LiveRequest {
  const parsed = parseLiveRequest(body);
  if (!('problems' in parsed)) return parsed;
  const { problems } = parsed;
  const message = problems.map(({ field, message: wrong }) => `${field}: ${wrong}`).join('; ');
  throw new LiveError('BAD_REQUEST', message, { fields: problems });
}

/** The sessions of the page that this cursor names have lower numbers than this. @throws LiveError 400 */
function numbersBelow(cursor: unknown): number {
  if (cursor === undefined) return Infinity;
  const number = typeof cursor === 'string' ? numberOf(cursor) : null;
  if (number === null) throw new LiveError('BAD_REQUEST', 'cursor: not one of a previous response');
  return number;
}

function sessionRoutes(app: FastifyInstance, { clock, names }: LiveDeps, live: LiveSessions): void {
  app.post(SESSIONS, options, async (request, reply) => {
    const session = await live.create(readRequest(request.body));
    const { hlsUrl = null, pipUrl = null } = session.endpoints ?? {};
    const cookies = [hlsUrl, pipUrl].flatMap((url) => (url === null ? [] : setCookies(url, clock.now())));
    if (cookies.length > 0) reply.header('Set-Cookie', cookies);
    return reply.code(201).send(viewOf(session, 'create', names()));
  });
  app.get<{ Querystring: { readonly cursor?: unknown } }>(SESSIONS, options, ({ query }) => {
    const { sessions, more } = live.page(numbersBelow(query.cursor));
    const last = sessions.at(-1);
    return {
      sessions: sessions.map((session) => viewOf(session, 'list', names())),
      ...(more && last ? { cursor: cursorAfter(last.number) } : {}),
    };
  });
  onlyServe(app, SESSIONS, ['GET', 'POST']);

  const find = (id: string): LiveSession => {
    if (!isUuid(id)) throw new LiveError('BAD_REQUEST', 'id: malformed, it is a UUID');
    const session = live.find(id.toLowerCase());
    if (!session) throw new LiveError('NOT_FOUND', 'no live session with this id');
    return session;
  };
  app.get<{ Params: { readonly id: string } }>(ONE, options, ({ params }) =>
    viewOf(find(params.id), 'get', names()),
  );
  app.delete<{ Params: { readonly id: string } }>(ONE, options, ({ params }) => {
    const session = find(params.id);
    session.stop();
    return viewOf(session, 'stop', names());
  });
  onlyServe(app, ONE, ['GET', 'DELETE']);
}

export const liveRoutes =
  (deps: LiveDeps): FastifyPluginAsync =>
  async (root) => {
    const live = new LiveSessions(deps);
    root.addHook('onClose', async () => live.close());
    const routes: FastifyPluginAsync = async (app) => {
      answerLive(app, deps);
      app.addHook(
        'onRequest',
        apiKeyRequired(deps.apiKey, (why) => new LiveError('UNAUTHORIZED', why)),
      );
      sessionRoutes(app, deps, live);
    };
    await root.register(routes, { prefix: LIVE });
  };
