// The Fastify instance of the program itself. Policy: JSON logs on stderr, each line searched for secrets before it is
// written; one line a request with its route and never its URL, for a URL may hold a page's text; no error of the
// framework's or Node's own making: what is not HTTP, has no Host or expects what we cannot do is answered as a problem
// too. A sender that is given up on is cut off once that is written, whether it hangs up or not. Headers that hold
// credentials are taken out of whatever is logged, whoever's they are. Headers have 10 s and bodies 20 s to arrive, a
// body has 256 kB; a connection on which nothing moves for 10 minutes is cut off, for whoever takes no answer would keep
// it for ever.
import { STATUS_CODES } from 'node:http';
import { isIP } from 'node:net';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { PROBLEM_TYPE } from '../src/protocol/problem.ts';
import type { Config } from './config.ts';
import { canonicalHost } from './host-name.ts';
import { BODY_BYTES } from './requests/json-body.ts';
import { ProblemError, problemReplies, requestId } from './problem-reply.ts';
import type { SecretFilter } from './credentials/secret-filter.ts';

const HEADERS_MS = 10_000;
const BODY_MS = 20_000;
/** Longer than any answer is waited for, a new access token and a second try included. */
const IDLE_MS = 600_000;
/** How exactly Node keeps the two. */
const CHECK_EVERY_MS = 1_000;

/** What the HTTP parser gave up on, by Node's error code; anything else is 400. */
const parserStatus: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'x-api-key'];
const redactedPaths = ['headers', '*.headers'].flatMap((at) =>
  CREDENTIAL_HEADERS.map((name) => `${at}["${name}"]`),
);

/** `logTo` is where log lines go. */
export function ownServer(
  secrets: SecretFilter,
  logTo: { write(line: string): void } = process.stderr,
): FastifyInstance {
  const replyWithProblem = problemReplies(secrets);
  const app = Fastify({
    logger: {
      stream: logTo,
      redact: { paths: redactedPaths, censor: '[redacted]' },
      hooks: { streamWrite: (line) => secrets.text(line) },
    },
    logController: new LogController({ disableRequestLogging: true }),
    http: {
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      requireHostHeader: false,
    },
    requestTimeout: BODY_MS,
    connectionTimeout: IDLE_MS,
    bodyLimit: BODY_BYTES,
    return503OnClosing: false,
    genReqId: requestId,
    frameworkErrors: replyWithProblem,
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      const status = parserStatus[error.code] ?? 400;
      const body = new ProblemError('invalid_request', { status }).body();
      const head = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Connection: close',
        `Content-Type: ${PROBLEM_TYPE}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
      ];
      socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
    },
  });
  app.server.on('checkExpectation', (_request, response) => {
    const body = new ProblemError('invalid_request', { status: 417 }).body();
    response.writeHead(417, { Connection: 'close', 'Content-Type': PROBLEM_TYPE }).end(body);
  });
  app.addHook('onRequest', async ({ raw: { httpVersion, headers } }, reply) => {
    if (httpVersion === '1.1' && headers.host === undefined) throw new ProblemError('invalid_request');
    // HTTP/1.0 has no chunks: what stands before us may have seen this end elsewhere (RFC 9112, 6.1).
    if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
      reply.header('connection', 'close');
      throw new ProblemError('invalid_request');
    }
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

function isLoopback(host: string): boolean {
  const name = canonicalHost(host) ?? '';
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** Says at the start what an operator may have forgotten. */
export function warnOfOpenHost({ host, trustProxy }: Config, log: FastifyBaseLogger): void {
  if (isLoopback(host) || trustProxy.length > 0) return;
  log.warn(
    { host },
    'listens beyond this machine and SIGN_TRUST_PROXY is empty: without a balancer there is no TLS around tokens, and ' +
      'behind one all pages count as one address',
  );
}
