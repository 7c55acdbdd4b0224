// `POST v2/generate`, `POST v1/generate`, `GET v1/status/{job_id}`, `GET v1/silence` (document 2, Endpoints; SEMANTICS,
// generate).
// - Pending requests of clients for the same silence share one upstream request.
// - Paths, bodies, codes and errors are the service's; the key is ours.
// - A request whose client has gone is counted as spent, because the service makes the video nevertheless.
// - What a client's request costs depends on its text, so the length of the text is limited. `display` and `push` reach beyond
//   the page and need the operator token. So do `screenId` and every field of `context` but `application`, which are removed from
//   a client's request. A URL (the logo's) must be on a public host, wherever in the body it stands.
// - All other fields are for the service to check. A name that a rule depends on must be written as documented, because
//   a service that reads `Method` as `method` would obey what was not checked.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Credentials } from '../credentials/credentials.ts';
import { foldedName } from '../folded-name.ts';
import type { Operator } from '../credentials/operator.ts';
import type { Spending } from '../limits/spending.ts';
import { allowMethods, ProblemError } from '../problem.ts';
import { MAX_RESULT_SECONDS } from '../relay/session-spending.ts';
import { charactersOf, estimatedSeconds, longestSeconds } from '../relay/text-estimate.ts';
import { checkTicket, type TicketDeps } from '../sites/tickets.ts';
import { checkUrls, OPERATOR_URLS } from './body-urls.ts';
import {
  sendToClient,
  requestWithKey,
  sharedRequests,
  type SharedRequestDeps,
  upstreamQuery,
  pathSegment,
} from './forward.ts';
import { type PaidDeps, takePaid } from './guard.ts';
import { type FieldProblem, invalidFields } from './json-body.ts';
import type { UpstreamResponse } from '../upstream/upstream.ts';
import type { NameLookups } from './name-lookups.ts';

const SILENCE_QUERY = ['language', 'signer', 'format', 'transparent'] as const;

interface TranslationDeps extends SharedRequestDeps, PaidDeps, TicketDeps {
  readonly credentials: Credentials;
  readonly apiUrl: string;
  readonly maxTextBytes: number;
  readonly signers: readonly string[];
  readonly contextFields: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly lookUp: NameLookups;
  readonly operator: Operator;
  readonly spending: Spending;
}

export function translationRoutes(scope: FastifyInstance, deps: TranslationDeps): void {
  const { apiUrl } = deps;
  const { redactor } = deps.credentials;
  const checkBody = bodyCheck(deps.maxTextBytes);

  const requestShared = sharedRequests(deps, { isKept: false });

  for (const path of ['/v2/generate', '/v1/generate']) {
    scope.post(path, async (request, reply) => {
      // First, because to check a body of 256 kB may take 28 ms.
      if (!deps.operator.is(request)) checkTicket(deps, request.raw);
      const response = await generate(path, request, reply, checkBody(request.body), deps);
      return sendToClient(reply, response, redactor, apiUrl + path);
    });
    allowMethods(scope, path, ['POST']);
  }

  const status = '/v1/status/:job_id';
  scope.get(status, async (request, reply) => {
    const path = `/v1/status/${pathSegment(request, 'job_id')}`;
    const response = await requestWithKey(request, reply, { method: 'GET', path, route: status }, deps);
    return sendToClient(reply, response, redactor, apiUrl + path);
  });
  allowMethods(scope, status, ['GET', 'HEAD']);

  const silence = '/v1/silence';
  scope.get<{ Querystring: { readonly signer?: unknown } }>(silence, async (request, reply) => {
    if (request.query.signer !== undefined) checkSigner(request.query.signer, 'signer', deps.signers);
    const path = silence + upstreamQuery(request, SILENCE_QUERY);
    const response = await requestShared(request, { method: 'GET', path, route: silence });
    return sendToClient(reply, response, redactor, apiUrl + path);
  });
  allowMethods(scope, silence, ['GET', 'HEAD']);
}

/** The response of the service to a checked request, and what it has spent. */
async function generate(
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  checked: ReturnType<BodyCheck>,
  deps: TranslationDeps,
): Promise<UpstreamResponse> {
  const { operator, spending } = deps;
  if (checked.isForOperator) operator.check(request);
  const isOperator = operator.is(request);
  if (!isOperator) {
    checkSigner(configOf(checked.body).digitalSigner ?? 'rae', CONFIG_SIGNER, deps.signers);
    checkDuration(checked.body.content, longestSeconds(deps.maxTextBytes));
  }
  await takePaid(deps, request);
  const body = isOperator ? checked.body : forClient(checked.body, deps.contextFields);
  await checkUrls(withoutTexts(body), {
    maxUrls: isOperator ? OPERATOR_URLS : 1,
    allowedHosts: isOperator ? deps.allowedHosts : [],
    resolve: (name) => deps.lookUp(name, deps.clients.keyOf(request.raw)),
  });
  const upstreamRequest = { method: 'POST', path, body: JSON.stringify(body) } as const;
  const { data, duration = 0 } = checked.body.content;
  const characters = charactersOf(data);
  // A requested duration counts where it is longer than the estimate; that of a client is limited (checkDuration).
  const seconds = Math.max(estimatedSeconds(data, characters), duration);
  const spend = (): void => spending.add({ seconds, characters });
  // Checked after the look-up of names, which may take seconds.
  await spending.check(seconds, characters);
  if (spending.mustWait(seconds, characters)) {
    deps.metrics.limitHit('budget_under_way');
    throw new ProblemError('rate_limited', {
      headers: { 'retry-after': '2' },
      extra: { detail: BUDGET_UNDER_WAY },
    });
  }
  spending.expect(seconds, characters);
  let response;
  try {
    response = await requestWithKey(request, reply, upstreamRequest, deps);
  } catch (error) {
    if (error instanceof ProblemError && mayBeBilled.has(error.code)) spend();
    throw error;
  } finally {
    spending.expect(-seconds, -characters);
  }
  if (response.status < 400) spend();
  return response;
}

/** @throws ProblemError naming every wrong field */
type BodyCheck = (body: unknown) => {
  readonly body: TranslationBody;
  /** Whether the request needs the operator's token. */
  readonly isForOperator: boolean;
};

type JsonObject = Readonly<Record<string, unknown>>;

/** The fields that the rules check; everything else in a body passes. */
interface TranslationBody extends JsonObject {
  readonly content: JsonObject & { readonly data: string; readonly duration?: number | undefined };
  readonly output?: (JsonObject & { readonly delivery?: JsonObject | undefined }) | undefined;
  readonly context?: JsonObject | undefined;
}

/** The body without what only the operator may send: numbers of displays, and fields of the context not in `contextFields`. */
function forClient({ context, ...body }: TranslationBody, contextFields: readonly string[]): TranslationBody {
  const allowed = Object.entries(context ?? {}).filter(([name]) => contextFields.includes(name));
  const { output } = body;
  const config: Record<string, unknown> = { ...(output?.delivery?.config ?? {}) };
  delete config.screenId;
  return {
    ...body,
    ...(output?.delivery?.config !== undefined && {
      output: { ...output, delivery: { ...output.delivery, config } },
    }),
    ...(context && { context: Object.fromEntries(allowed) }),
  };
}

const BUDGET_UNDER_WAY = 'the requests under way may use up what is left of the budget';

/** The body without what is read as a text and never as an address. */
const withoutTexts = ({ content, context: _context, ...body }: TranslationBody): JsonObject => ({
  ...body,
  content: { ...content, data: '' },
});

/** Errors after which the service may have made a video that is billed. Any client can cause the first one. */
const mayBeBilled: ReadonlySet<string> = new Set(['client_closed', 'no_answer', 'protocol_error']);

const CONFIG_SIGNER = 'output.delivery.config.digitalSigner';

const configOf = ({ output }: TranslationBody): JsonObject => (output?.delivery?.config ?? {}) as JsonObject;

/** @throws ProblemError 400 when pages of the site may not ask for the signer. */
function checkSigner(signer: unknown, field: string, allowed: readonly string[]): void {
  if (allowed.length === 0) return;
  if (typeof signer === 'string' && allowed.includes(signer.toLowerCase())) return;
  throw invalidFields([{ field, message: `must be one of ${allowed.join(', ')}` }]);
}

/** @throws ProblemError 400 when a page asks for a longer video than any text of a page makes. */
function checkDuration({ duration = 0 }: TranslationBody['content'], longest: number): void {
  if (duration <= longest) return;
  throw invalidFields([{ field: 'content.duration', message: `must be at most ${longest} seconds` }]);
}

const operatorMethods: readonly string[] = ['display', 'push'];

interface Names {
  readonly [name: string]: Names;
}
const namesInRules: Names = {
  content: { data: {}, duration: {} },
  context: { application: {} },
  output: { delivery: { method: {}, config: { logo: { url: {} }, screenId: {}, digitalSigner: {} } } },
};

/** The keys that are one of `names` in another letter case or with spaces. */
function misspelledNames(value: unknown, names: Names, path: readonly string[]): readonly FieldProblem[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const field = [...path, key];
    const deeper = Object.hasOwn(names, key) ? names[key] : undefined;
    if (deeper) return misspelledNames(item, deeper, field);
    const folded = foldedName(key);
    const name = Object.keys(names).find((known) => foldedName(known) === folded);
    return name === undefined ? [] : [{ field: field.join('.'), message: `must be written ${name}` }];
  });
}

function bodyCheck(maxTextBytes: number): BodyCheck {
  const text = z
    .string('must be a text')
    .check(
      z.refine((value) => Buffer.byteLength(value) <= maxTextBytes, `must be at most ${maxTextBytes} bytes`),
    );
  const object = 'must be an object';
  const schema = z.looseObject(
    {
      content: z.looseObject(
        {
          data: text,
          duration: z.optional(z.number('must be a number').check(z.maximum(MAX_RESULT_SECONDS))),
        },
        object,
      ),
      output: z.optional(
        z.looseObject(
          {
            delivery: z.optional(
              z.looseObject(
                {
                  method: z.optional(z.string('must be a text')),
                  config: z.optional(z.looseObject({}, object)),
                },
                object,
              ),
            ),
          },
          object,
        ),
      ),
      context: z.optional(z.looseObject({ application: z.optional(z.string('must be a text')) }, object)),
    },
    object,
  );
  return (body) => {
    const parsed = z.safeParse(schema, body);
    const issues = parsed.error?.issues ?? [];
    const problems = [
      ...issues.map(({ path, message }) => ({ field: path.join('.'), message })),
      ...misspelledNames(body, namesInRules, []),
    ];
    if (!parsed.success || problems.length > 0) throw invalidFields(problems);
    // In any spelling: the service may accept what is not documented.
    const method = foldedName(parsed.data.output?.delivery?.method ?? '').replace(/[^a-z]/g, '');
    return { isForOperator: operatorMethods.includes(method), body: parsed.data };
  };
}
