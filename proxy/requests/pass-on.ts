// What of a page's request goes up and what of the service's answer comes down (SEMANTICS, Proxy). Policy: two lists.
// Up: Content-Type, Accept, the request id and our credential, with SIGN_FORWARD_CLIENT_ADDRESS an X-Forwarded-For of
// our own making; of the query the named parameters, each once. Down: Content-Type, Retry-After, X-Request-Id and
// Cache-Control; Retry-After in seconds, which a 429 always has (5 when the service does not say). A browser cannot read a 303's
// Location, so it becomes `200 { mediaUrl }`; any other redirect is none that the documents know. Whatever comes down is
// searched for secrets first.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { httpUrl, isPathSegment } from '../../src/protocol/http-url.ts';
import type { SecretFilter } from '../credentials/secret-filter.ts';
import type { ClientAddresses } from '../limits/client-address.ts';
import { isRequestId, ProblemError } from '../problem-reply.ts';
import { secondsToWait } from '../upstream/retry-after.ts';
import type { UpstreamAnswer } from '../upstream/upstream.ts';
import { invalidFields } from './json-body.ts';

const DOWN = ['content-type', 'cache-control'] as const;
const WAIT_SECONDS = 5;
const MAX_PARAMETER = 2048;

export interface UpRules {
  readonly forwardClientAddress: boolean;
  readonly clients: ClientAddresses;
}

/** The headers of a request to the service; `credential` is ours. */
export function headersUp(
  request: FastifyRequest,
  { forwardClientAddress, clients }: UpRules,
  credential: Readonly<Record<string, string>>,
): Record<string, string> {
  const { accept } = request.headers;
  return {
    ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(accept === undefined ? {} : { Accept: accept }),
    'X-Request-Id': request.id,
    ...(forwardClientAddress ? { 'X-Forwarded-For': clients.addressOf(request.raw) } : {}),
    ...credential,
  };
}

/** The named parameters of the request's query, as a query of ours: empty, or beginning with `?`. */
export function queryUp(request: FastifyRequest, names: readonly string[]): string {
  const given = request.query as Readonly<Record<string, unknown>>;
  const query = new URLSearchParams();
  for (const name of names) {
    const value = given[name];
    if (value === undefined) continue;
    if (typeof value !== 'string' || value.length > MAX_PARAMETER) {
      throw invalidFields([
        { field: name, message: `must stand once, with at most ${MAX_PARAMETER} characters` },
      ]);
    }
    query.set(name, value);
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** A parameter of the path that can be written into another. @throws ProblemError 400 */
export function segmentUp(request: FastifyRequest, name: string): string {
  const value = (request.params as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'string' && isPathSegment(value)) return encodeURIComponent(value);
  throw invalidFields([{ field: name, message: 'must be an id: at most 100 letters, digits and . _ ~ : -' }]);
}

/** Answers the page with what the service answered; `url` is what was asked, for a Location that is relative to it. */
export function answerDown(
  reply: FastifyReply,
  { status, headers, body }: UpstreamAnswer,
  secrets: SecretFilter,
  url: string,
): FastifyReply {
  for (const name of DOWN) {
    const value = headers[name];
    if (value !== undefined) reply.header(name, secrets.text(value));
  }
  const seconds = secondsToWait(headers) ?? (status === 429 ? WAIT_SECONDS : null);
  if (seconds !== null) reply.header('retry-after', secrets.text(String(seconds)));
  const id = headers['x-request-id'];
  if (isRequestId(id)) reply.header('x-request-id', secrets.text(id));
  if (status === 303) {
    const mediaUrl = locationOf(headers, url);
    return reply
      .code(200)
      .type('application/json')
      .send({ mediaUrl: secrets.text(mediaUrl) });
  }
  if (status < 200 || (status >= 300 && status < 400) || status > 599)
    throw new ProblemError('protocol_error');
  return reply.code(status).send(secrets.bytes(body));
}

function locationOf({ location }: IncomingHttpHeaders, url: string): string {
  const mediaUrl = httpUrl(location, url);
  if (mediaUrl === null) throw new ProblemError('protocol_error');
  return mediaUrl;
}
