// A door before the sandbox's media, one for each player that is compared: every request takes so much longer, half on its
// way there and half on its way back, as over a network of that round trip; some connections break off half way, as a lossy
// one does; and what went through is counted. Signed addresses hold behind any door, because no host is signed.
import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export interface Trouble {
  /** Milliseconds added to each request. */
  readonly delay: number;
  /** Share of the answers that break off in the middle, 0 to 1. */
  readonly loss: number;
}

export interface SlowDoor {
  /** The same address behind this door. */
  through(url: string): string;
  /** Bytes of all answers so far. */
  readonly bytes: number;
  readonly requests: number;
  close(): Promise<void>;
}

/** @param chance 0 to 1, for each answer anew */
export async function openSlowDoor({ delay, loss }: Trouble, chance: () => number): Promise<SlowDoor> {
  let target = '';
  const count = { bytes: 0, requests: 0 };
  const server = createServer({ noDelay: true }, (request, response) => {
    const { method, headers, url = '/' } = request;
    count.requests += 1;
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const isLost = chance() < loss;
    const pass = async (): Promise<void> => {
      await setTimeout(delay / 2, undefined, { signal: gone.signal });
      const { host } = new URL(target);
      const passed = { method, headers: { ...headers, host }, signal: gone.signal };
      const upstream = ask(new URL(url, target), passed).end();
      const [answer] = (await once(upstream, 'response', passed)) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      await setTimeout(delay / 2, undefined, { signal: gone.signal });
      const body = Buffer.concat(chunks);
      count.bytes += body.length;
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (isLost) response.write(body.subarray(0, body.length >> 1), () => response.destroy());
      else response.end(body);
    };
    pass().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    through(url) {
      const address = new URL(url);
      target = address.origin;
      address.port = String(port);
      return address.href;
    },
    get bytes() {
      return count.bytes;
    },
    get requests() {
      return count.requests;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
