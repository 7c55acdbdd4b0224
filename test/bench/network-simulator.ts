// Simulates a network between a player and the sandbox's media, one for each player of a comparison.
// - Each request is delayed, by half of the round trip before it and half after it. Some connections break in the middle, as
//   on a lossy network.
// - A trick can change an answer. Requests and bytes are counted.
// - Signed addresses stay valid over this network, because their signature does not cover the host.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { listen } from '../listening.ts';

export interface Trouble {
  /** Milliseconds added to each request. */
  readonly delay: number;
  /** Share of the answers that break off in the middle, 0 to 1. */
  readonly loss: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Answers a request, mostly with the answer that `pass` gets from the sandbox. `range` is the range of the request. */
export type Trick = (
  asked: URL,
  pass: (url: URL) => Promise<Answer>,
  range: string | undefined,
) => Promise<Answer>;

interface SimulatedNetwork {
  /** The same address over this network. */
  through(url: string): string;
  /** Bytes of all answers so far. */
  readonly bytes: number;
  readonly requests: number;
  close(): Promise<void>;
}

/** Headers that this server writes itself. */
const notPassed = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

/** @param chance 0 to 1, for each answer by itself */
export async function simulateNetwork(
  { delay, loss }: Trouble,
  chance: () => number,
  trick: Trick = (asked, pass) => pass(asked),
): Promise<SimulatedNetwork> {
  let target = '';
  const count = { bytes: 0, requests: 0 };
  const server = createServer({ noDelay: true }, (request, response) => {
    const { method = 'GET', headers, url = '/' } = request;
    count.requests += 1;
    const gone = new AbortController();
    const { signal } = gone;
    response.on('close', () => gone.abort());
    const isLost = chance() < loss;
    const pass = async (asked: URL): Promise<Answer> => {
      const range = headers.range === undefined ? {} : { range: headers.range };
      const answer = await fetch(asked, { method, headers: range, signal });
      const passed = [...answer.headers].filter(([name]) => !notPassed.has(name));
      const body = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, headers: Object.fromEntries(passed), body };
    };
    const reply = async (): Promise<void> => {
      await setTimeout(delay / 2, undefined, { signal });
      const { status, headers, body } = await trick(new URL(url, target), pass, request.headers.range);
      await setTimeout(delay / 2, undefined, { signal });
      count.bytes += body.length;
      response.writeHead(status, { 'access-control-allow-origin': '*', ...headers });
      if (isLost) response.write(body.subarray(0, body.length >> 1), () => response.destroy());
      else response.end(body);
    };
    reply().catch(() => response.destroy());
  });
  const port = await listen(server);
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
