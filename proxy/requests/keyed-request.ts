// A page's request asked of the service with our key: text, silence and live (document 2, Authentication). Policy: what of
// it goes up is pass-on.ts's; the key is that of this moment; once the page has hung up, nobody waits for the answer.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credentials } from '../credentials/credentials.ts';
import type { Upstream, UpstreamAnswer, UpstreamRequest } from '../upstream/upstream.ts';
import { headersUp, type UpRules } from './pass-on.ts';

export interface KeyedParts extends UpRules {
  readonly credentials: Credentials;
  readonly upstream: Upstream;
}

/** What is asked; its headers are made of the page's request. */
export type Asked = Pick<UpstreamRequest, 'method' | 'path' | 'route' | 'body'>;

/** @throws ProblemError as `Upstream.ask` does */
export function askWithKey(
  request: FastifyRequest,
  reply: FastifyReply,
  what: Asked,
  parts: KeyedParts,
): Promise<UpstreamAnswer> {
  const headers = headersUp(request, parts, apiKeyOf(parts.credentials));
  return parts.upstream.ask({ ...what, headers, signal: untilGone(reply) });
}

const apiKeyOf = ({ apiKey }: Credentials): Record<string, string> =>
  apiKey === null ? {} : { 'X-API-KEY': apiKey };

/** Aborts when the page hangs up before it has its answer. */
function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
