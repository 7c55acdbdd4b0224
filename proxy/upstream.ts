// The proxy's one way to ask the service over HTTP (SEMANTICS, Proxy, time-outs). Policy: connections are kept for 4 s,
// which is shorter than any server keeps them, so that a request does not meet a connection that is just being closed;
// 5 s to connect, 60 s to the last byte of the answer, which may have 1 MB; a redirect is an answer and never followed;
// an answer in a content coding is refused, since it was not asked for and cannot be searched for secrets. What breaks
// off without an answer is tried once more when asking twice changes nothing (GET), and never otherwise.
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from './clock.ts';
import { ProblemError } from './problem-reply.ts';

const CONNECT_MS = 5_000;
const ANSWER_MS = 60_000;
const KEEP_MS = 4_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL: begins with a slash, encoded, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as UTF-8 with its length; none by default. */
  readonly body?: string;
  /** Aborts when nobody waits for the answer any more; never by default. */
  readonly signal?: AbortSignal;
  /** Called before each try; what it throws is thrown instead of an answer. */
  readonly onTry?: () => void;
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
   * `protocol_error` (502) for an answer that cannot be passed on, `page_gone` once `signal` aborted.
   */
  ask(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Closes the connections that are kept. */
  close(): void;
}

/** `baseUrl` is http(s) and has no slash at its end. */
export function upstreamAt(baseUrl: string, clock: Clock): Upstream {
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
      request.on('response', (response) => {
        const coding = response.headers['content-encoding'] ?? 'identity';
        if (coding !== 'identity') return fail(new ProblemError('protocol_error'));
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

  return {
    async ask(request) {
      for (const isLast of request.method === 'GET' ? [false, true] : [true]) {
        request.onTry?.();
        try {
          return await askOnce(request);
        } catch (error) {
          if (error instanceof ProblemError) throw error;
          if (isLast) break;
        }
      }
      throw new ProblemError('upstream_unreachable');
    },
    close: () => agent.destroy(),
  };
}
