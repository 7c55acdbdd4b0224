// What the REST routes of all documents refuse before they look at it, in words; each document puts them into its own
// envelope. Policy: a body that cannot be read, for whatever reason, is its sender's mistake; a route that has no such
// method says which it has.
import type { FastifyError, FastifyInstance } from 'fastify';

const unreadable: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Content-Type: not the documented one',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body: too large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'body: empty',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'body: not as long as Content-Length says',
};

/** Why the framework could not read a request's body; null when that is not what went wrong. */
export function unreadableBody({ statusCode, code }: FastifyError): string | null {
  if (statusCode === undefined || statusCode >= 500) return null;
  return unreadable[code] ?? 'body: not JSON';
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof methods)[number];

/** Makes the error of a 405: what is wrong, and the header that goes with it. */
type Refuse = (why: string, headers: { readonly Allow: string }) => Error;

/** Refuses every method but those `served` at `url`, before a body is looked at. */
export function onlyMethods(
  app: FastifyInstance,
  url: string,
  served: readonly Method[],
  refuse: Refuse,
): void {
  const Allow = served.join(', ');
  app.route({
    method: methods.filter((method) => !served.includes(method)),
    url,
    onRequest: (_request, _reply, next) => next(refuse(`only ${Allow} is served here`, { Allow })),
    handler: () => undefined,
  });
}
