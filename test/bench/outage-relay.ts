// What lies between a client and the proxy in the bench of outages: a relay of TCP that refuses, or answers as a gateway with 502.
import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const PAGE =
  'HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 12\r\nconnection: close\r\n\r\n<h1>502</h1>';

/** What lies between a client and the proxy, and the state of the client's network. */
export class Relay extends EventTarget {
  readonly navigator = { onLine: true };
  readonly #target: number;
  readonly #open = new Set<Socket>();
  #server: Server | null = null;
  #isGateway = false;
  port = 0;

  constructor(target: number) {
    super();
    this.#target = target;
  }

  async up(): Promise<void> {
    this.#isGateway = false;
    if (this.#server) return;
    const server = (this.#server = createServer((client) => this.#relay(client)));
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.port = (server.address() as AddressInfo).port;
  }

  /** All connections break; from now on none is accepted, or each is answered with 502. */
  down(isGateway: boolean): void {
    this.#isGateway = isGateway;
    for (const socket of this.#open) socket.destroy();
    if (isGateway) return;
    this.#server?.close();
    this.#server = null;
  }

  setOnline(isOnline: boolean): void {
    this.navigator.onLine = isOnline;
    this.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  }

  #relay(client: Socket): void {
    client.on('error', () => {});
    if (this.#isGateway) return void client.once('data', () => client.end(PAGE));
    const proxy = createConnection(this.#target, '127.0.0.1');
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
  }
}
