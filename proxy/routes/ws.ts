// `GET {prefix}/ws/`: the V3 relay, and the diagnosis for a page whose upgrade failed (browsers show only 1006).
// - Both make the same checks in the same order: Origin (guard.ts), ticket, restarting, budget, sockets of the address. A request
//   without an upgrade then learns whether the service answers.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../clock.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { ClientAddresses } from '../limits/client-address.ts';
import { type ClientRate, clientRate } from '../limits/client-rate.ts';
import type { OpenSockets } from '../limits/sockets.ts';
import type { Spending } from '../limits/spending.ts';
import type { Metrics } from '../metrics.ts';
import { allowMethods, ProblemError } from '../problem.ts';
import { traceHeaders } from '../request-log.ts';
import { CLOSE_MS } from '../relay/closing.ts';
import type { Drain } from '../relay/drain.ts';
import { startRelay } from '../relay/relay.ts';
import { checkTicket, type TicketDeps } from '../sites/tickets.ts';
import type { Upgrade, Upgrades } from '../upgrades.ts';
import { addressFamilies, rememberFamily } from '../upstream/address-families.ts';
import { limitInterimResponses } from '../upstream/interim-responses.ts';

const MAX_CLIENT_FRAME_BYTES = 64 * 1024;
const MAX_UPSTREAM_FRAME_BYTES = 1024 * 1024;
/** The most parts of one message of a client: empty parts cost time, and only whole messages count towards a rate. */
const MAX_CLIENT_FRAGMENTS = 256;
/**
 * The most pieces in which an unfinished message arrives: each takes 200 bytes more than it holds, and 64 kB may come byte by
 * byte.
 */
const MAX_CLIENT_CHUNKS = 1_024;
/** The same for a message of the service, which may have 1 MB. */
const MAX_UPSTREAM_CHUNKS = 16_384;
/** For both sockets. A constant of its own, because the types of `ws` do not have `closeTimeout` yet. */
const socketOptions = { perMessageDeflate: false, closeTimeout: CLOSE_MS };

interface WsRouteDeps extends TicketDeps {
  readonly wsUrl: string;
  readonly credentials: Credentials;
  readonly messagesPerMinute: number;
  readonly messages: ClientRate;
  readonly maxTextBytes: number;
  readonly signers: readonly string[];
  readonly forwardClientAddress: boolean;
  readonly sockets: OpenSockets;
  readonly spending: Spending;
  readonly clock: Clock;
  readonly clients: ClientAddresses;
  readonly drain: Drain;
  readonly upgrades: Upgrades;
  readonly metrics: Metrics;
  readonly isUpstreamReachable: () => Promise<boolean>;
}

export function wsRoute(scope: FastifyInstance, deps: WsRouteDeps): void {
  const { clock, credentials, messages, metrics, sockets } = deps;
  const server = new WebSocketServer({
    ...socketOptions,
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_CLIENT_FRAME_BYTES,
    maxFragments: MAX_CLIENT_FRAGMENTS,
    maxBufferedChunks: MAX_CLIENT_CHUNKS,
    handleProtocols: () => false,
  });

  /** Counted by address and not by socket, because each refusal costs us, and sockets are easy to open. */
  const refusals = clientRate(deps.messagesPerMinute, clock);

  scope.get('/ws/', async (request, reply) => {
    checkTicket(deps, request.raw);
    const address = deps.clients.keyOf(request.raw);
    if (deps.drain.begun) throw new ProblemError('restarting');
    await deps.spending.check();
    const upgrade = deps.upgrades.get(request.raw);
    if (!upgrade) {
      const refused = await sockets.refusal(address);
      if (refused !== null) throw new ProblemError(refused);
      throw new ProblemError(
        (await deps.isUpstreamReachable()) ? 'upgrade_required' : 'upstream_unreachable',
      );
    }
    const release = await sockets.open(address);
    if (typeof release === 'string') {
      metrics.limitHit(release);
      throw new ProblemError(release);
    }
    let client: WebSocket;
    try {
      // Draining may have begun while Redis was asked.
      if (deps.drain.begun) throw new ProblemError('restarting');
      client = accept(server, request.raw, upgrade);
    } catch (refused) {
      release();
      throw refused;
    }
    metrics.socketOpened();
    client.once('close', () => {
      metrics.socketClosed();
      release();
    });
    upgrade.take();
    reply.hijack();
    const relay = startRelay(client, connect(deps, request), {
      clock,
      log: request.log,
      metrics,
      connection: upgrade.socket,
      rate: () => messages(address),
      refusals: () => refusals(address),
      maxTextBytes: deps.maxTextBytes,
      signers: deps.signers,
      spending: deps.spending,
      redactor: credentials.redactor,
      sentByUpgrade: [request.id, ...Object.values(traceHeaders(request))],
    });
    deps.drain.add(relay);
    return reply;
  });
  allowMethods(scope, '/ws/', ['GET', 'HEAD']);
}

/** Where a request has a body, frames begin after it (RFC 9110, 7.8), and Node does not read it. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Answers 101, or throws what is wrong with the handshake: `ws` does both synchronously. */
function accept(server: WebSocketServer, request: IncomingMessage, { socket, head }: Upgrade): WebSocket {
  if (hasBody(request)) throw new ProblemError('invalid_request');
  let client: WebSocket | undefined;
  const refused = (): void => {
    throw new ProblemError('invalid_request');
  };
  server.once('wsClientError', refused);
  try {
    server.handleUpgrade(request, socket, head, (accepted) => {
      client = accepted;
    });
  } finally {
    server.off('wsClientError', refused);
  }
  // `ws` gives no socket when the client closed the connection during the handshake.
  if (!client) throw new ProblemError('invalid_request');
  return client;
}

/** Of the client's request only X-Request-Id and traceparent go to the service: no cookie, no Origin, no subprotocol. */
function connect(
  { wsUrl, credentials: { apiKey }, forwardClientAddress, clients }: WsRouteDeps,
  request: FastifyRequest,
): WebSocket {
  return new WebSocket(`${wsUrl}/ws/`, {
    ...socketOptions,
    ...addressFamilies,
    headers: {
      'X-Request-Id': request.id,
      ...traceHeaders(request),
      ...(forwardClientAddress ? { 'X-Forwarded-For': clients.addressOf(request.raw) } : {}),
      ...(apiKey === null ? {} : { 'X-API-KEY': apiKey }),
    },
    finishRequest(outgoing, upstream) {
      rememberFamily(outgoing);
      limitInterimResponses(outgoing, () => upstream.terminate());
      outgoing.end();
    },
    followRedirects: false,
    maxPayload: MAX_UPSTREAM_FRAME_BYTES,
    maxBufferedChunks: MAX_UPSTREAM_CHUNKS,
  });
}
