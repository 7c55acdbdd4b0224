// The one HTTP and WebSocket server of the service, on loopback: `/ws/`, the routes of the documents, the control route.
// - Each account has routes and sockets of its own behind the one port.
// - The upgrade needs no key (document 3, Authentication).
// - A frame over 2 MB closes its socket with 1009. A socket is terminated when 8 MB wait for a client that does not read.
// - A body has at most 1 MB.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import Fastify, {
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
/** In characters. A request line may be this long, so that a long id is answered as an unknown id, not as a bad address. */
const LONGEST_ID = 16 * 1024;

/** The API of one account. */
export interface Api {
  answer(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The sockets that are open now. */
  readonly sockets: ReadonlySet<WebSocket>;
  /** Terminates its sockets, and accepts nothing more. */
  close(): Promise<void>;
}

/** An address that cannot be parsed reaches no route: the error has the envelope of the document that its path belongs to. */
function unreadableAddress(request: FastifyRequest, reply: FastifyReply): object {
  const { url } = request;
  const why = 'the address has a wrong escape';
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
  // After an invalid frame ws closes the socket with the matching code, and 'close' follows.
  socket.on('error', () => {});
}

/** The routes of one document, with its envelope for errors. */
type Routes = FastifyPluginCallback | FastifyPluginAsync;

/** Opens the API that answers for one account. */
export async function openApi(service: V3Service, documents: readonly Routes[]): Promise<Api> {
  const app = Fastify({
    bodyLimit: MOST_BODY,
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
  for (const routes of documents) void app.register(routes);
  await app.ready();

  const sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_PAYLOAD, perMessageDeflate: false });
  return {
    answer: (request, response) => app.routing(request, response),
    upgrade(request, socket, head) {
      if (pathOf(request) === WS_PATH) {
        sockets.handleUpgrade(request, socket, head, (opened) => serveSocket(service, opened));
      } else {
        socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      }
    },
    sockets: sockets.clients,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      await app.close();
    },
  };
}

/** The HTTP server of all accounts; `of` chooses the API that a request is for. Keeps idle connections for 72 s. */
export function createApiServer(of: (request: IncomingMessage) => Api): Server {
  const server = createServer({ keepAliveTimeout: 72_000 }, (request, response) =>
    of(request).answer(request, response),
  );
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    of(request).upgrade(request, socket, head),
  );
  return server;
}
