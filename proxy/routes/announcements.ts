// `POST v1/sign-requests/train-announcements` and `GET v1/sign-requests/{requestId}` (document 1, Endpoints).
// - A token refused with 401 or 403 is renewed once and the request repeated once. If there is no other token a 403 is passed on,
//   because it may be about the request; a 401 is about the token alone (document 1, Authentication) and becomes 502.
// - Over the request rate of document 1 (announcement-budget.ts): 429, and nothing goes upstream.
// - An id that no client has submitted through this proxy or a replica is 404 here (announcement-ids.ts). While that is uncertain
//   (Redis is down, or the process has just started) it goes upstream. Such ids together have a share of the budget, and each
//   address has a third of that.
// - Equal status requests share one response, and so do equal submits while one is pending: their clients look up one id. So the
//   client's Accept does not go upstream, and the X-Request-Id of the response is the one that the service knows.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseSubmitted } from '../../src/protocol/announcement.ts';
import { isPathSegment } from '../../src/protocol/path-segment.ts';
import type { Clock } from '../clock.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { withSecret } from '../credentials/redaction.ts';
import { type AnnouncementBudget, uncertainNames } from '../limits/announcement-budget.ts';
import type { AnnouncementIds } from '../limits/announcement-ids.ts';
import type { Spending } from '../limits/spending.ts';
import type { Metrics } from '../metrics.ts';
import { allowMethods, ProblemError } from '../problem.ts';
import type { AccessTokens } from '../upstream/access-token.ts';
import { checkTicket, type TicketDeps } from '../sites/tickets.ts';
import { secondsToWait } from '../upstream/retry-after.ts';
import { sharedResponses, type SharedRules } from '../upstream/shared-responses.ts';
import type { Upstream, UpstreamResponse, UpstreamRequest } from '../upstream/upstream.ts';
import {
  sendToClient,
  upstreamHeaders,
  upstreamQuery,
  pathSegment,
  type UpstreamRequestRules,
} from './forward.ts';
import { type PaidDeps, take, takePaid } from './guard.ts';
import { objectBody } from './json-body.ts';

const REQUESTS = '/v1/sign-requests';
const SUBMIT = `${REQUESTS}/train-announcements`;
const STATUS_QUERY = ['filter'] as const;
/** How long nothing is sent after a 429 without Retry-After, and the longest such time that a Retry-After can set. */
const HOLD_SECONDS = 5;
const MAX_HOLD_SECONDS = 300;

const SPENT = 'the announcement requests that the service allows are used up for now';
const NO_ANNOUNCEMENT = 'no page has asked for an announcement with this id';

interface AnnouncementDeps extends UpstreamRequestRules, PaidDeps, TicketDeps {
  readonly transportUrl: string;
  readonly clock: Clock;
  readonly budget: AnnouncementBudget;
  readonly ids: AnnouncementIds;
  readonly metrics: Metrics;
  readonly credentials: Credentials;
  readonly spending: Pick<Spending, 'check'>;
  readonly tokens: AccessTokens;
  /** Sends requests to `transportUrl`. */
  readonly upstream: Upstream;
}

interface TokenResponse {
  readonly response: UpstreamResponse;
  /** The token that was sent. */
  readonly token: string;
}

export function announcementRoutes(scope: FastifyInstance, deps: AnnouncementDeps): void {
  const { transportUrl, clock, credentials, ids } = deps;
  const rules: SharedRules<TokenResponse> = {
    bytesOf: ({ response }) => response.body.length,
    hasFailed: ({ response }) => response.status >= 400,
  };
  const lookUps = sharedResponses(clock, rules);
  // Not kept: a client that submits again after the response wants another announcement.
  const submits = sharedResponses(clock, { ...rules, isKept: false });

  /** The headers of a request whose response other clients may get too. */
  const sharedHeaders = (request: FastifyRequest): Record<string, string> => ({
    ...upstreamHeaders(request, deps, {}),
    Accept: 'application/json',
  });

  /** The response to an equal request of another client, else to this request. */
  const requestShared = async (
    share: typeof lookUps,
    request: FastifyRequest,
    upstreamRequest: UpstreamRequest,
    alsoCountedFor: readonly string[] = [],
  ): Promise<TokenResponse> => {
    // The service may bind its response to the viewer's address: such responses are not shared.
    const key = [
      upstreamRequest.headers['X-Forwarded-For'] ?? '',
      upstreamRequest.path,
      upstreamRequest.body ?? '',
    ].join(' ');
    return share(key, () => requestWithToken(request, upstreamRequest, deps, alsoCountedFor));
  };

  const send = (reply: FastifyReply, { response, token }: TokenResponse, path: string): FastifyReply =>
    sendToClient(reply, response, withSecret(credentials.redactor, token), transportUrl + path);

  scope.post(SUBMIT, async (request, reply) => {
    const body = objectBody(request);
    checkTicket(deps, request.raw);
    await takePaid(deps, request);
    // An announcement costs money too, though it has no seconds that could be counted.
    await deps.spending.check();
    const headers = sharedHeaders(request);
    const upstreamRequest = { method: 'POST', path: SUBMIT, headers, body: JSON.stringify(body) } as const;
    const submitted = await requestShared(submits, request, upstreamRequest);
    const id = idOf(submitted.response);
    if (id !== null) await ids.add(id);
    return send(reply, submitted, SUBMIT);
  });
  allowMethods(scope, SUBMIT, ['POST']);

  const status = `${REQUESTS}/:requestId`;
  scope.get(status, async (request: FastifyRequest, reply) => {
    const id = pathSegment(request, 'requestId');
    const path = `${REQUESTS}/${id}${upstreamQuery(request, STATUS_QUERY)}`;
    const knowledge = await ids.get(id);
    if (knowledge === 'unknown') throw new ProblemError('not_found', { extra: { detail: NO_ANNOUNCEMENT } });
    const upstreamRequest = { method: 'GET', path, route: status, headers: sharedHeaders(request) } as const;
    const alsoCountedFor = knowledge === 'known' ? [] : uncertainNames(deps.clients.networksOf(request.raw));
    const received = await requestShared(lookUps, request, upstreamRequest, alsoCountedFor);
    if (received.response.status === 404) ids.missing(id);
    else if (knowledge === 'uncertain' && received.response.status < 400) await ids.add(id);
    return send(reply, received, path);
  });
  allowMethods(scope, status, ['GET', 'HEAD']);
}

/** Counted for the client of this request and for `alsoCountedFor`; clients that share the response are not counted. */
async function requestWithToken(
  request: FastifyRequest,
  upstreamRequest: UpstreamRequest,
  { budget, clients, metrics, tokens, upstream }: AnnouncementDeps,
  alsoCountedFor: readonly string[],
): Promise<TokenResponse> {
  const networks = [...clients.networksOf(request.raw), ...alsoCountedFor];
  const kind = upstreamRequest.method === 'POST' ? 'submit' : 'look-up';
  const onTry = (): Promise<void> =>
    take(() => budget.take(networks, kind), 'announcement_budget', metrics, SPENT);

  const requestWith = async (token: string): Promise<TokenResponse> => {
    const headers = { ...upstreamRequest.headers, Authorization: `Bearer ${token}` };
    const client = clients.keyOf(request.raw);
    const response = await upstream.request({ ...upstreamRequest, headers, client, onTry });
    if (response.status === 429) {
      budget.hold(Math.min(secondsToWait(response.headers) ?? HOLD_SECONDS, MAX_HOLD_SECONDS));
    }
    return { response, token };
  };

  const first = await requestWith(await tokens.get());
  const { status } = first.response;
  if (status !== 401 && status !== 403) return first;
  const another = await tokens.another(first.token).catch((error: unknown) => {
    if (status === 401) throw error;
    return null;
  });
  return another === null ? first : requestWith(another);
}

/** The id of a submit response (document 1), also of one with status 201 or 202 in place of 200; null when it has none. */
function idOf({ status, body }: UpstreamResponse): string | null {
  if (status < 200 || status > 299) return null;
  try {
    const id = parseSubmitted(JSON.parse(new TextDecoder().decode(body)));
    return id !== null && isPathSegment(id) ? encodeURIComponent(id) : null;
  } catch {
    return null;
  }
}
