// `v2/live/sessions` and `v2/live/sessions/{id}` (document 2, Live session object; SEMANTICS, operator).
// - Create, list and stop need the operator token, and so does the whole session object, which is never cached. A wrong
//   token is 401, also for a look-up, because its sender wants the whole object.
// - A client sees a list of named fields, because the documents do not name all fields to hide (source URL, stream
//   key). `error` and `message` pass without URLs and without any hidden value.
// - Look-ups of clients share one upstream request a second for each session.
// - An error of the service that cannot be parsed becomes a code by its status, which tells whether it is final. Its Retry-After
//   stays.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { httpUrl } from '../../src/protocol/http-url.ts';
import type { Operator } from '../credentials/operator.ts';
import { isTooComplex } from '../json-complexity.ts';
import { allowMethods } from '../problem.ts';
import type { UpstreamResponse } from '../upstream/upstream.ts';
import { checkUrls, OPERATOR_URLS } from './body-urls.ts';
import {
  sendToClient,
  type KeyedRequest,
  requestWithKey,
  sharedRequests,
  type SharedRequestDeps,
  upstreamQuery,
  pathSegment,
  unreadable,
} from './forward.ts';
import { objectBody } from './json-body.ts';
import type { NameLookups, Resolve } from './name-lookups.ts';

const SESSIONS = '/v2/live/sessions';
const LIST_QUERY = ['cursor'] as const;

interface LiveDeps extends SharedRequestDeps {
  readonly apiUrl: string;
  readonly allowedHosts: readonly string[];
  readonly lookUp: NameLookups;
  readonly operator: Operator;
}

export function liveRoutes(scope: FastifyInstance, deps: LiveDeps): void {
  const { apiUrl, operator } = deps;
  const { redactor } = deps.credentials;
  const forOperator = { onRequest: async (request: FastifyRequest) => operator.check(request) };

  const requestShared = sharedRequests(deps);

  const sendWhole = async (
    request: FastifyRequest,
    reply: FastifyReply,
    upstreamRequest: KeyedRequest,
  ): Promise<FastifyReply> => {
    const response = await requestWithKey(request, reply, upstreamRequest, deps);
    const headers = { ...response.headers, 'cache-control': 'no-store' };
    return sendToClient(reply, { ...response, headers }, redactor, apiUrl + upstreamRequest.path);
  };

  scope.post(SESSIONS, forOperator, async (request, reply) => {
    const body = objectBody(request);
    const resolve: Resolve = (name) => deps.lookUp(name, deps.clients.keyOf(request.raw));
    await checkUrls(body, { maxUrls: OPERATOR_URLS, allowedHosts: deps.allowedHosts, resolve });
    return sendWhole(request, reply, { method: 'POST', path: SESSIONS, body: JSON.stringify(body) });
  });
  scope.get(SESSIONS, forOperator, async (request, reply) =>
    sendWhole(request, reply, {
      method: 'GET',
      path: SESSIONS + upstreamQuery(request, LIST_QUERY),
      route: SESSIONS,
    }),
  );
  allowMethods(scope, SESSIONS, ['GET', 'HEAD', 'POST']);

  const one = `${SESSIONS}/:id`;
  scope.get(one, async (request, reply) => {
    const upstreamRequest = {
      method: 'GET',
      path: `${SESSIONS}/${pathSegment(request, 'id')}`,
      route: one,
    } as const;
    reply.header('vary', 'Origin, Authorization');
    if (operator.isClaimedBy(request)) {
      operator.check(request);
      return sendWhole(request, reply, upstreamRequest);
    }
    const response = await requestShared(request, upstreamRequest);
    return sendToClient(reply, publicView(response), redactor, apiUrl + upstreamRequest.path);
  });
  scope.delete(one, forOperator, async (request, reply) =>
    sendWhole(request, reply, {
      method: 'DELETE',
      path: `${SESSIONS}/${pathSegment(request, 'id')}`,
      route: one,
    }),
  );
  allowMethods(scope, one, ['GET', 'HEAD', 'DELETE']);
}

/** The response as a client may see it. What cannot be parsed cannot be searched for hidden fields. */
function publicView(response: UpstreamResponse): UpstreamResponse {
  const view = publicFields(response.status, parsed(response.body));
  if (view === null) throw unreadable(response);
  const headers = { ...response.headers, 'content-type': 'application/json' };
  return { ...response, headers, body: Buffer.from(JSON.stringify(view)) };
}

/** Limits of the JSON of a session or an error: to search more takes too long or overflows the stack. */
const LIMITS = { depth: 64, values: 20_000 };

function parsed(body: Buffer): unknown {
  if (isTooComplex(body, LIMITS)) return null;
  try {
    // The decoder drops a byte order mark, as fetch() of a page does.
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

const text = z.catch(z.optional(z.string()), undefined);
const flag = z.catch(z.optional(z.boolean()), undefined);
const address = z.catch(
  z.optional(z.string().check(z.refine((value) => httpUrl(value) !== null))),
  undefined,
);

const sessionSchema = z.object({
  sessionId: text,
  status: text,
  sourceType: text,
  outputType: text,
  pictureInPicture: flag,
  language: text,
  signer: text,
  outputManifestUrl: address,
  manifests: z.catch(z.optional(z.object({ hls: address, dash: address, pip: address })), undefined),
  startedAt: text,
  stoppedAt: text,
  error: text,
});

const errorSchema = z.object({
  error: z.object({ code: text, type: text, message: text, requestId: text }),
});

/** The public fields of a JSON body; null when it is neither a live session nor an error of the service. */
function publicFields(status: number, body: unknown): unknown {
  if (status >= 400) {
    const { data } = z.safeParse(errorSchema, body);
    return data ? { error: { ...data.error, message: withoutHidden(data.error.message, body) } } : null;
  }
  const { data } = z.safeParse(sessionSchema, body);
  return data?.sessionId === undefined ? null : { ...data, error: withoutHidden(data.error, body) };
}

/** `words` without URLs, and without the values that `body` has under hidden names. */
function withoutHidden(words: string | undefined, body: unknown): string | undefined {
  if (words === undefined) return undefined;
  // Both searches take a time that grows with the square of the length.
  if (words.length > MAX_WORDS) return '[hidden]';
  const hidden = hiddenValues(body).filter((value) => value.length >= MIN_HIDDEN && words.includes(value));
  return hidden
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, value) => left.replaceAll(value, '[hidden]'), words)
    .replace(/\b[a-z][a-z\d+.-]*:\/\/\S+/gi, '[hidden]');
}

/** A shorter value is found by chance in other words. */
const MIN_HIDDEN = 4;
/** Characters; a longer message of the service is hidden whole. */
const MAX_WORDS = 2_000;
const publicNames = new Set([
  ...Object.keys(sessionSchema.shape),
  'hls',
  'dash',
  'pip',
  'code',
  'type',
  'message',
  'requestId',
]);

function hiddenValues(value: unknown, isPublic = false): readonly string[] {
  if (typeof value === 'string') return isPublic ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    Array.isArray(value) ? hiddenValues(item, isPublic) : hiddenValues(item, publicNames.has(name)),
  );
}
