// The Fastify instance that the program and the Node handler use.
// - Logs are JSON lines on stderr, redacted before they are written. One line a request (at most as many as log-lines.ts allows),
//   with its route and never its URL, which may contain a client's text. Headers with credentials are removed from every log line.
// - Errors of Fastify and of Node's HTTP parser are answered as problems too. An error of the parser is logged and closes the
//   connection.
// - A request has at most 100 headers, in 16 kB: 3,000 short ones cost a millisecond to take in.
// - Time-outs: headers 10 s, body 20 s, connection without traffic 10 minutes. The body of a request that no route takes is not
//   read, because only the routes of pages limit bodies. An answer to a body that is not read ends the connection.
import { lookup } from 'node:dns/promises';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { PROBLEM_TYPE } from '../src/protocol/problem.ts';
import { isLoopbackHost } from './addresses.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Redactor } from './credentials/redaction.ts';
import { clientAddresses, keyOfAddress } from './limits/client-address.ts';
import { logLines } from './limits/log-lines.ts';
import { type LogPipe, standardError } from './log-pipe.ts';
import { ProblemError, problemReplies, rawResponse, requestId } from './problem.ts';
import { clientName } from './request-log.ts';
import { MAX_PATH_PARAMETER } from './routes/forward.ts';
import { endUnreadBodies } from './routes/json-body.ts';

const HEADERS_MS = 10_000;
const BODY_MS = 20_000;
const MAX_HEADERS = 100;
/** Longer than any response takes, including a new access token and a second try. */
const IDLE_MS = 600_000;
/** Between two requests of a balancer: Google's keep a connection for 600 s. Others have 72 s (Fastify). */
const BALANCER_IDLE_MS = 620_000;
/** How often Node checks the time-outs of headers and body. */
const CHECK_EVERY_MS = 1_000;

/** Statuses for errors of the HTTP parser, by Node's error code; all others are 400. */
const parserStatus: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'x-api-key'];
const redactedPaths = ['headers', '*.headers'].flatMap((at) =>
  CREDENTIAL_HEADERS.map((name) => `${at}["${name}"]`),
);

interface StandaloneInit {
  /** Receives the log lines; stderr by default. */
  readonly logTo?: LogPipe;
  readonly limits?: Pick<Config, 'requestsPerMinute' | 'trustProxy'>;
}

const DEFAULT_LIMITS = { requestsPerMinute: 600, trustProxy: [] };

export function standaloneServer(
  redactor: Redactor,
  { logTo = standardError(), limits = DEFAULT_LIMITS }: StandaloneInit = {},
): FastifyInstance {
  const replyWithProblem = problemReplies(redactor);
  const clients = clientAddresses(limits.trustProxy);
  const lines = logLines(limits.requestsPerMinute, systemClock, (count) =>
    app.log.warn({ lines: count }, 'requests not logged: their clients sent too many'),
  );
  /** For requests that Fastify does not see. */
  const logRefused = (key: string, code: string, status: number): void =>
    lines.write(key, () => app.log.info({ code, status, client: clientName(key) }, 'request not understood'));
  const app = Fastify({
    logger: {
      stream: logTo,
      redact: { paths: redactedPaths, censor: '[redacted]' },
      hooks: { streamWrite: (line) => redactor.text(line) },
    },
    logController: new LogController({ disableRequestLogging: true }),
    http: {
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      requireHostHeader: false,
    },
    // A start has no time limit: on a busy machine it may take longer than the 10 s of Fastify, and the program would end.
    pluginTimeout: 0,
    requestTimeout: BODY_MS,
    connectionTimeout: IDLE_MS,
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER },
    return503OnClosing: false,
    genReqId: requestId,
    frameworkErrors: replyWithProblem,
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      const status = parserStatus[error.code] ?? 400;
      // The headers were not read, so behind a balancer this is the address of the balancer.
      logRefused(keyOfAddress(socket.remoteAddress ?? ''), error.code, status);
      socket.end(rawResponse(new ProblemError('invalid_request', { status })), () => socket.destroy());
    },
  });
  app.server.on('checkExpectation', (request, response) => {
    logRefused(clients.keyOf(request), 'EXPECTATION', 417);
    const body = new ProblemError('invalid_request', { status: 417 }).body();
    response.writeHead(417, { Connection: 'close', 'Content-Type': PROBLEM_TYPE }).end(body);
  });
  refuseAmbiguous(app);
  endUnreadBodies(app);
  app.removeAllContentTypeParsers();
  app.addHook('onResponse', async ({ method, raw, routeOptions, log }, reply) => {
    lines.write(clients.keyOf(raw), () =>
      log.info(
        { method, route: routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime },
        'request',
      ),
    );
  });
  app.addHook('onResponse', async ({ raw }) => {
    // Else a balancer may send a request while the connection is closed. A POST would be lost, because it must not be sent again.
    if (clients.isTrustedPeer(raw)) raw.socket.setTimeout(BALANCER_IDLE_MS);
  });
  app.setErrorHandler(replyWithProblem);
  app.setNotFoundHandler(async () => {
    throw new ProblemError('not_found');
  });
  return app;
}

/** Refuses requests that a proxy in front may understand in another way. */
function refuseAmbiguous(app: FastifyInstance): void {
  // Node drops headers beyond its limit silently, and an Origin or a second Host may be one of them. So Node's limit is one higher
  // than ours, and onRequest refuses a request with one header more than ours.
  app.server.maxHeadersCount = MAX_HEADERS + 1;
  /** Connections on which a proxy in front may see another end of a request: every request from then on is refused. */
  const inDoubt = new WeakSet<object>();
  app.addHook('onRequest', async ({ raw: { httpVersion, headers, rawHeaders, socket } }, reply) => {
    if (rawHeaders.length > 2 * MAX_HEADERS) {
      inDoubt.add(socket);
      reply.header('connection', 'close');
      throw new ProblemError('invalid_request', { status: 431 });
    }
    // RFC 9112, 3.2: of two Host headers, a proxy in front may use the other one.
    const hosts = rawHeaders.filter((word, at) => at % 2 === 0 && word.toLowerCase() === 'host').length;
    if (hosts > 1 || (httpVersion === '1.1' && hosts === 0)) throw new ProblemError('invalid_request');
    // A proxy in front may see another end of this request, and so another beginning of the next: HTTP/1.0 has no chunks
    // (RFC 9112, 6.1), and of other codings the last one decides (6.3).
    const coding = headers['transfer-encoding'];
    if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked'))
      inDoubt.add(socket);
    // A proxy in front may pass on all that follows unread, as if the other protocol had begun (RFC 9110, 7.8).
    if (headers.upgrade !== undefined) reply.raw.shouldKeepAlive = false;
    if (inDoubt.has(socket)) {
      reply.header('connection', 'close');
      throw new ProblemError('invalid_request');
    }
  });
}

/**
 * Gives one address of `localhost`: for a second one Fastify opens another server, which would have no limits. For `::` it gives
 * an empty text: Node then listens on all addresses of both families, and on those of IPv4 where the system has no IPv6.
 */
export async function hostToListen(host: string): Promise<string> {
  if (host.toLowerCase() === 'localhost') return (await lookup(host, { verbatim: false })).address;
  return host === '::' ? '' : host;
}

/** Warns at the start about a missing SIGN_TRUST_PROXY. */
export function warnOfOpenHost({ host, trustProxy }: Config, log: FastifyBaseLogger): void {
  if (isLoopbackHost(host) || trustProxy.length > 0) return;
  log.warn(
    { host },
    'listens beyond this machine and SIGN_TRUST_PROXY is empty: without a balancer there is no TLS around tokens, and ' +
      'behind one all pages count as one address',
  );
}
