// Sends one HTTP request to the service, once (SEMANTICS, Proxy, time-outs).
// - 5 s to connect, 60 s to the last byte of the response, at most 1 MB. Idle connections are kept for 4 s, less than
//   servers keep them, so that a request does not meet a connection that is being closed. A busy one is kept for a minute: a
//   service whose name gets another address (a failover) may go on answering at the old one, with 503.
// - A redirect is a response and never followed. Responses without a coding are asked for, because a request that asks for
//   nothing accepts any (RFC 9110, 12.5.3). Some gateways use gzip all the same: it is undone. Any other content or transfer
//   coding is refused, because it cannot be searched for secrets.
// - A POST whose connection broke after it was sent may have been billed: 504 `no_answer`, which no client repeats. But when a
//   kept connection breaks within a round trip (the time that connecting took) and 100 ms, with nothing of an answer, the service
//   closed it before the request came.
// - The service answers JSON. A page of HTML with a success, or with a status of a gateway, is from something in front of it:
//   `upstream_unreachable`, with the `Retry-After` of the page. After that a client sends a POST again, so a POST that the service
//   may have taken gets `no_answer`: one with a success, or with a status other than 503 after more than a second.
// - Not passed on, because of what browsers do with them: 407 (they give the page no answer) and 511 (a login that the visitor
//   cannot make) are `upstream_unreachable`, and 408 for a POST (on a kept connection they send it again) is `no_answer`.
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { gunzip } from 'node:zlib';
import type { Clock } from '../clock.ts';
import { ProblemError } from '../problem.ts';
import { addressFamilies, rememberFamily } from './address-families.ts';
import { limitInterimResponses } from './interim-responses.ts';
import { secondsToWait } from './retry-after.ts';

const CONNECT_MS = 5_000;
const RESPONSE_MS = 60_000;
const KEEP_MS = 4_000;
const LIFE_MS = 60_000;
/** More time than a busy proxy needs to notice that a connection broke. */
const SLACK_MS = 100;
const GATEWAY_MS = 1_000;
/** The last six are Cloudflare's, for a service that it does not connect to. */
export const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504, 521, 522, 523, 525, 526, 530]);
/** Statuses of a network between the proxy and the service (RFC 9110, 15.5.8; RFC 6585, 6): the service got nothing. */
export const NETWORK_STATUSES: ReadonlySet<number> = new Set([407, 511]);
const REQUEST_TIMEOUT = 408;
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Each piece takes 200 bytes more than it holds, and 1 MB may come in chunks of one byte. */
const MAX_RESPONSE_PIECES = 16_384;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Appended to the base URL: begins with a slash, encoded, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as UTF-8 with its length; none by default. */
  readonly body?: string;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface HttpClient {
  /**
   * The response, whatever its status but those that are not passed on.
   * @throws ProblemError `upstream_unreachable`, `no_answer`, `protocol_error` or `client_closed`; another Error when the
   * connection broke and the request can be sent again
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Closes idle connections. */
  close(): void;
}

interface Connected {
  /** By the clock. */
  readonly at: number;
  /** What connecting took: a round trip, with TLS two or three. */
  readonly tookMs: number;
}

/** `baseUrl` is http(s) and has no slash at its end. */
export function createHttpClient(baseUrl: string, clock: Clock): HttpClient {
  const isTls = baseUrl.startsWith('https:');
  const options = { keepAlive: true, timeout: KEEP_MS, ...addressFamilies };
  const agent = isTls ? new HttpsAgent(options) : new HttpAgent(options);
  const connections = new WeakMap<Socket, Connected>();
  return {
    send: ({ method, path, headers, body, signal }) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const outgoing = (isTls ? httpsRequest : httpRequest)(baseUrl + path, {
        method,
        agent,
        headers: { ...headers, 'Accept-Encoding': 'identity', ...length },
      });
      rememberFamily(outgoing);
      const pending = new PendingRequest(outgoing, isTls ? 'secureConnect' : 'connect', connections, clock);
      pending.abortWith(signal);
      outgoing.end(body);
      return pending.response;
    },
    close: () => agent.destroy(),
  };
}

/** A request whose response has not come yet. */
class PendingRequest {
  readonly response: Promise<HttpResponse>;
  readonly #outgoing: ClientRequest;
  readonly #clock: Clock;
  readonly #connections: WeakMap<Socket, Connected>;
  readonly #stopConnectTimer: () => void;
  readonly #stopResponseTimer: () => void;
  #stopListening: () => void = () => {};
  #resolve: (response: HttpResponse) => void = () => {};
  #reject: (error: Error) => void = () => {};
  /** When the connection was there; Infinity before that. */
  #sentAt = Infinity;
  /** What the connection had received before. */
  #bytesBefore = 0;

  constructor(
    outgoing: ClientRequest,
    connectEvent: 'connect' | 'secureConnect',
    connections: WeakMap<Socket, Connected>,
    clock: Clock,
  ) {
    this.#outgoing = outgoing;
    this.#clock = clock;
    this.#connections = connections;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#stopConnectTimer = clock.after(CONNECT_MS, () =>
      this.#fail(new ProblemError('upstream_unreachable', { status: 504 })),
    );
    this.#stopResponseTimer = clock.after(RESPONSE_MS, () => this.#fail(new ProblemError('no_answer')));
    outgoing.on('socket', (socket) => this.#onSocket(socket, connectEvent));
    outgoing.on('error', (error) => this.#onBroken(error));
    outgoing.on('response', (response) => this.#onResponse(response));
    // 101, though no other protocol was requested.
    outgoing.on('upgrade', (_response, socket) => {
      socket.destroy();
      this.#fail(new ProblemError('protocol_error'));
    });
    limitInterimResponses(outgoing, () => this.#fail(new ProblemError('protocol_error')));
  }

  /** Ends the request with `client_closed` when this signal aborts. */
  abortWith(signal: AbortSignal | undefined): void {
    const abort = (): void => this.#fail(new ProblemError('client_closed'));
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort);
    this.#stopListening = () => signal?.removeEventListener('abort', abort);
  }

  #onSocket(socket: Socket, connectEvent: 'connect' | 'secureConnect'): void {
    this.#bytesBefore = socket.bytesRead;
    if (!socket.connecting) return this.#onConnected();
    const startedAt = this.#clock.now();
    socket.once(connectEvent, () => {
      const at = this.#clock.now();
      this.#connections.set(socket, { at, tookMs: at - startedAt });
      this.#onConnected();
    });
  }

  #onConnected(): void {
    this.#stopConnectTimer();
    this.#sentAt = this.#clock.now();
  }

  #onBroken(error: Error): void {
    const { socket, reusedSocket } = this.#outgoing;
    const staleMs = SLACK_MS + (this.#connected?.tookMs ?? 0);
    const isUnanswered = socket?.bytesRead === this.#bytesBefore;
    const isStale = reusedSocket && isUnanswered && this.#clock.now() - this.#sentAt <= staleMs;
    const mayBeTaken = this.#mayCost && this.#sentAt < Infinity && !isStale;
    const detail = 'the connection to the service broke after the request was sent';
    this.#fail(mayBeTaken ? new ProblemError('no_answer', { extra: { detail }, cause: error }) : error);
  }

  get #connected(): Connected | undefined {
    const { socket } = this.#outgoing;
    return socket === null ? undefined : this.#connections.get(socket);
  }

  #onResponse(response: IncomingMessage): void {
    const { at } = this.#connected ?? { at: Infinity };
    if (this.#clock.now() - at >= LIFE_MS) this.#outgoing.shouldKeepAlive = false;
    if (isCoded(response.headers)) return this.#fail(new ProblemError('protocol_error'));
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES || chunks.length > MAX_RESPONSE_PIECES)
        this.#fail(new ProblemError('protocol_error'));
    });
    response.on('error', (error) => this.#onBroken(error));
    response.on('end', () => this.#onEnd(response, Buffer.concat(chunks)));
  }

  #onEnd({ statusCode: status = 0, headers }: IncomingMessage, body: Buffer): void {
    if (!isGzip(headers) || body.length === 0) return this.#onPlain({ status, headers, body });
    gunzip(body, { maxOutputLength: MAX_RESPONSE_BYTES }, (error, plain) =>
      error
        ? this.#fail(new ProblemError('protocol_error'))
        : this.#onPlain({ status, headers, body: plain }),
    );
  }

  #onPlain(response: HttpResponse): void {
    const { status, headers, body } = response;
    const isSuccess = status >= 200 && status < 300;
    const cause = { code: `status ${status}` };
    if (NETWORK_STATUSES.has(status)) return this.#fail(unreachable(response, cause));
    if (status === REQUEST_TIMEOUT && this.#mayCost)
      return this.#fail(new ProblemError('no_answer', { cause }));
    const isHtml = /^text\/html\b/i.test(headers['content-type'] ?? '');
    if (isHtml && (isSuccess || GATEWAY_STATUSES.has(status)) && !isJson(body)) {
      const isLate = this.#clock.now() - this.#sentAt >= GATEWAY_MS;
      const mayBeTaken = this.#mayCost && (isSuccess || (status !== 503 && isLate));
      return this.#fail(mayBeTaken ? new ProblemError('no_answer', { cause }) : unreachable(response, cause));
    }
    this.#settle();
    this.#resolve(response);
  }

  /** Only a GET changes nothing at the service. */
  get #mayCost(): boolean {
    return this.#outgoing.method !== 'GET';
  }

  #fail(error: Error): void {
    this.#settle();
    this.#reject(error);
    this.#outgoing.destroy();
  }

  #settle(): void {
    this.#stopConnectTimer();
    this.#stopResponseTimer();
    this.#stopListening();
  }
}

/** The error for a service that does not answer itself, with the `Retry-After` of what answers in its place. */
function unreachable({ headers }: HttpResponse, cause: unknown): ProblemError {
  const seconds = secondsToWait(headers);
  const wait = seconds === null ? {} : { 'retry-after': String(seconds) };
  return new ProblemError('upstream_unreachable', { cause, headers: wait });
}

/** Some services send JSON with the default type of their server, which may be `text/html`. */
export function isJson(body: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder().decode(body));
    return true;
  } catch {
    return false;
  }
}

/** Names of codings are case-insensitive; `x-gzip` is an old one (RFC 9110, 8.4.1.3). */
const isGzip = ({ 'content-encoding': coding = '' }: IncomingHttpHeaders): boolean =>
  /^(x-)?gzip$/i.test(coding);

/** True when the body is encoded in another way. */
function isCoded(headers: IncomingHttpHeaders): boolean {
  const { 'content-encoding': content = 'identity', 'transfer-encoding': transfer = 'chunked' } = headers;
  const isPlain = content.toLowerCase() === 'identity' || isGzip(headers);
  return !isPlain || transfer.toLowerCase() !== 'chunked';
}
