// The one HTTP and WebSocket server of the service, on loopback: `/ws/`, the routes of the documents, the control route.
// Policy: no key is asked for on the upgrade (document 3, Authentication); frames over 2 MB close the socket with 1009, and
// a client that does not read is broken off at 8 MB, so that no socket costs more memory than that. A body is 1 MB at most.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import Fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyPluginCallback,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { WebSocketServer, type WebSocket } from 'ws';
import { AUTH_PATH, TRANSPORT_PATH } from './addresses.ts';
import { LiveError, requestIdOf } from './live/live-error.ts';
import { V3Connection } from './v3/connection.ts';
import type { V3Service } from './v3/service.ts';

const WS_PATH = '/ws/';
const MOST_PAYLOAD = 2 * 1024 * 1024;
const MOST_UNSENT = 8 * 1024 * 1024;
const MOST_BODY = 1024 * 1024;
/** Characters; no line of a request is longer, so that a long id is told to be none, not to be no address. */
const LONGEST_ID = 16 * 1024;

export interface ApiServer {
  readonly app: FastifyInstance;
  readonly sockets: ReadonlySet<WebSocket>;
}

/** An address that cannot be read comes before any route: it is told in the envelope of the document it points at. */
function unreadableAddress(request: FastifyRequest, reply: FastifyReply): object {
  const { url } = request;
  const why = 'the address is not rightly escaped';
  if (url.startsWith(TRANSPORT_PATH) || url.startsWith(AUTH_PATH)) {
    return { data: { status: 'FAILED', errorLog: why } };
  }
  if (url.startsWith('/v2/live/')) {
    const requestId = requestIdOf(request);
    void reply.header('X-Request-Id', requestId);
    return new LiveError('BAD_REQUEST', why).envelope(requestId);
  }
  return { error: 'invalid_request', details: why };
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?', 1)[0]!;

function serveSocket(service: V3Service, socket: WebSocket): void {
  const connection = new V3Connection(service, {
    send(data) {
      socket.send(data);
      if (socket.bufferedAmount > MOST_UNSENT) socket.terminate();
    },
    close: (code) => socket.close(code),
    drop: () => socket.terminate(),
  });
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) connection.receiveBinary(data.length);
    else connection.receive(data.toString('utf8'));
  });
  socket.on('close', () => connection.closed());
  // A broken frame: ws closes the socket with the code that says so, and 'close' follows.
  socket.on('error', () => {});
}

/** A document's routes, in their own errors' envelope. */
export type Routes = FastifyPluginCallback | FastifyPluginAsync;

export function createApiServer(service: V3Service, rooms: readonly Routes[]): ApiServer {
  const app = Fastify({
    bodyLimit: MOST_BODY,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: LONGEST_ID },
    frameworkErrors: (_error, request, reply: FastifyReply) =>
      void reply.code(400).send(unreadableAddress(request, reply)),
  });
  app.addHook('onSend', (_request, reply, _payload, next) => {
    reply.header('Cache-Control', 'no-store');
    next();
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: 'not_found', details: 'no such route' }),
  );
  app.get(WS_PATH, (_request, reply) =>
    reply
      .code(426)
      .header('Upgrade', 'websocket')
      .send({ error: 'upgrade_required', details: 'a WebSocket is served here' }),
  );
  for (const room of rooms) void app.register(room);

  const sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_PAYLOAD, perMessageDeflate: false });
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (pathOf(request) !== WS_PATH) {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => serveSocket(service, opened));
  });
  return { app, sockets: sockets.clients };
}
