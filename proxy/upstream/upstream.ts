// The proxy's one way to ask the service over HTTP (SEMANTICS, Proxy, time-outs). Policy: connections are kept for 4 s,
// which is shorter than any server keeps them, so that a request does not meet a connection that is just being closed;
// 5 s to connect, 60 s to the last byte of the answer, which may have 1 MB; a redirect is an answer and never followed;
// an answer in a content or transfer coding is refused, since it was not asked for and cannot be searched for secrets. What breaks
// off without an answer is tried once more when asking twice changes nothing (GET), and never otherwise. At most 256
// requests are under way at once, of all pages together: over that it is 503 `overloaded`, for each may hold 1 MB.
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { NO_STATUS, type Metrics } from '../metrics.ts';
import { ProblemError } from '../problem-reply.ts';

const CONNECT_MS = 5_000;
const ANSWER_MS = 60_000;
const KEEP_MS = 4_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_UNDER_WAY = 256;

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL: begins with a slash, encoded, with its query. */
  readonly path: string;
  /** The template of `path`, for metrics; by default `path`, which then must be one of few. */
  readonly route?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as UTF-8 with its length; none by default. */
  readonly body?: string;
  /** Aborts when nobody waits for the answer any more; never by default. */
  readonly signal?: AbortSignal;
  /** Waited for before each try; what it throws is thrown instead of an answer. */
  readonly onTry?: () => void | Promise<void>;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Upstream {
  /**
   * The service's answer, whatever its status.
   * @throws ProblemError `upstream_unreachable` (502, or 504 when connecting took too long), `no_answer` (504),
   * `protocol_error` (502) for an answer that cannot be passed on, `page_gone` once `signal` aborted, `overloaded`
   * (503) when too many are under way.
   */
  ask(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Closes the connections that are kept. */
  close(): void;
}

/** `baseUrl` is http(s) and has no slash at its end. */
export function upstreamAt(baseUrl: string, clock: Clock, metrics: Metrics): Upstream {
  const isTls = baseUrl.startsWith('https:');
  const agent = isTls
    ? new HttpsAgent({ keepAlive: true, timeout: KEEP_MS })
    : new HttpAgent({ keepAlive: true, timeout: KEEP_MS });

  const askOnce = ({ method, path, headers, body, signal }: UpstreamRequest): Promise<UpstreamAnswer> =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const request = (isTls ? httpsRequest : httpRequest)(baseUrl + path, {
        method,
        agent,
        headers: { ...headers, ...length },
      });
      const stopConnectTimer = clock.after(CONNECT_MS, () =>
        fail(new ProblemError('upstream_unreachable', { status: 504 })),
      );
      const stopAnswerTimer = clock.after(ANSWER_MS, () => fail(new ProblemError('no_answer')));
      const settle = (): void => {
        stopConnectTimer();
        stopAnswerTimer();
        signal?.removeEventListener('abort', gone);
      };
      const fail = (problem: unknown): void => {
        settle();
        reject(problem as Error);
        request.destroy();
      };
      const gone = (): void => fail(new ProblemError('page_gone'));
      signal?.addEventListener('abort', gone);
      if (signal?.aborted) gone();

      request.on('socket', (socket: Socket) => {
        if (socket.connecting) socket.once(isTls ? 'secureConnect' : 'connect', stopConnectTimer);
        else stopConnectTimer();
      });
      request.on('error', fail);
      // 101, though nobody asked for another protocol.
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        fail(new ProblemError('protocol_error'));
      });
      request.on('response', (response) => {
        if (isCoded(response.headers)) return fail(new ProblemError('protocol_error'));
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > MAX_ANSWER_BYTES) fail(new ProblemError('protocol_error'));
        });
        response.on('error', fail);
        response.on('end', () => {
          settle();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          });
        });
      });
      request.end(body);
    });

  /** Each try is measured; one that nobody waits for any more says nothing of the service. */
  const measured = async (request: UpstreamRequest): Promise<UpstreamAnswer> => {
    const askedAt = clock.now();
    const observe = (status: number): void =>
      metrics.upstreamAnswered(request.route ?? request.path, status, (clock.now() - askedAt) / 1000);
    try {
      const answer = await askOnce(request);
      observe(answer.status);
      return answer;
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'page_gone')) observe(NO_STATUS);
      throw error;
    }
  };

  const tried = async (request: UpstreamRequest): Promise<UpstreamAnswer> => {
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

  let underWay = 0;
  return {
    async ask(request) {
      if (underWay >= MAX_UNDER_WAY) {
        metrics.limitHit('upstream_requests');
        throw new ProblemError('overloaded');
      }
      underWay += 1;
      try {
        return await tried(request);
      } finally {
        underWay -= 1;
      }
    },
    close: () => agent.destroy(),
  };
}

/** True when the bytes are not the content itself. Codings are named in letters of any case. */
function isCoded(headers: IncomingHttpHeaders): boolean {
  const { 'content-encoding': content = 'identity', 'transfer-encoding': transfer = 'chunked' } = headers;
  return content.toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked';
}
