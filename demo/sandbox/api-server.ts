// The one HTTP and WebSocket server of the service, on loopback: `/ws/`, the REST routes, the control route.
// Policy: no key is asked for on the upgrade (document 3, Authentication); frames over 2 MB close the socket with 1009, and
// a client that does not read is broken off at 8 MB, so that no socket costs more memory than that.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { answerJson } from './answer.ts';
import { answerControl, CONTROL_PATH, type Control } from './control-route.ts';
import { answerRest } from './rest-routes.ts';
import { V3Connection } from './v3-connection.ts';
import type { V3Service } from './v3-service.ts';

const WS_PATH = '/ws/';
const MOST_PAYLOAD = 2 * 1024 * 1024;
const MOST_UNSENT = 8 * 1024 * 1024;

export interface ApiServer {
  readonly http: Server;
  readonly sockets: ReadonlySet<WebSocket>;
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

async function answer(control: Control, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = pathOf(request);
  if (path === CONTROL_PATH) return answerControl(control, request, response);
  if (answerRest(path, request, response)) return;
  if (path === WS_PATH) {
    response.setHeader('Upgrade', 'websocket');
    return answerJson(response, 426, { error: 'upgrade_required', details: 'a WebSocket is served here' });
  }
  answerJson(response, 404, { error: 'not_found', details: 'no such route' });
}

export function createApiServer(service: V3Service, control: Control): ApiServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_PAYLOAD, perMessageDeflate: false });
  const http = createServer((request, response) => {
    answer(control, request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (pathOf(request) !== WS_PATH) {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => serveSocket(service, opened));
  });
  return { http, sockets: sockets.clients };
}
