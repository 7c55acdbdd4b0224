// `GET {prefix}/ws/`: the V3 relay, and the diagnosis for a page whose upgrade failed (a browser shows it only 1006).
// Policy: both go through the same checks in the same order, so the diagnosis names what refused the upgrade: Origin
// (pages.ts, before this), restarting, sockets of the address; then, without an upgrade, whether the service is there.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WebSocket, WebSocketServer } from 'ws';
import type { ClientAddresses } from '../limits/client-address.ts';
import type { Clock } from '../clock.ts';
import type { Drain } from '../relay/drain.ts';
import { TokenBucket, type ClientRate } from '../limits/client-rate.ts';
import type { Metrics } from '../metrics.ts';
import { onlyServe } from '../requests/only-serve.ts';
import { ProblemError } from '../problem-reply.ts';
import { CLOSE_MS, startRelay } from '../relay/relay.ts';
import type { SecretFilter } from '../credentials/secret-filter.ts';
import type { OpenSockets } from '../limits/sockets.ts';
import type { Upgrade, UpgradeDoor } from '../upgrade-door.ts';

const MAX_PAGE_FRAME_BYTES = 64 * 1024;
const MAX_UPSTREAM_FRAME_BYTES = 1024 * 1024;
/** Of both sides' sockets. Apart, because the types of `ws` do not know `closeTimeout` yet. */
const socketOptions = { perMessageDeflate: false, closeTimeout: CLOSE_MS };

export interface WsRouteParts {
  readonly wsUrl: string;
  /** As it is when it is read: it may be replaced while the proxy runs. */
  readonly apiKey: string | null;
  readonly messagesPerMinute: number;
  readonly messages: ClientRate;
  readonly forwardClientAddress: boolean;
  readonly sockets: OpenSockets;
  readonly clock: Clock;
  readonly clients: ClientAddresses;
  readonly drain: Drain;
  readonly door: UpgradeDoor;
  readonly secrets: SecretFilter;
  readonly metrics: Metrics;
  readonly isUpstreamThere: () => Promise<boolean>;
}

export function wsRoute(scope: FastifyInstance, parts: WsRouteParts): void {
  const { clock, messages, metrics, secrets, sockets } = parts;
  const server = new WebSocketServer({
    ...socketOptions,
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_PAGE_FRAME_BYTES,
    handleProtocols: () => false,
  });

  scope.get('/ws/', async (request, reply) => {
    const address = parts.clients.of(request.raw);
    if (parts.drain.begun) throw new ProblemError('restarting');
    const upgrade = parts.door.of(request.raw);
    if (!upgrade) {
      const refused = await sockets.refusal(address);
      if (refused !== null) throw new ProblemError(refused);
      throw new ProblemError((await parts.isUpstreamThere()) ? 'upgrade_required' : 'upstream_unreachable');
    }
    const leave = await sockets.open(address);
    if (typeof leave === 'string') {
      metrics.limitHit(leave);
      throw new ProblemError(leave);
    }
    let page: WebSocket;
    try {
      // It may have begun while the place was asked for.
      if (parts.drain.begun) throw new ProblemError('restarting');
      page = accept(server, request.raw, upgrade);
    } catch (refused) {
      leave();
      throw refused;
    }
    metrics.socketOpened();
    page.once('close', () => {
      metrics.socketClosed();
      leave();
    });
    upgrade.take();
    reply.hijack();
    const refusals = new TokenBucket(parts.messagesPerMinute, clock);
    const relay = startRelay(page, connect(parts, request), {
      clock,
      log: request.log,
      metrics,
      connection: upgrade.socket,
      rate: () => messages(address),
      refusals: () => refusals.take(),
      redact: (frame) => secrets.bytes(frame),
    });
    parts.drain.add(relay);
    return reply;
  });
  onlyServe(scope, '/ws/', ['GET', 'HEAD']);
}

/** Answers 101. `ws` does all of it before it returns, or says what is wrong with the handshake. */
function accept(server: WebSocketServer, request: IncomingMessage, { socket, head }: Upgrade): WebSocket {
  let page: WebSocket | undefined;
  const refused = (): void => {
    throw new ProblemError('invalid_request');
  };
  server.once('wsClientError', refused);
  try {
    server.handleUpgrade(request, socket, head, (accepted) => {
      page = accepted;
    });
  } finally {
    server.off('wsClientError', refused);
  }
  // The page hung up while it was being let in.
  if (!page) throw new ProblemError('invalid_request');
  return page;
}

/** Nothing of the page's request goes up but its X-Request-Id: no cookie, no Origin, no subprotocol. */
function connect(
  { wsUrl, apiKey, forwardClientAddress, clients }: WsRouteParts,
  request: FastifyRequest,
): WebSocket {
  return new WebSocket(`${wsUrl}/ws/`, {
    ...socketOptions,
    headers: {
      'X-Request-Id': request.id,
      ...(forwardClientAddress ? { 'X-Forwarded-For': clients.addressOf(request.raw) } : {}),
      ...(apiKey === null ? {} : { 'X-API-KEY': apiKey }),
    },
    followRedirects: false,
    maxPayload: MAX_UPSTREAM_FRAME_BYTES,
  });
}
