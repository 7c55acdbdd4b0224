// A relay between two real sockets of `ws`, each on a connection without a network.
// - A peer's bytes are pushed in the given reads; the bytes that it receives are recorded.
// - With `isPlain` the relay gets sockets without the receiver of `ws` that it knows, so that `ws` reads every frame.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import { WebSocket, WebSocketServer } from 'ws';
import { createRedactor } from '../../../proxy/credentials/redaction.ts';
import { startRelay, type RelayDeps } from '../../../proxy/relay/relay.ts';
import { manualClock } from '../manual-clock.ts';
import { framesIn } from '../raw-frames.ts';
import { secrets } from './secrets.ts';

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const MAX_TEXT_BYTES = 20_000;

class Wire extends Duplex {
  private readonly written: Buffer[] = [];
  private headBytes = 0;

  override _read(): void {
    // What the peer says is pushed.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.written.push(Buffer.from(chunk));
    done();
  }

  /** What was written since the handshake. */
  get output(): Buffer {
    return Buffer.concat(this.written).subarray(this.headBytes);
  }

  /** Drops the bytes written so far, which are the handshake. */
  forget(): string {
    const head = this.output.toString();
    this.headBytes += head.length;
    return head;
  }
}

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: 64 * 1024,
  maxFragments: 256,
});
const { log } = Fastify();

function accepted(wire: Wire): WebSocket {
  const headers = { upgrade: 'websocket', 'sec-websocket-key': KEY, 'sec-websocket-version': '13' };
  let client: WebSocket | undefined;
  server.handleUpgrade({ method: 'GET', headers } as IncomingMessage, wire, Buffer.alloc(0), (socket) => {
    client = socket;
  });
  if (client === undefined) throw new Error('the handshake failed');
  return client;
}

/** `socket` without the receiver of `ws`. */
const hidden = (socket: WebSocket): WebSocket =>
  new Proxy(socket, {
    get(target, name) {
      if (name === '_receiver') return undefined;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });

export interface WireRelay {
  fromClient(bytes: Buffer): Promise<void>;
  fromService(bytes: Buffer): Promise<void>;
  /** The result: the bytes to both peers, and the counts. */
  outcome(): unknown;
  end(): void;
}

export async function wireRelay(rate: RelayDeps['rate'], isPlain: boolean): Promise<WireRelay> {
  const [page, service] = [new Wire(), new Wire()];
  const client = accepted(page);
  const upstream = new WebSocket('ws://service.example/', {
    perMessageDeflate: false,
    maxPayload: 1024 * 1024,
    createConnection: () => service,
  });
  const reports: unknown[] = [];
  const seen = isPlain ? hidden : (socket: WebSocket): WebSocket => socket;
  startRelay(seen(client), seen(upstream), {
    clock: manualClock(),
    log,
    metrics: {
      frame: (direction) => void reports.push(direction),
      relayEnded: (reason) => void reports.push(reason),
      upstreamAnswered: (_route, status) => void reports.push(status),
      limitHit: (limit) => void reports.push(limit),
    },
    connection: page,
    rate,
    refusals: () => 0,
    signers: [],
    maxTextBytes: MAX_TEXT_BYTES,
    redactor: createRedactor(Object.values(secrets)),
    sentByUpgrade: [],
    spending: {
      isSpent: false,
      add: (amount) => void reports.push(amount),
      expect: (seconds) => void reports.push(seconds),
      mustWait: () => false,
      streaming: () => () => 0,
    },
  });
  while (service.output.length === 0) await setImmediate();
  const [, key = ''] = /sec-websocket-key: (\S+)/i.exec(service.forget()) ?? [];
  page.forget();
  const accept = createHash('sha1')
    .update(key + GUID)
    .digest('base64');
  service.push(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  while (upstream.readyState !== WebSocket.OPEN) await setImmediate();
  const said = async (wire: Wire, bytes: Buffer): Promise<void> => {
    // A relay writes into the buffer that it has read, so it gets a copy.
    if (!wire.destroyed) wire.push(Buffer.from(bytes));
    await setImmediate();
  };
  return {
    fromClient: (bytes) => said(page, bytes),
    fromService: (bytes) => said(service, bytes),
    outcome: () => ({
      reports: [...reports],
      toClient: page.output.toString('latin1'),
      toService: framesIn(service.output).map(({ opcode, isMasked, payload }) => [
        opcode,
        isMasked,
        payload.toString('latin1'),
      ]),
      states: [client.readyState, upstream.readyState],
    }),
    end() {
      client.terminate();
      upstream.terminate();
    },
  };
}
