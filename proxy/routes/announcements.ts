// `POST v1/sign-requests/train-announcements` and `GET v1/sign-requests/{requestId}` (document 1, Endpoints). Policy: the
// token is ours; when the service refuses it, with 401 or 403, it is renewed once and the request sent once more; where
// there is no other token to be had the refusal comes down, for it may speak of the request. The request rate of document
// 1 is kept for all pages together, a third of it for one address: over it 429, and nothing goes up. Pages that ask for
// the same request share one answer, so no page's Accept goes up with it; the X-Request-Id that comes down is the one
// under which the service knows it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessTokens } from '../upstream/access-token.ts';
import type { Clock } from '../clock.ts';
import { BODY_BYTES, objectBody } from '../requests/json-body.ts';
import type { Metrics } from '../metrics.ts';
import { onlyServe } from '../requests/only-serve.ts';
import { answerDown, headersUp, queryUp, segmentUp, type UpRules } from '../requests/pass-on.ts';
import { ProblemError } from '../problem-reply.ts';
import type { RequestBudget } from '../limits/request-budget.ts';
import { secondsToWait } from '../upstream/retry-after.ts';
import type { SecretFilter } from '../credentials/secret-filter.ts';
import { sharedAnswers } from '../upstream/shared-answers.ts';
import { hidingTokens } from '../credentials/token-filter.ts';
import type { Upstream, UpstreamAnswer, UpstreamRequest } from '../upstream/upstream.ts';

const REQUESTS = '/v1/sign-requests';
const SUBMIT = `${REQUESTS}/train-announcements`;
const CHECK_QUERY = ['filter'] as const;
/** How long to hold back after a 429 that does not say. */
const HOLD_SECONDS = 5;
const MOST_HOLD_SECONDS = 300;

export interface AnnouncementParts extends UpRules {
  readonly transportUrl: string;
  readonly clock: Clock;
  readonly budget: RequestBudget;
  readonly metrics: Metrics;
  readonly secrets: SecretFilter;
  readonly tokens: AccessTokens;
  /** At `transportUrl`. */
  readonly upstream: Upstream;
}

interface Given {
  readonly answer: UpstreamAnswer;
  /** The token that was sent. */
  readonly token: string;
}

export function announcementRoutes(scope: FastifyInstance, parts: AnnouncementParts): void {
  const { transportUrl, budget, clients, clock, metrics, secrets, tokens, upstream } = parts;
  const share = sharedAnswers<Given>(clock, ({ answer }) => answer.body.length);

  const spend = async (address: string): Promise<void> => {
    const seconds = await budget.take(address);
    if (seconds > 0) {
      metrics.limitHit('announcement_budget');
      throw new ProblemError('rate_limited', {
        headers: { 'retry-after': String(Math.ceil(seconds)) },
        extra: { detail: 'the announcement requests that the service allows are used up for now' },
      });
    }
  };

  const askWith = async (token: string, what: UpstreamRequest, address: string): Promise<Given> => {
    const headers = { ...what.headers, Authorization: `Bearer ${token}` };
    const answer = await upstream.ask({ ...what, headers, onTry: () => spend(address) });
    if (answer.status === 429) {
      budget.hold(Math.min(secondsToWait(answer.headers) ?? HOLD_SECONDS, MOST_HOLD_SECONDS));
    }
    return { answer, token };
  };

  /** At the cost of this request's address; pages that share the answer share it for nothing. */
  const ask = async (request: FastifyRequest, what: UpstreamRequest): Promise<Given> => {
    const address = clients.of(request.raw);
    const given = await askWith(await tokens.get(), what, address);
    const { status } = given.answer;
    if (status !== 401 && status !== 403) return given;
    const another = await tokens.another(given.token);
    return another === null ? given : askWith(another, what, address);
  };

  const hiding = hidingTokens(secrets);
  const down = (reply: FastifyReply, { answer, token }: Given, path: string): FastifyReply =>
    answerDown(reply, answer, hiding(token), transportUrl + path);

  scope.post(SUBMIT, { bodyLimit: BODY_BYTES }, async (request, reply) => {
    const body = objectBody(request);
    const headers = headersUp(request, parts, {});
    return down(
      reply,
      await ask(request, { method: 'POST', path: SUBMIT, headers, body: JSON.stringify(body) }),
      SUBMIT,
    );
  });
  onlyServe(scope, SUBMIT, ['POST']);

  const check = `${REQUESTS}/:requestId`;
  scope.get(check, async (request: FastifyRequest, reply) => {
    const path = `${REQUESTS}/${segmentUp(request, 'requestId')}${queryUp(request, CHECK_QUERY)}`;
    const headers: Record<string, string> = { ...headersUp(request, parts, {}), Accept: 'application/json' };
    // An address that the service may bind its answer to is not shared.
    const viewer = headers['X-Forwarded-For'] ?? '';
    let hasAsked = false;
    const askAlone = (): Promise<Given> => {
      hasAsked = true;
      return ask(request, { method: 'GET', path, route: check, headers });
    };
    const given = await share(`${viewer} ${path}`, askAlone).catch((error: unknown) => {
      // The address of the page that asked may have used up its part of the budget.
      if (!hasAsked && error instanceof ProblemError && error.code === 'rate_limited') return askAlone();
      throw error;
    });
    return down(reply, given, path);
  });
  onlyServe(scope, check, ['GET', 'HEAD']);
}
