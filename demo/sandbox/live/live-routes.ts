// The live sessions of document 2 (Endpoints): create, list, get and stop. Policy of a request, in this order: the faults in
// force, its key, its path and method, its body or id; every answer is in the live envelope. An id is a UUID: anything else is
// malformed (400), one that is not known (any more) 404. Stopping answers at once, also a session that has ended already.
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { apiKeyRequired } from '../rest.ts';
import type { FieldNames } from '../settings.ts';
import { setCookies } from '../media/signed-url.ts';
import { isUuid } from '../ids.ts';
import { answerLive, onlyServe } from './live-envelope.ts';
import { LiveError } from './live-error.ts';
import { parseLiveRequest, type LiveRequest } from './live-request.ts';
import type { LiveSession } from './live-session.ts';
import { LiveSessions, type LiveSessionsParts } from './live-sessions.ts';
import { cursorAfter, numberOf } from './page-cursor.ts';
import { viewOf } from './session-view.ts';

/** Every path below it answers in the live envelope, those too that there is nothing at. */
const LIVE = '/v2/live';
const SESSIONS = '/sessions';
const ONE = `${SESSIONS}/:id`;
const options = { config: { operation: 'live_sessions' } } as const;

export interface LiveDeps extends LiveSessionsParts {
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

/** The number before which the asked page begins. @throws LiveError 400 */
function placeOf(cursor: unknown): number {
  if (cursor === undefined) return Infinity;
  const place = typeof cursor === 'string' ? numberOf(cursor) : null;
  if (place === null) throw new LiveError('BAD_REQUEST', 'cursor: not one of a previous response');
  return place;
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
    const { sessions, more } = live.page(placeOf(query.cursor));
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
