// The live sessions of document 2 (Endpoints): pages look one up, the operator makes, lists, sees and stops them. Policy:
// a session costs money and holds keys, so all but the look-up needs the operator's token, which never goes up; a page
// gets its view (live-view.ts). What the operator gets is kept by no cache, whatever the service says, and the look-up
// varies with the token. A look-up with a token that is wrong is 401, for whoever sends one wants the whole. An error of
// the service in words that cannot be read comes down as a code by its status, which says whether it is final.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isFinalStatus, ownErrors } from '../../src/protocol/sign-error.ts';
import { ProblemError } from '../problem-reply.ts';
import { type AddressRules, checkAddresses } from '../requests/body-addresses.ts';
import { BODY_BYTES, objectBody } from '../requests/json-body.ts';
import { type Asked, askWithKey, type KeyedParts } from '../requests/keyed-request.ts';
import { liveView } from '../requests/live-view.ts';
import { onlyServe } from '../requests/only-serve.ts';
import type { Operator } from '../requests/operator.ts';
import { answerDown, queryUp, segmentUp } from '../requests/pass-on.ts';
import type { UpstreamAnswer } from '../upstream/upstream.ts';

const SESSIONS = '/v2/live/sessions';
const LIST_QUERY = ['cursor'] as const;

export interface LiveParts extends KeyedParts, AddressRules {
  readonly apiUrl: string;
  readonly operator: Operator;
}

export function liveRoutes(scope: FastifyInstance, parts: LiveParts): void {
  const { apiUrl, operator } = parts;
  const secrets = parts.credentials.filter;
  const forOperator = { onRequest: async (request: FastifyRequest) => operator.check(request) };

  const whole = async (request: FastifyRequest, reply: FastifyReply, what: Asked): Promise<FastifyReply> => {
    const answer = await askWithKey(request, reply, what, parts);
    const headers = { ...answer.headers, 'cache-control': 'no-store' };
    return answerDown(reply, { ...answer, headers }, secrets, apiUrl + what.path);
  };

  scope.post(SESSIONS, { ...forOperator, bodyLimit: BODY_BYTES }, async (request, reply) => {
    const body = objectBody(request);
    await checkAddresses(body, '', parts);
    return whole(request, reply, { method: 'POST', path: SESSIONS, body: JSON.stringify(body) });
  });
  scope.get(SESSIONS, forOperator, async (request, reply) =>
    whole(request, reply, { method: 'GET', path: SESSIONS + queryUp(request, LIST_QUERY), route: SESSIONS }),
  );
  onlyServe(scope, SESSIONS, ['GET', 'HEAD', 'POST']);

  const one = `${SESSIONS}/:id`;
  scope.get(one, async (request, reply) => {
    const what = { method: 'GET', path: `${SESSIONS}/${segmentUp(request, 'id')}`, route: one } as const;
    reply.header('vary', 'Origin, Authorization');
    if (operator.isClaimedBy(request)) {
      operator.check(request);
      return whole(request, reply, what);
    }
    const answer = await askWithKey(request, reply, what, parts);
    return answerDown(reply, pageView(answer), secrets, apiUrl + what.path);
  });
  scope.delete(one, forOperator, async (request, reply) =>
    whole(request, reply, { method: 'DELETE', path: `${SESSIONS}/${segmentUp(request, 'id')}`, route: one }),
  );
  onlyServe(scope, one, ['GET', 'HEAD', 'DELETE']);
}

/** The answer as a page may see it. What cannot be read cannot be searched for what a page may not see. */
function pageView(answer: UpstreamAnswer): UpstreamAnswer {
  const view = liveView(answer.status, parsed(answer.body));
  if (view === null) throw unreadable(answer.status);
  const headers = { ...answer.headers, 'content-type': 'application/json' };
  return { ...answer, headers, body: Buffer.from(JSON.stringify(view)) };
}

/** A page asks again after `protocol_error`, and not after what is final. */
function unreadable(status: number): ProblemError {
  if (status === 404)
    return new ProblemError('not_found', { extra: { detail: ownErrors.not_found.meaning } });
  const isError = status >= 400 && status < 600;
  return new ProblemError(
    isFinalStatus(status) ? 'invalid_request' : 'protocol_error',
    isError ? { status } : {},
  );
}

function parsed(body: Buffer): unknown {
  try {
    // A decoder lets a byte order mark go, as a page's does with all that passes unread.
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
