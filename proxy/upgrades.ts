// Routes upgrade requests through Fastify, so that they pass the same hooks and checks as other requests.
// - The route of the path then takes the socket from its HTTP response.
// - An upgrade to another path or protocol belongs to the host's other listeners. A host may mount several proxies on one server,
//   and their listeners are not the host's.
// - If there are no other listeners, it is parsed as a plain request, with its body (RFC 9110, 7.8): clients that offer h2c on
//   every request rely on that. So is an upgrade over HTTP/1.0, which has no upgrades. Node would do the same if we did not listen
//   for upgrades.
// - An upgrade that arrives while an earlier request of its connection is still being answered cannot be answered: the
//   connection is closed.
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerParser } from './http-parser.ts';

export interface Upgrade {
  readonly socket: Socket;
  /** The first bytes after the head of the request. */
  readonly head: Buffer;
  /** Detaches the socket from its HTTP response: from then on it belongs to the caller. */
  take(): void;
}

export interface Upgrades {
  /** Accepts WebSocket upgrades to the path on `server`. */
  listen(server: Server): void;
  /** The upgrade of a request that reached its route; undefined for a plain request. */
  get(request: IncomingMessage): Upgrade | undefined;
  close(): void;
}

type IsOurs = (request: IncomingMessage) => boolean;

/** Which upgrades are for a proxy: one function of each proxy that listens on the server. */
const proxiesOf = new WeakMap<Server, Set<IsOurs>>();

export function createUpgrades(path: string): Upgrades {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  const closing = new AbortController();

  const isOurs: IsOurs = (request) => isWebSocket(request) && request.url?.split('?', 1)[0] === path;
  /** True for an upgrade that no proxy accepts, on a server without other listeners. */
  const isUnclaimed = (server: Server, request: IncomingMessage): boolean => {
    const proxies = proxiesOf.get(server) ?? new Set();
    const isOfHost = server.listenerCount('upgrade') > proxies.size;
    return !isOfHost && ![...proxies].some((isFor) => isFor(request));
  };
  /** One proxy answers what no proxy accepts. */
  const isFirst = (server: Server): boolean => proxiesOf.get(server)?.values().next().value === isOurs;

  const onConnection = (server: Server, socket: Socket): void =>
    answerParser(socket, (request, toNode) => {
      const isPlain = request.method !== 'CONNECT' && isUnclaimed(server, request);
      // A listener that the host adds after close() would be the only one.
      if (isPlain && !closing.signal.aborted) request.upgrade = false;
      return toNode();
    });

  const onUpgrade = (server: Server, request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    if (!isOurs(request) && !(isFirst(server) && isUnclaimed(server, request))) return;
    // Node's type is too wide: an http.Server passes the connection itself.
    const socket = stream as Socket;
    const response = responseOn(socket, request);
    if (response === null) return;
    if (isOurs(request)) upgrades.set(request, { socket, head, take: () => response.detachSocket(socket) });
    server.emit('request', request, response);
  };

  return {
    listen(server) {
      const proxies = proxiesOf.get(server) ?? new Set();
      proxiesOf.set(server, proxies.add(isOurs));
      closing.signal.addEventListener('abort', () => proxies.delete(isOurs));
      const listeners = {
        upgrade: onUpgrade.bind(null, server),
        // On a server with TLS, the socket of `connection` has no parser; that of `secureConnection` has one.
        connection: onConnection.bind(null, server),
        secureConnection: onConnection.bind(null, server),
      };
      for (const [event, listener] of Object.entries(listeners)) {
        server.on(event, listener);
        closing.signal.addEventListener('abort', () => server.off(event, listener));
      }
    },
    get: (request) => upgrades.get(request),
    close: () => closing.abort(),
  };
}

const isWebSocket = (request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  request.httpVersion === '1.1' &&
  request.headers.upgrade?.toLowerCase() === 'websocket';

/** Node has detached the connection, so this response ends it. Null while an earlier response uses the connection. */
function responseOn(socket: Socket, request: IncomingMessage): ServerResponse | null {
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
