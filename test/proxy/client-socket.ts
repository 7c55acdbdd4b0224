// A client as the proxy sees it: a WebSocket client, with or without what a browser adds.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { arrivals, type Arrivals } from './arrivals.ts';

export const SESSION_START = JSON.stringify({
  type: 'session.start',
  version: '3.0',
  mode: 'translate',
  config: { digital_signer: 'RAE' },
});

export interface ClientSocket {
  readonly socket: WebSocket;
  readonly frames: Arrivals<string>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

/** Opens a socket. Rejects with the HTTP answer's status when it is refused. */
export async function openClient(
  address: string,
  headers: Record<string, string> = {},
): Promise<ClientSocket> {
  const socket = new WebSocket(address, { headers });
  const frames = arrivals<string>();
  socket.on('message', (data: Buffer) => frames.push(data.toString()));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await once(socket, 'open');
  socket.on('error', () => undefined);
  return { socket, frames, closed };
}

interface Refusal {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** Opens an upgrade that must be refused; resolves with its HTTP answer. */
export function refusedUpgrade(address: string, headers: Record<string, string> = {}): Promise<Refusal> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { headers });
    socket.on('open', () => reject(new Error('the upgrade was accepted')));
    socket.on('error', reject);
    socket.on('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: JSON.parse(text) as Refusal['body'],
        });
      });
    });
  });
}
