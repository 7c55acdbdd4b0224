// What a connection of a server that listens may have under way: one request, whose answer is taken in time.
// - a request that comes before the one before it is answered (pipelining: no browser and no balancer does it) is not looked at.
//   The connection ends with the answer under way, or at once with 16 such: one packet holds thousands.
// - Node makes objects for each request of a packet, 20 µs and 2 kB, and cannot be stopped: an address of which 30 connections were
//   ended so in a minute is not let in for a while (connections.ts).
// - an answer of which nothing is taken for 30 s, or which is not taken whole in 5 minutes, ends the connection.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import type { Metrics } from '../metrics.ts';

const STALLED_MS = 30_000;
const TAKEN_MS = 300_000;
const CHECK_EVERY_MS = 5_000;

const MAX_BEHIND = 16;

interface UnderWay {
  readonly response: ServerResponse;
  /** Requests that came meanwhile. */
  behind: number;
  /** When a check first saw that the answer was written and not taken. */
  writtenAt: number | null;
}

export interface AnswerLimits {
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'limitHit'>;
  /** A connection is ended for what its client sent. */
  onCut(socket: Socket): void;
}

/** Call it when all request listeners are there. */
export function limitAnswers(server: Server, { clock, metrics, onCut }: AnswerLimits): void {
  const underWay = new Map<Socket, UnderWay>();

  /** True for a request that is to be answered. */
  const admits = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { socket } = request;
    const current = underWay.get(socket);
    if (current !== undefined) {
      current.behind += 1;
      if (current.behind === 1) metrics.limitHit('pipelined');
      if (current.behind === MAX_BEHIND) {
        onCut(socket);
        socket.destroy();
      }
      return false;
    }
    // An upgraded connection is the WebSocket's.
    if ((request as { readonly upgrade?: boolean }).upgrade === true) return true;
    const added: UnderWay = { response, behind: 0, writtenAt: null };
    underWay.set(socket, added);
    const over = (): void => {
      underWay.delete(socket);
      socket.off('close', over);
      if (added.behind > 0) socket.destroySoon();
    };
    response.once('finish', over);
    socket.once('close', over);
    return true;
  };

  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (admits(request, response)) for (const listener of listeners) listener.call(server, request, response);
  });

  const stopChecking = clock.every(CHECK_EVERY_MS, () => {
    const now = clock.now();
    for (const [socket, each] of underWay) {
      if (!each.response.writableEnded) continue;
      if (each.writtenAt === null) {
        each.writtenAt = now;
        // Node begins anew while the connection takes something.
        socket.setTimeout(STALLED_MS);
      } else if (now - each.writtenAt >= TAKEN_MS) {
        metrics.limitHit('slow_readers');
        socket.destroy();
      }
    }
  });
  server.once('close', stopChecking);
}
