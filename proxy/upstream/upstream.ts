// HTTP requests to the service (SEMANTICS, Proxy, time-outs).
// - 5 s to connect, 60 s to the last byte of the response, at most 1 MB. Idle connections are kept for 4 s, less than
//   servers keep them, so that a request does not meet a connection that is being closed.
// - A redirect is a response and never followed. A content or transfer coding is refused: it was not requested and
//   cannot be searched for secrets.
// - A GET without a response is sent once more, other methods never. A POST whose connection broke after it was sent may have been
//   billed: 504 `no_answer`, which no client repeats. A kept connection that breaks within a round trip (as long as connecting
//   took) and 100 ms was closed before the request came.
// - The service answers JSON. A 502, 503 or 504 with a page of HTML is from a gateway that does not reach it:
//   `upstream_unreachable`. A POST that a gateway answers with 502 or 504 after more than a second may have been taken:
//   `no_answer`.
// - At most 256 requests are pending for all clients, each until its answer is taken; over that: 503 `overloaded`, because each
//   may hold 1 MB. Of one client at most 16 GETs and 16 others are pending, fewer when many places are taken (fair-share.ts);
//   over that: 429. Connections are as many as pending requests. Not undici's Pool: it queues what its connections do not take,
//   and in a queue clients would wait for the slow requests of others.
import { Agent as HttpAgent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { fairShare } from '../limits/fair-share.ts';
import { type Metrics, NO_STATUS } from '../metrics.ts';
import { ProblemError } from '../problem.ts';

const CONNECT_MS = 5_000;
const RESPONSE_MS = 60_000;
const KEEP_MS = 4_000;
/** More than a busy proxy needs to see that a connection broke. */
const SLACK_MS = 100;
const GATEWAY_MS = 1_000;
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Each piece takes 200 bytes more than it holds, and 1 MB may come in chunks of one byte. */
const MAX_RESPONSE_PIECES = 16_384;
/** Of one request (RFC 9110, 15.2): none of them says anything to us, and each costs time. */
const MAX_INTERIM_RESPONSES = 64;
const MAX_PENDING = 256;
/** For a client with as many pending requests as it may have. */
const RETRY_SECONDS = '1';
/** Of one client; GETs and others are counted apart. */
const MAX_PENDING_OF_CLIENT = 16;

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Appended to the base URL: begins with a slash, encoded, with its query. */
  readonly path: string;
  /** The template of `path`, for metrics; by default `path`, which then must be constant. */
  readonly route?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as UTF-8 with its length; none by default. */
  readonly body?: string;
  /** The key of the client's address, for its share of the pending requests; none for requests of the proxy itself. */
  readonly client?: string;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
  /** Resolves when the client has taken the answer or has gone; until then the request keeps its place among those pending. */
  readonly taken?: Promise<void>;
  /** Awaited before each try; request() rejects with what it throws. */
  readonly onTry?: () => void | Promise<void>;
}

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Upstream {
  /**
   * The response of the service, whatever its status.
   * @throws ProblemError `upstream_unreachable` (502, or 504 when connecting took too long), `no_answer` (504),
   * `protocol_error` (502) for a response that cannot be passed on, `client_closed` once `signal` aborted, `overloaded`
   * (503) when too many are pending, `rate_limited` (429) when too many of `client` are.
   */
  request(request: UpstreamRequest): Promise<UpstreamResponse>;
  /** Closes idle connections. */
  close(): void;
}

/** `baseUrl` is http(s) and has no slash at its end. */
export function createUpstream(baseUrl: string, clock: Clock, metrics: Metrics): Upstream {
  const isTls = baseUrl.startsWith('https:');
  const agent = isTls
    ? new HttpsAgent({ keepAlive: true, timeout: KEEP_MS })
    : new HttpAgent({ keepAlive: true, timeout: KEEP_MS });

  /** What connecting took: a round trip, with TLS two or three. */
  const roundTrips = new WeakMap<Socket, number>();

  const requestOnce = ({ method, path, headers, body, signal }: UpstreamRequest): Promise<UpstreamResponse> =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const outgoing = (isTls ? httpsRequest : httpRequest)(baseUrl + path, {
        method,
        agent,
        headers: { ...headers, ...length },
      });
      let sentAt = Infinity;
      const stopConnectTimer = clock.after(CONNECT_MS, () =>
        fail(new ProblemError('upstream_unreachable', { status: 504 })),
      );
      const stopResponseTimer = clock.after(RESPONSE_MS, () => fail(new ProblemError('no_answer')));
      const settle = (): void => {
        stopConnectTimer();
        stopResponseTimer();
        signal?.removeEventListener('abort', aborted);
      };
      const fail = (problem: unknown): void => {
        settle();
        reject(problem as Error);
        outgoing.destroy();
      };
      const aborted = (): void => fail(new ProblemError('client_closed'));
      signal?.addEventListener('abort', aborted);
      if (signal?.aborted) aborted();

      const connected = (): void => {
        stopConnectTimer();
        sentAt = clock.now();
      };
      const broken = (error: Error): void => {
        const staleMs = SLACK_MS + ((outgoing.socket && roundTrips.get(outgoing.socket)) ?? 0);
        const isStale = outgoing.reusedSocket && clock.now() - sentAt <= staleMs;
        const mayBeTaken = method !== 'GET' && sentAt < Infinity && !isStale;
        const detail = 'the connection to the service broke after the request was sent';
        fail(mayBeTaken ? new ProblemError('no_answer', { extra: { detail } }) : error);
      };
      outgoing.on('socket', (socket: Socket) => {
        if (!socket.connecting) return connected();
        const startedAt = clock.now();
        socket.once(isTls ? 'secureConnect' : 'connect', () => {
          roundTrips.set(socket, clock.now() - startedAt);
          connected();
        });
      });
      outgoing.on('error', broken);
      // 101, though no other protocol was requested.
      outgoing.on('upgrade', (_response, socket) => {
        socket.destroy();
        fail(new ProblemError('protocol_error'));
      });
      let interim = 0;
      outgoing.on('information', () => {
        interim += 1;
        if (interim > MAX_INTERIM_RESPONSES) fail(new ProblemError('protocol_error'));
      });
      outgoing.on('response', (response) => {
        if (isCoded(response.headers)) return fail(new ProblemError('protocol_error'));
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > MAX_RESPONSE_BYTES || chunks.length > MAX_RESPONSE_PIECES)
            fail(new ProblemError('protocol_error'));
        });
        response.on('error', broken);
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          if (GATEWAY_STATUSES.has(status) && /^text\/html\b/i.test(headers['content-type'] ?? '')) {
            const isLate = clock.now() - sentAt >= GATEWAY_MS;
            const mayBeTaken = method !== 'GET' && status !== 503 && isLate;
            return fail(new ProblemError(mayBeTaken ? 'no_answer' : 'upstream_unreachable'));
          }
          settle();
          resolve({ status, headers, body: Buffer.concat(chunks) });
        });
      });
      outgoing.end(body);
    });

  /** Measures each try. An aborted one says nothing about the service. */
  const measured = async (request: UpstreamRequest): Promise<UpstreamResponse> => {
    const startedAt = clock.now();
    const observe = (status: number): void =>
      metrics.upstreamAnswered(request.route ?? request.path, status, (clock.now() - startedAt) / 1000);
    try {
      const response = await requestOnce(request);
      observe(response.status);
      return response;
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'client_closed')) observe(NO_STATUS);
      throw error;
    }
  };

  const withRetry = async (request: UpstreamRequest): Promise<UpstreamResponse> => {
    for (const isLast of request.method === 'GET' ? [false, true] : [true]) {
      await request.onTry?.();
      try {
        return await measured(request);
      } catch (error) {
        if (error instanceof ProblemError) throw error;
        if (isLast) break;
      }
    }
    throw new ProblemError('upstream_unreachable');
  };

  const places = fairShare(MAX_PENDING, MAX_PENDING_OF_CLIENT);
  return {
    async request(request) {
      const kind = request.method === 'GET' ? 'look-up' : 'other';
      const place = places.take(request.client ?? null, kind);
      if (place === 'full') {
        metrics.limitHit('upstream_requests');
        throw new ProblemError('overloaded');
      }
      if (place === 'share_used') {
        metrics.limitHit('upstream_requests_of_address');
        throw new ProblemError('rate_limited', {
          headers: { 'retry-after': RETRY_SECONDS },
          extra: { detail: 'this address has as many requests under way as the proxy allows' },
        });
      }
      try {
        const response = await withRetry(request);
        if (request.taken === undefined) place();
        else void request.taken.then(place);
        return response;
      } catch (error) {
        place();
        throw error;
      }
    },
    close: () => agent.destroy(),
  };
}

/** True when the body is encoded. Names of codings are case-insensitive. */
function isCoded(headers: IncomingHttpHeaders): boolean {
  const { 'content-encoding': content = 'identity', 'transfer-encoding': transfer = 'chunked' } = headers;
  return content.toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked';
}
