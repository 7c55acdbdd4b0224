// The proxy's own HTTP errors: application/problem+json (RFC 9457) with a stable `code`.
// - One table lists every code, its status and whether waiting helps.
// - An internal error is logged; the client gets only `internal_error` and the request id under which it is logged.
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ownErrors } from '../src/protocol/own-errors.ts';
import { type Problem, PROBLEM_TYPE } from '../src/protocol/problem.ts';
import { systemClock } from './clock.ts';
import type { Redactor } from './credentials/redaction.ts';
import { TokenBucket } from './limits/client-rate.ts';

interface Row {
  readonly status: number;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const row = (status: number, detail: string, headers: Row['headers'] = {}): Row => ({
  status,
  detail,
  headers,
});

const problems = {
  invalid_request: row(400, ownErrors.invalid_request.meaning),
  unauthorized: row(401, 'this needs the operator token', { 'www-authenticate': 'Bearer' }),
  ticket_refused: row(401, ownErrors.ticket_refused.meaning, { 'www-authenticate': 'Ticket' }),
  operator_only: row(403, 'this is the operator’s, and this proxy has no operator token'),
  origin_refused: row(403, ownErrors.origin_refused.meaning),
  not_found: row(404, 'nothing is served at this path'),
  elements_missing: row(
    404,
    'this proxy has no built elements: run `npm run build` in the clone it was started from',
  ),
  method_not_allowed: row(405, 'this path takes other methods'),
  upgrade_required: row(426, 'this path speaks WebSocket', { upgrade: 'websocket' }),
  too_many_sockets: row(429, ownErrors.too_many_sockets.meaning, { 'retry-after': '5' }),
  budget_spent: row(429, ownErrors.budget_spent.meaning),
  rate_limited: row(429, 'this address sends more requests a minute than the proxy allows'),
  /** Never sent, because the client has closed the connection. */
  client_closed: row(499, 'the client closed the connection'),
  internal_error: row(500, 'the proxy failed; its log says why'),
  body_taken: row(
    500,
    'the host reads bodies before they reach the proxy: mount the proxy before what reads them',
  ),
  upstream_unreachable: row(502, ownErrors.upstream_unreachable.meaning, { 'retry-after': '2' }),
  protocol_error: row(502, ownErrors.protocol_error.meaning),
  overloaded: row(503, 'the proxy has as many requests or sockets as it takes', { 'retry-after': '2' }),
  restarting: row(503, 'the proxy is restarting', { 'retry-after': '2' }),
  not_ready: row(503, 'a part of the proxy is down', { 'retry-after': '2' }),
  no_answer: row(504, ownErrors.no_answer.meaning),
} as const satisfies Record<string, Row>;

type ProblemCode = keyof typeof problems;

interface ProblemInit {
  /** A more exact status from the framework. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Members beside those of RFC 9457. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Why the service was not reached, or the ticket was refused: its code is logged. */
  readonly cause?: unknown;
}

/** Thrown by routes and hooks; problemReplies() answers it. */
export class ProblemError extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode, init: ProblemInit = {}) {
    const known: Row = problems[code];
    super(known.detail, { cause: init.cause });
    this.name = 'ProblemError';
    this.code = code;
    this.status = init.status ?? known.status;
    this.headers = { ...known.headers, ...init.headers };
    this.extra = init.extra ?? {};
  }

  body(): string {
    const problem: Problem = {
      title: STATUS_CODES[this.status] ?? 'Error',
      status: this.status,
      code: this.code,
      detail: this.message,
      ...this.extra,
    };
    return JSON.stringify(problem);
  }
}

/** One word for an error, because the message of an error may contain what the service sent. */
export const nameOf = (error: unknown): string =>
  String((error as { code?: unknown } | null)?.code ?? (error as { name?: unknown } | null)?.name);

/** The problem for an error; refusals of the framework (bad JSON, too large) keep their status. */
function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  const isRefusal = typeof status === 'number' && status >= 400 && status < 500;
  return isRefusal ? new ProblemError('invalid_request', { status }) : new ProblemError('internal_error');
}

/** Headers of every response of the proxy. */
export function commonHeaders(request: FastifyRequest): Record<string, string> {
  return { 'x-request-id': request.id, 'x-content-type-options': 'nosniff' };
}

/**
 * The most log lines that say why the service is not reached: while it is away, those of all requests say the same. As many say
 * why a ticket is refused.
 */
const REASONS_PER_MINUTE = 60;

/**
 * An error handler for Fastify: answers every error as a problem, without caching. The log may be the host's, which
 * redacts nothing, so the logged error is redacted here.
 */
export function problemReplies(redactor: Redactor) {
  const reasons = new TokenBucket(REASONS_PER_MINUTE, systemClock);
  // Of their own: any client can send tickets that are refused.
  const ticketReasons = new TokenBucket(REASONS_PER_MINUTE, systemClock);
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = asProblem(error);
    if (problem.code === 'internal_error' || problem.code === 'body_taken') {
      const { stack, message } = error instanceof Error ? error : new Error(String(error));
      request.log.error({ code: problem.code, error: redactor.text(stack ?? message) }, 'request failed');
    }
    if (problem.cause !== undefined) {
      const isTicket = problem.code === 'ticket_refused';
      const line = { code: problem.code, error: nameOf(problem.cause) };
      if ((isTicket ? ticketReasons : reasons).take() === 0)
        request.log.warn(line, isTicket ? 'ticket refused' : 'service not reached');
    }
    void reply
      .code(problem.status)
      .headers({ ...commonHeaders(request), 'cache-control': 'no-store', ...problem.headers })
      .header('content-type', PROBLEM_TYPE)
      // As bytes: Fastify adds a charset to JSON text, and this media type has no parameters (RFC 9457).
      .send(Buffer.from(problem.body()));
  };
}

/** A whole response, for a connection on which no request is read. */
export function rawResponse(problem: ProblemError): string {
  const body = problem.body();
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Connection: close',
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(problem.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** True for 1 to 64 characters of `A-Z a-z 0-9 . _ -`. */
export const isRequestId = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(value);

/** The client's X-Request-Id when it is valid, else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return isRequestId(given) ? given : randomUUID();
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Method = (typeof METHODS)[number];

/**
 * Answers 405 with Allow for all other methods, where Fastify would answer 404, before a body is read. Call it once for
 * each path.
 */
export function allowMethods(scope: FastifyInstance, url: string, served: readonly Method[]): void {
  const refuse = async (): Promise<never> => {
    throw new ProblemError('method_not_allowed', { headers: { allow: served.join(', ') } });
  };
  const method = METHODS.filter((name) => !served.includes(name));
  scope.route({ method, url, onRequest: refuse, handler: refuse });
}
