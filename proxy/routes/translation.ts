// `POST v2/generate`, `POST v1/generate`, `GET v1/status/{job_id}`, `GET v1/silence` (document 2, Endpoints): what pages may
// ask of the text translation. Policy: the service's paths, bodies, codes and errors as they are; the key is ours.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkAddresses, type AddressRules } from '../requests/body-addresses.ts';
import { generateJudge } from '../requests/generate-body.ts';
import { BODY_BYTES } from '../requests/json-body.ts';
import { askWithKey, type Asked, type KeyedParts } from '../requests/keyed-request.ts';
import { onlyServe } from '../requests/only-serve.ts';
import type { Operator } from '../requests/operator.ts';
import { answerDown, queryUp, segmentUp } from '../requests/pass-on.ts';

const SILENCE_QUERY = ['language', 'signer', 'format', 'transparent'] as const;

export interface TranslationParts extends KeyedParts, AddressRules {
  readonly apiUrl: string;
  readonly maxTextBytes: number;
  readonly operator: Operator;
}

export function translationRoutes(scope: FastifyInstance, parts: TranslationParts): void {
  const { apiUrl, operator } = parts;
  const secrets = parts.credentials.filter;
  const judge = generateJudge(parts.maxTextBytes);

  const ask = async (request: FastifyRequest, reply: FastifyReply, what: Asked): Promise<FastifyReply> =>
    answerDown(reply, await askWithKey(request, reply, what, parts), secrets, apiUrl + what.path);

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
