// A TCP relay between a client and the proxy for the bench of outages: it can fail in the ways in which a network fails.
// - `closed` refuses; `gateway`, `portal` and `other` answer a page of their own, 502, 200 and 404; `half` answers half of a JSON
//   text in a body that never ends; `reset` resets each connection with its first bytes, as a filter does in a TLS handshake.
// - `amid` resets each connection in the middle of the next bytes from the proxy.
// - Its port is below those that systems give to other sockets, which would otherwise take it while the relay refuses.
// - The proxy sees each relay as a client of its own, because the limits of one client would refuse requests of many cells.
// - `silent` loses all packets and closes nothing. Connections that were open or opened in that time stay silent for ever.
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

const page = (status: string, html: string): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: text/html\r\ncontent-length: ${html.length}\r\nconnection: close\r\n\r\n${html}`;

const pages = {
  gateway: page('502 Bad Gateway', '<h1>502</h1>'),
  portal: page('200 OK', '<!doctype html><h1>Log in</h1>'),
  other: page('404 Not Found', '<h1>Not Found</h1>'),
  half: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n400\r\n{"jobId":"5',
} as const;

export type Failure = 'closed' | 'silent' | 'reset' | 'amid' | keyof typeof pages;

const isPage = (failure: Failure | null): failure is keyof typeof pages =>
  failure !== null && Object.hasOwn(pages, failure);

/** The relay, and the client's `navigator.onLine` with its events. */
export class Relay extends EventTarget {
  readonly navigator = { onLine: true };
  /** The port of the newest relay of this process. No browser refuses a port above 11,000. */
  static #lastPort = 11_000 + Math.floor(Math.random() * 15_000);
  static #count = 0;
  /** Linux has every address of 127.0.0.0/8 on its loopback. */
  readonly #address = `127.7.${(Relay.#count += 1) >> 8}.${Relay.#count & 255}`;
  readonly #target: number;
  readonly #open = new Set<Socket>();
  /** The connections to the proxy, with the client of each. */
  readonly #fromProxy = new Map<Socket, Socket>();
  #server: Server | null = null;
  #failure: Failure | null = null;
  port = 0;

  constructor(target: number) {
    super();
    this.#target = target;
  }

  async up(): Promise<void> {
    this.#failure = null;
    if (this.#server) return;
    const server = (this.#server = createServer((client) => this.#relay(client)));
    const isNew = this.port === 0;
    for (let isListening = false; !isListening;) {
      if (isNew) this.port = Relay.#lastPort += 1;
      server.listen(this.port, '127.0.0.1');
      isListening = await once(server, 'listening').then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (isNew && error.code === 'EADDRINUSE') return false;
          throw error;
        },
      );
    }
  }

  /** From now on the network fails in this way, for the open connections too. */
  down(failure: Failure): void {
    this.#failure = failure;
    if (failure === 'amid') return this.#fromProxy.forEach(cutAmid);
    for (const socket of this.#open) {
      if (failure === 'silent') socket.unpipe().pause();
      else if (failure === 'reset') socket.resetAndDestroy();
      else socket.destroy();
    }
    if (failure !== 'closed') return;
    this.#server?.close();
    this.#server = null;
  }

  /** Closes the relay and all its connections. */
  close(): void {
    this.down('closed');
  }

  setOnline(isOnline: boolean): void {
    this.navigator.onLine = isOnline;
    this.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  }

  #relay(client: Socket): void {
    client.on('error', () => {});
    const failure = this.#failure;
    if (failure === 'silent') {
      this.#open.add(client);
      return;
    }
    if (failure === 'reset') return void client.once('data', () => client.resetAndDestroy());
    if (isPage(failure)) return void client.once('data', () => client.end(pages[failure]));
    const proxy = createConnection({ port: this.#target, host: '127.0.0.1', localAddress: this.#address });
    for (const [socket, other] of [
      [client, proxy],
      [proxy, client],
    ] as const) {
      this.#open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
    this.#fromProxy.set(proxy, client);
    proxy.on('close', () => this.#fromProxy.delete(proxy));
    if (failure === 'amid') cutAmid(client, proxy);
  }
}

function cutAmid(client: Socket, proxy: Socket): void {
  proxy
    .unpipe()
    .resume()
    .once('data', (bytes: Buffer) => {
      client.write(bytes.subarray(0, bytes.length / 2), () => client.resetAndDestroy());
    });
}
