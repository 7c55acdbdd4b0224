// `GET {prefix}/ws/`: the V3 relay, and the diagnosis for a page whose upgrade failed (a browser shows it only 1006).
// Policy: both go through the same checks in the same order, so the diagnosis names what refused the upgrade: Origin
// (pages.ts, before this), restarting, sockets of the address; then, without an upgrade, whether the service is there.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WebSocket, WebSocketServer } from 'ws';
import type { ClientAddresses } from '../client-address.ts';
import type { Clock } from '../clock.ts';
import type { Drain } from '../drain.ts';
import { clientRate, TokenBucket } from '../client-rate.ts';
import { onlyServe } from '../only-serve.ts';
import { ProblemError } from '../problem-reply.ts';
import { startRelay } from '../relay.ts';
import type { SecretFilter } from '../secret-filter.ts';
import { openSockets } from '../sockets.ts';
import type { Upgrade, UpgradeDoor } from '../upgrade-door.ts';

const MAX_PAGE_FRAME_BYTES = 64 * 1024;
const MAX_UPSTREAM_FRAME_BYTES = 1024 * 1024;

export interface WsRouteParts {
  readonly wsUrl: string;
  readonly apiKey: string | null;
  readonly maxSocketsPerClient: number;
  readonly messagesPerMinute: number;
  readonly forwardClientAddress: boolean;
  readonly clock: Clock;
  readonly clients: ClientAddresses;
  readonly drain: Drain;
  readonly door: UpgradeDoor;
  readonly secrets: SecretFilter;
  readonly isUpstreamThere: () => Promise<boolean>;
}

export function wsRoute(scope: FastifyInstance, parts: WsRouteParts): void {
  const { clock } = parts;
  const sockets = openSockets(parts.maxSocketsPerClient);
  const rate = clientRate(parts.messagesPerMinute, clock);
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_PAGE_FRAME_BYTES,
    handleProtocols: () => false,
  });

  scope.get('/ws/', async (request, reply) => {
    const address = parts.clients.of(request.raw);
    if (parts.drain.begun) throw new ProblemError('restarting');
    if (sockets.isFull(address)) throw new ProblemError('too_many_sockets');
    const upgrade = parts.door.of(request.raw);
    if (!upgrade)
      throw new ProblemError((await parts.isUpstreamThere()) ? 'upgrade_required' : 'upstream_unreachable');

    const page = accept(server, request.raw, upgrade);
    upgrade.take();
    reply.hijack();
    page.once('close', sockets.add(address));
    const refusals = new TokenBucket(parts.messagesPerMinute, clock);
    const relay = startRelay(page, connect(parts, request), {
      clock,
      log: request.log,
      rate: () => rate(address),
      refusals: () => refusals.take(),
      redact: (frame) => parts.secrets.bytes(frame),
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
    headers: {
      'X-Request-Id': request.id,
      ...(forwardClientAddress ? { 'X-Forwarded-For': clients.addressOf(request.raw) } : {}),
      ...(apiKey === null ? {} : { 'X-API-KEY': apiKey }),
    },
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: MAX_UPSTREAM_FRAME_BYTES,
  });
}
