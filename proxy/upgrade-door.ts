// Where upgrade requests come in. Policy: an upgrade goes the way of every other request, through Fastify's hooks to the
// route of its path, so that there is one Origin check and one kind of refusal; the route then takes the socket.
// An upgrade to another path or protocol belongs to the host's other listeners. When there is none, Node would leave the
// socket hanging, so it is answered as the plain request that it would be without us (RFC 9110, 7.8 allows that:
// clients that offer h2c on every request live from it), and so is one by HTTP/1.0, which knows no upgrade (there too).
// One that comes while an earlier request of its connection is still being answered has no place to be answered in: the
// connection is cut.
import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface Upgrade {
  readonly socket: Socket;
  /** First bytes that came after the request's head. */
  readonly head: Buffer;
  /** Parts the socket from its HTTP answer: from here on it is the caller's. */
  take(): void;
}

export interface UpgradeDoor {
  /** The upgrade behind a request that reached its route, undefined for a plain one. */
  of(request: IncomingMessage): Upgrade | undefined;
  close(): void;
}

/** Lets WebSocket upgrades to `path` in. */
export function upgradeDoor(server: Server, path: string): UpgradeDoor {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();

  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    const isOurs = isWebSocket(request) && request.url?.split('?', 1)[0] === path;
    if (!isOurs && server.listenerCount('upgrade') > 1) return;
    // Node types this wider than it is: an http.Server hands out the connection.
    const socket = stream as Socket;
    const response = answerOn(socket, request);
    if (response === null) return;
    if (isOurs) upgrades.set(request, { socket, head, take: () => response.detachSocket(socket) });
    server.emit('request', request, response);
  };

  server.on('upgrade', onUpgrade);
  return { of: (request) => upgrades.get(request), close: () => void server.off('upgrade', onUpgrade) };
}

const isWebSocket = (request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  request.httpVersion === '1.1' &&
  request.headers.upgrade?.toLowerCase() === 'websocket';

/** Node has let go of the connection, so its one answer ends it. Null when the answer before it holds the connection. */
function answerOn(socket: Socket, request: IncomingMessage): ServerResponse | null {
  socket.on('error', () => socket.destroy());
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  try {
    response.assignSocket(socket);
  } catch {
    socket.destroy();
    return null;
  }
  response.on('finish', () => socket.destroySoon());
  return response;
}
