// `POST v2/generate`, `POST v1/generate`, `GET v1/status/{job_id}`, `GET v1/silence` (document 2, Endpoints): what pages may
// ask of the text translation. Policy: the service's paths, bodies, codes and errors as they are; the key is ours.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkAddresses, type AddressRules } from '../requests/body-addresses.ts';
import type { Credentials } from '../secrets/credentials.ts';
import { generateJudge } from '../requests/generate-body.ts';
import { BODY_BYTES } from '../requests/json-body.ts';
import { onlyServe } from '../requests/only-serve.ts';
import type { Operator } from '../requests/operator.ts';
import {
  answerDown,
  apiKeyOf,
  headersUp,
  queryUp,
  segmentUp,
  untilGone,
  type UpRules,
} from '../requests/pass-on.ts';
import type { Upstream, UpstreamRequest } from '../upstream/upstream.ts';

const SILENCE_QUERY = ['language', 'signer', 'format', 'transparent'] as const;

export interface TranslationParts extends UpRules, AddressRules {
  readonly apiUrl: string;
  readonly credentials: Credentials;
  readonly maxTextBytes: number;
  readonly operator: Operator;
  readonly upstream: Upstream;
}

export function translationRoutes(scope: FastifyInstance, parts: TranslationParts): void {
  const { apiUrl, credentials, operator, upstream } = parts;
  const secrets = credentials.filter;
  const judge = generateJudge(parts.maxTextBytes);

  const ask = async (
    request: FastifyRequest,
    reply: FastifyReply,
    what: Pick<UpstreamRequest, 'method' | 'path' | 'route' | 'body'>,
  ): Promise<FastifyReply> => {
    const headers = headersUp(request, parts, apiKeyOf(credentials));
    const answer = await upstream.ask({ ...what, headers, signal: untilGone(reply) });
    return answerDown(reply, answer, secrets, apiUrl + what.path);
  };

  for (const path of ['/v2/generate', '/v1/generate']) {
    scope.post(path, { bodyLimit: BODY_BYTES }, async (request, reply) => {
      const { isForOperator, delivery } = judge(request.body);
      if (isForOperator) operator.check(request);
      const allowedHosts = operator.is(request) ? parts.allowedHosts : [];
      await checkAddresses(delivery, 'output.delivery', { ...parts, allowedHosts });
      return ask(request, reply, { method: 'POST', path, body: JSON.stringify(request.body) });
    });
    onlyServe(scope, path, ['POST']);
  }

  const status = '/v1/status/:job_id';
  scope.get(status, async (request, reply) =>
    ask(request, reply, {
      method: 'GET',
      path: `/v1/status/${segmentUp(request, 'job_id')}`,
      route: status,
    }),
  );
  onlyServe(scope, status, ['GET', 'HEAD']);

  const silence = '/v1/silence';
  scope.get(silence, async (request, reply) =>
    ask(request, reply, { method: 'GET', path: silence + queryUp(request, SILENCE_QUERY), route: silence }),
  );
  onlyServe(scope, silence, ['GET', 'HEAD']);
}
