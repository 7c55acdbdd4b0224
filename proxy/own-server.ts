// The Fastify instance of the program itself. Policy: JSON logs on stderr, each line searched for secrets before it is
// written; one line a request with its route and never its URL, for a URL may hold a page's text; no error of the
// framework's own making, so that even what is not HTTP is answered as a problem. Headers have 10 s and bodies 20 s to
// arrive, a body has 256 kB (SEMANTICS, Proxy).
import { STATUS_CODES } from 'node:http';
import Fastify, { LogController, type FastifyInstance } from 'fastify';
import { PROBLEM_TYPE } from '../src/protocol/problem.ts';
import { BODY_BYTES } from './json-body.ts';
import { ProblemError, replyWithProblem, requestId } from './problem-reply.ts';

const HEADERS_MS = 10_000;
const BODY_MS = 20_000;
/** How exactly Node keeps the two. */
const CHECK_EVERY_MS = 1_000;

/** What the HTTP parser gave up on, by Node's error code; anything else is 400. */
const parserStatus: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

export function ownServer(redact: (line: string) => string): FastifyInstance {
  const app = Fastify({
    logger: { stream: process.stderr, hooks: { streamWrite: redact } },
    logController: new LogController({ disableRequestLogging: true }),
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_EVERY_MS },
    requestTimeout: BODY_MS,
    bodyLimit: BODY_BYTES,
    return503OnClosing: false,
    genReqId: requestId,
    frameworkErrors: replyWithProblem,
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) return;
      const status = parserStatus[error.code] ?? 400;
      const body = new ProblemError('invalid_request', { status }).body();
      const head = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Connection: close',
        `Content-Type: ${PROBLEM_TYPE}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
      ];
      socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    },
  });
  app.addHook('onResponse', async ({ method, routeOptions, log }, reply) => {
    log.info({ method, route: routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime }, 'request');
  });
  app.setErrorHandler(replyWithProblem);
  app.setNotFoundHandler(async () => {
    throw new ProblemError('not_found');
  });
  return app;
}
