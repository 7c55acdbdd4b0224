// A fake signing service: it records its requests and sockets and answers as a test sets it.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { listen } from '../listening.ts';
import { arrivals, type Arrivals } from './arrivals.ts';

interface UpstreamFrame {
  readonly text: string;
  readonly isBinary: boolean;
}

export interface UpstreamSession {
  /** The request of the upgrade, as it came. */
  readonly request: IncomingMessage;
  readonly socket: WebSocket;
  readonly frames: Arrivals<UpstreamFrame>;
  readonly closed: Promise<number>;
}

/** A plain HTTP request with its whole body. */
export interface UpstreamAsked {
  readonly request: IncomingMessage;
  readonly body: string;
}

export interface FakeUpstream {
  /** {base_url}, on http. */
  readonly url: string;
  readonly sessions: Arrivals<UpstreamSession>;
  /** Plain HTTP requests, as soon as they begin. */
  readonly checks: IncomingMessage[];
  /** Plain HTTP requests, when their bodies are complete. */
  readonly asked: Arrivals<UpstreamAsked>;
  /** Answers a plain request; by default with nothing but `status`. */
  answer: (response: ServerResponse, asked: UpstreamAsked) => void;
  /** Status of the answer to a plain request and to an upgrade that is refused. */
  status: number;
  /** What becomes of an upgrade: a session, an HTTP answer, or silence. */
  upgrades: 'accept' | 'refuse' | 'ignore';
  close(): Promise<void>;
}

export async function fakeUpstream(): Promise<FakeUpstream> {
  const sessions = arrivals<UpstreamSession>();
  const checks: IncomingMessage[] = [];
  const ignored: Duplex[] = [];
  const sockets = new WebSocketServer({ noServer: true });
  const asked = arrivals<UpstreamAsked>();
  const server = createServer((request, response) => {
    checks.push(request);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const complete = { request, body: Buffer.concat(chunks).toString() };
      asked.push(complete);
      upstream.answer(response, complete);
    });
  });
  server.on('upgrade', (request, stream, head) => {
    if (upstream.upgrades === 'ignore') return void ignored.push(stream);
    if (upstream.upgrades === 'refuse') {
      stream.end(`HTTP/1.1 ${upstream.status} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const frames = arrivals<UpstreamFrame>();
      socket.on('message', (data: Buffer, isBinary) => frames.push({ text: data.toString(), isBinary }));
      const closed = once(socket, 'close').then(([code]) => code as number);
      sessions.push({ request, socket, frames, closed });
    });
  });
  const port = await listen(server);
  const upstream: FakeUpstream = {
    url: `http://127.0.0.1:${port}`,
    sessions,
    checks,
    asked,
    answer: (response) => void response.writeHead(upstream.status).end(),
    status: 426,
    upgrades: 'accept',
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      // Nobody reads these streams, so they do not notice that their clients have closed.
      for (const stream of ignored) stream.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return upstream;
}
