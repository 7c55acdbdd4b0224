// The parts of a client's request that go to the service, and those of the response that go to the client (SEMANTICS, Proxy).
// - To the service: Content-Type, Accept, request id, traceparent, our credential, and with SIGN_FORWARD_CLIENT_ADDRESS our own
//   X-Forwarded-For; of the query the listed parameters, each once. When the client closes, the request is aborted.
// - To the client: Content-Type, Cache-Control, X-Request-Id and Retry-After, redacted except for what the client itself sent.
//   Retry-After is in seconds (a date is compared with the response's own Date, never with our clock), an hour at most; a 429
//   without one gets 5.
// - A 404 or 405 that is no JSON becomes a problem: a client would take it for the answer of a server that is no proxy, and send
//   its POST again.
// - A 303 becomes `200 { mediaUrl }`, because browsers hide its Location. Other redirects are refused, because the documents have
//   none.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpUrl } from '../../src/protocol/http-url.ts';
import { isFinalStatus, ownErrors } from '../../src/protocol/own-errors.ts';
import { isPathSegment } from '../../src/protocol/path-segment.ts';
import type { Clock } from '../clock.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { type Redactor, redactorFor } from '../credentials/redaction.ts';
import type { ClientAddresses } from '../limits/client-address.ts';
import { isRequestId, ProblemError } from '../problem.ts';
import { onRequestEnd } from '../request-end.ts';
import { traceHeaders } from '../request-log.ts';
import { isJson } from '../upstream/http-client.ts';
import { secondsToWait } from '../upstream/retry-after.ts';
import { sharedResponses } from '../upstream/shared-responses.ts';
import type { Upstream, UpstreamResponse, UpstreamRequest } from '../upstream/upstream.ts';
import { invalidFields } from './json-body.ts';

const HEADERS_TO_CLIENT = ['content-type', 'cache-control'] as const;
const RETRY_SECONDS = 5;
/** The most characters of a parameter of a path: an id has at most 256 (src/protocol/http-url.ts), a longer one gets 400. */
export const MAX_PATH_PARAMETER = 768;
const MAX_PARAMETER = 2048;

export interface UpstreamRequestRules {
  readonly forwardClientAddress: boolean;
  readonly clients: ClientAddresses;
}

/** The headers of a request to the service; `credential` is the proxy's own. */
export function upstreamHeaders(
  request: FastifyRequest,
  { forwardClientAddress, clients }: UpstreamRequestRules,
  credential: Readonly<Record<string, string>>,
): Record<string, string> {
  const { accept } = request.headers;
  return {
    ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(accept === undefined ? {} : { Accept: accept }),
    'X-Request-Id': request.id,
    ...traceHeaders(request),
    ...(forwardClientAddress ? { 'X-Forwarded-For': clients.addressOf(request.raw) } : {}),
    ...credential,
  };
}

/** A query with the named parameters of the request's query: empty, or beginning with `?`. */
export function upstreamQuery(request: FastifyRequest, names: readonly string[]): string {
  const parameters = request.query as Readonly<Record<string, unknown>>;
  const query = new URLSearchParams();
  for (const name of names) {
    const value = parameters[name];
    if (value === undefined) continue;
    if (typeof value !== 'string' || value.length > MAX_PARAMETER) {
      throw invalidFields([
        { field: name, message: `must be given once, with at most ${MAX_PARAMETER} characters` },
      ]);
    }
    query.set(name, value);
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** A parameter of the path, safe to insert into an upstream path. @throws ProblemError 400 */
export function pathSegment(request: FastifyRequest, name: string): string {
  const value = (request.params as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'string' && isPathSegment(value)) return encodeURIComponent(value);
  throw invalidFields([
    { field: name, message: 'must be an id: at most 256 letters, digits and . _ ~ : = + @ , -' },
  ]);
}

/** Answers the client with the response of the service; `url` was requested, for a Location relative to it. */
export function sendToClient(
  reply: FastifyReply,
  response: UpstreamResponse,
  allSecrets: Redactor,
  url: string,
): FastifyReply {
  const { status, headers, body } = response;
  if ((status === 404 || status === 405) && !isJson(body)) throw unreadable(response);
  const redactor = redactorFor(allSecrets, () => sentBy(reply.request));
  for (const name of HEADERS_TO_CLIENT) {
    const value = headers[name];
    if (value !== undefined) reply.header(name, redactor.text(value));
  }
  reply.headers(retryHeader({ status, headers }));
  const id = headers['x-request-id'];
  if (isRequestId(id)) reply.header('x-request-id', redactor.text(id));
  if (status === 303) {
    const mediaUrl = locationOf(headers, url);
    return reply
      .code(200)
      .type('application/json')
      .send({ mediaUrl: redactor.text(mediaUrl) });
  }
  if (status < 200 || (status >= 300 && status < 400) || status > 599)
    throw new ProblemError('protocol_error', { cause: { code: `status ${status}` } });
  return reply.code(status).send(redactor.bytes(body));
}

/** For a response that cannot be passed on. Clients repeat a look-up after `protocol_error`, not after a final error. */
export function unreadable({ status, headers }: UpstreamResponse): ProblemError {
  if (status === 404)
    return new ProblemError('not_found', { extra: { detail: ownErrors.not_found.meaning } });
  const isError = status >= 400 && status < 600;
  return new ProblemError(isFinalStatus(status) ? 'invalid_request' : 'protocol_error', {
    ...(isError && { status }),
    headers: retryHeader({ status, headers }),
  });
}

/** The parts of a client's request that go to the service. */
const sentBy = (request: FastifyRequest): readonly string[] => [
  request.id,
  request.url,
  request.headers.accept ?? '',
  ...Object.values(traceHeaders(request)),
  request.body === undefined ? '' : JSON.stringify(request.body),
];

function locationOf({ location }: IncomingHttpHeaders, url: string): string {
  // Node reads each byte above 127 as a character of its own; browsers take these bytes into the address as they are.
  const mediaUrl = httpUrl(location?.replace(/[\x80-\xff]/g, asEscape), url);
  if (mediaUrl === null) throw new ProblemError('protocol_error');
  return mediaUrl;
}

const asEscape = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;

interface KeyedDeps extends UpstreamRequestRules {
  readonly credentials: Credentials;
  readonly upstream: Upstream;
}

/** An upstream request whose headers come from the client's request. */
export type KeyedRequest = Pick<UpstreamRequest, 'method' | 'path' | 'route' | 'body'>;

/**
 * `reply` aborts the request when its client closes; null for a response that clients share.
 * @throws ProblemError as `Upstream.request` does
 */
export function requestWithKey(
  request: FastifyRequest,
  reply: FastifyReply | null,
  upstreamRequest: KeyedRequest,
  deps: KeyedDeps,
): Promise<UpstreamResponse> {
  const headers = upstreamHeaders(request, deps, apiKeyOf(deps.credentials));
  // What one client accepts must not decide what the others get.
  if (reply === null) headers.Accept = 'application/json';
  const client = deps.clients.keyOf(request.raw);
  return deps.upstream.request({ ...upstreamRequest, headers, client, ...(reply && untilEnd(reply)) });
}

export interface SharedRequestDeps extends KeyedDeps {
  readonly clock: Clock;
}

/**
 * Sends a GET of a client, or answers it from an equal one of another client (shared-responses.ts). The function
 * rejects as requestWithKey() does.
 * @param isKept whether a response also answers the requests of the second after it
 */
export function sharedRequests(
  deps: SharedRequestDeps,
  { isKept = true } = {},
): (request: FastifyRequest, upstreamRequest: KeyedRequest) => Promise<UpstreamResponse> {
  const share = sharedResponses<UpstreamResponse>(deps.clock, {
    bytesOf: ({ body }) => body.length,
    hasFailed: ({ status }) => status >= 400,
    isKept,
  });
  return async (request, upstreamRequest) => {
    // The service may bind its response to the viewer's address: such responses are not shared.
    const viewer = deps.forwardClientAddress ? deps.clients.addressOf(request.raw) : '';
    return share(`${viewer} ${upstreamRequest.path}`, () =>
      requestWithKey(request, null, upstreamRequest, deps),
    );
  };
}

const apiKeyOf = ({ apiKey }: Credentials): Record<string, string> =>
  apiKey === null ? {} : { 'X-API-KEY': apiKey };

/**
 * Aborts the request when the client closes the connection before its response; else the request keeps its place until the client
 * has received the response.
 */
function untilEnd(reply: FastifyReply): Pick<UpstreamRequest, 'signal' | 'taken'> {
  const closed = new AbortController();
  const taken = new Promise<void>((resolve) =>
    onRequestEnd(reply, () => {
      closed.abort();
      resolve();
    }),
  );
  return { signal: closed.signal, taken };
}

/** The `Retry-After` for the client of this response; empty when it may repeat its request at once. */
function retryHeader({
  status,
  headers,
}: Pick<UpstreamResponse, 'status' | 'headers'>): Record<string, string> {
  const seconds = secondsToWait(headers) ?? (status === 429 ? RETRY_SECONDS : null);
  return seconds === null ? {} : { 'retry-after': String(seconds) };
}
