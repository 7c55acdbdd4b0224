// `POST v1/sign-requests/train-announcements` and `GET v1/sign-requests/{requestId}` (document 1, Endpoints).
// - a token refused with 401 or 403 is renewed once and the request repeated once. If there is no other token the
//   refusal is passed on, because it may be about the request.
// - over the request rate of document 1 (announcement-budget.ts): 429, and nothing goes upstream.
// - equal status requests share one response. So the client's Accept does not go upstream, and the X-Request-Id of the
//   response is the one that the service knows.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { withSecret } from '../credentials/redaction.ts';
import type { AnnouncementBudget } from '../limits/announcement-budget.ts';
import type { Metrics } from '../metrics.ts';
import { allowMethods, ProblemError } from '../problem.ts';
import type { AccessTokens } from '../upstream/access-token.ts';
import { sharedResponses } from '../upstream/shared-responses.ts';
import type { Upstream, UpstreamResponse, UpstreamRequest } from '../upstream/upstream.ts';
import {
  sendToClient,
  upstreamHeaders,
  upstreamQuery,
  secondsToWait,
  pathSegment,
  type UpstreamRequestRules,
} from './forward.ts';
import { type PaidDeps, take, takePaid } from './guard.ts';
import { BODY_BYTES, objectBody } from './json-body.ts';

const REQUESTS = '/v1/sign-requests';
const SUBMIT = `${REQUESTS}/train-announcements`;
const STATUS_QUERY = ['filter'] as const;
/** How long to send nothing after a 429 without Retry-After, and at most. */
const HOLD_SECONDS = 5;
const MAX_HOLD_SECONDS = 300;

interface AnnouncementDeps extends UpstreamRequestRules, PaidDeps {
  readonly transportUrl: string;
  readonly clock: Clock;
  readonly budget: AnnouncementBudget;
  readonly metrics: Metrics;
  readonly credentials: Credentials;
  readonly tokens: AccessTokens;
  /** At `transportUrl`. */
  readonly upstream: Upstream;
}

interface TokenResponse {
  readonly response: UpstreamResponse;
  /** The token that was sent. */
  readonly token: string;
}

export function announcementRoutes(scope: FastifyInstance, deps: AnnouncementDeps): void {
  const { transportUrl, budget, clients, clock, credentials, metrics, tokens, upstream } = deps;
  const share = sharedResponses<TokenResponse>(clock, {
    bytesOf: ({ response }) => response.body.length,
    hasFailed: ({ response }) => response.status >= 400,
  });

  const spend = (address: string): Promise<void> =>
    take(
      budget.take,
      address,
      'announcement_budget',
      metrics,
      'the announcement requests that the service allows are used up for now',
    );

  const requestWith = async (
    token: string,
    what: UpstreamRequest,
    address: string,
  ): Promise<TokenResponse> => {
    const headers = { ...what.headers, Authorization: `Bearer ${token}` };
    const response = await upstream.request({
      ...what,
      headers,
      client: address,
      onTry: () => spend(address),
    });
    if (response.status === 429) {
      budget.hold(Math.min(secondsToWait(response.headers) ?? HOLD_SECONDS, MAX_HOLD_SECONDS));
    }
    return { response, token };
  };

  /** Counted for the address of this request; clients that share the response are not counted. */
  const requestWithToken = async (request: FastifyRequest, what: UpstreamRequest): Promise<TokenResponse> => {
    const address = clients.keyOf(request.raw);
    const first = await requestWith(await tokens.get(), what, address);
    const { status } = first.response;
    if (status !== 401 && status !== 403) return first;
    const another = await tokens.another(first.token);
    return another === null ? first : requestWith(another, what, address);
  };

  const send = (reply: FastifyReply, { response, token }: TokenResponse, path: string): FastifyReply =>
    sendToClient(reply, response, withSecret(credentials.redactor, token), transportUrl + path);

  scope.post(SUBMIT, { bodyLimit: BODY_BYTES }, async (request, reply) => {
    const body = objectBody(request);
    await takePaid(deps, request);
    const headers = upstreamHeaders(request, deps, {});
    return send(
      reply,
      await requestWithToken(request, { method: 'POST', path: SUBMIT, headers, body: JSON.stringify(body) }),
      SUBMIT,
    );
  });
  allowMethods(scope, SUBMIT, ['POST']);

  const status = `${REQUESTS}/:requestId`;
  scope.get(status, async (request: FastifyRequest, reply) => {
    const path = `${REQUESTS}/${pathSegment(request, 'requestId')}${upstreamQuery(request, STATUS_QUERY)}`;
    const headers: Record<string, string> = {
      ...upstreamHeaders(request, deps, {}),
      Accept: 'application/json',
    };
    // The service may bind its response to the viewer's address: such responses are not shared.
    const viewer = headers['X-Forwarded-For'] ?? '';
    let hasRequested = false;
    const requestAlone = (): Promise<TokenResponse> => {
      hasRequested = true;
      return requestWithToken(request, { method: 'GET', path, route: status, headers });
    };
    const response = await share(`${viewer} ${path}`, requestAlone).catch((error: unknown) => {
      // The client whose request was shared may have used up its own part of the budget.
      if (!hasRequested && error instanceof ProblemError && error.code === 'rate_limited')
        return requestAlone();
      throw error;
    });
    return send(reply, response, path);
  });
  allowMethods(scope, status, ['GET', 'HEAD']);
}
