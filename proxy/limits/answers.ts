// Limits of one connection to a server: it has one request under way, and its client reads the answer in time.
// - A request that is sent before the previous one is answered (pipelining: no browser and no balancer does it) is not answered,
//   and nothing more is read from the connection. The connection ends after the answer under way.
// - One packet holds thousands of requests, and Node would make objects for each of them, 20 µs and 2 kB. So the parser is told
//   that another protocol begins there, and stops.
// - Only the connection itself is ended. Its address is not refused afterwards, because thousands may share it (RFC 6598).
// - An answer that the client does not read for 30 s, or not to its end in 5 minutes, ends the connection.
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { answerParser, NOT_HTTP } from '../http-parser.ts';
import type { Metrics } from '../metrics.ts';

const STALLED_MS = 30_000;
const UNREAD_MS = 300_000;
const CHECK_EVERY_MS = 5_000;

/** Both begin a request that is answered; the second one is for `Expect` headers that Node does not know. */
const REQUEST_EVENTS = ['request', 'checkExpectation'] as const;

interface UnderWay {
  readonly response: ServerResponse;
  /** Whether another request came meanwhile. */
  isFollowed: boolean;
  /** When a check first saw that the answer was written and not read. */
  writtenAt: number | null;
}

interface AnswerLimits {
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'limitHit'>;
}

/** Call it when all request listeners are there. */
export function limitAnswers(server: Server, { clock, metrics }: AnswerLimits): void {
  const underWay = new AnswersUnderWay(metrics);
  for (const event of REQUEST_EVENTS) {
    const listeners = server.listeners(event) as RequestListener[];
    server.removeAllListeners(event);
    if (listeners.length === 0) continue;
    server.on(event, (request, response) => {
      const { socket } = request;
      if (underWay.isPipelined(socket)) return;
      // An upgraded connection is the WebSocket's.
      if ((request as { readonly upgrade?: boolean }).upgrade !== true) underWay.add(socket, response);
      for (const listener of listeners) listener.call(server, request, response);
    });
  }
  server.on('connection', (socket) =>
    answerParser(socket, (_request, toNode) => {
      if (!underWay.isPipelined(socket)) return toNode();
      socket.pause();
      return NOT_HTTP;
    }),
  );
  server.once(
    'close',
    clock.every(CHECK_EVERY_MS, () => underWay.endUnread(clock.now())),
  );
}

class AnswersUnderWay {
  readonly #metrics: AnswerLimits['metrics'];
  readonly #bySocket = new Map<Socket, UnderWay>();

  constructor(metrics: AnswerLimits['metrics']) {
    this.#metrics = metrics;
  }

  add(socket: Socket, response: ServerResponse): void {
    const added: UnderWay = { response, isFollowed: false, writtenAt: null };
    this.#bySocket.set(socket, added);
    const over = (): void => {
      this.#bySocket.delete(socket);
      socket.off('close', over);
      if (added.isFollowed) socket.destroySoon();
    };
    response.once('finish', over);
    socket.once('close', over);
  }

  /** True for a request on a connection with an answer under way. The connection then ends after that answer. */
  isPipelined(socket: Socket): boolean {
    const current = this.#bySocket.get(socket);
    if (current === undefined) return false;
    if (!current.isFollowed) this.#metrics.limitHit('pipelined');
    current.isFollowed = true;
    return true;
  }

  /** Ends connections whose clients do not read what is written. */
  endUnread(now: number): void {
    for (const [socket, each] of this.#bySocket) {
      if (!each.response.writableEnded) continue;
      if (each.writtenAt === null) {
        each.writtenAt = now;
        // Node restarts this time whenever the client reads something.
        socket.setTimeout(STALLED_MS);
      } else if (now - each.writtenAt >= UNREAD_MS) {
        this.#metrics.limitHit('slow_readers');
        socket.destroy();
      }
    }
  }
}
