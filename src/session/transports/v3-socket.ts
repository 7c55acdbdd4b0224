// One socket with one service session (document 3, States and transitions).
// - session.start is the first frame. 10 s are allowed from opening the socket to session.ready, else `handshake_timeout`.
// - An error frame before session.ready is the reason of the failure. A refused upgrade is diagnosed over HTTP for 5 s.
// - A socket that the platform closed without an event (a page that was frozen) is noticed with the next frame to be sent.
// - It ends with its page, also when the back/forward cache keeps the page: Chromium would end an open socket there and write an
//   error to the console. When the page is shown again, what waits continues on another socket.
// - It ends once, by close() or by `lost`, and reports nothing after that. It keeps its listener until the socket has closed,
//   because in Node an error event without a listener ends the process.
import { warnOnce } from '../../internal/page-settings.ts';
import { closeCodes } from '../../protocol/websocket.ts';
import type { ClientFrame, SessionStartFrame } from '../../protocol/client-frames.ts';
import { isOwnErrorCode, ownError, type OwnErrorCode } from '../../protocol/own-errors.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import { errorFromFrame, serviceErrors } from '../../protocol/service-errors.ts';
import { parseServerFrame, type ParsedFrame, type ReadyFrame } from '../../protocol/server-frames.ts';
import type { Clock } from '../async.ts';
import { noProxyAt, whyRefused, type Fetch } from '../diagnose-upgrade.ts';

const HANDSHAKE_MS = 10_000;
const DIAGNOSIS_MS = 5_000;
/** The code of a socket that ended without a closing handshake (RFC 6455, 7.4.1). */
const ABNORMAL_CLOSURE = 1006;
/** WebSocket.OPEN; the states after it are CLOSING and CLOSED. */
const OPEN = 1;

const socketEvents = ['open', 'message', 'error', 'close'] as const;

/** What is read of a socket's events; `data` of a message, `code` and `reason` of a close. */
interface SocketEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
}

/** The members of a WebSocket that are used: the browser's, Node's or that of the package ws. */
export interface SocketLike {
  readonly readyState?: number;
  send(data: string): void;
  close(code?: number): void;
  addEventListener(type: (typeof socketEvents)[number], listener: (event: SocketEvent) => void): void;
  removeEventListener(type: (typeof socketEvents)[number], listener: (event: SocketEvent) => void): void;
}

export type SocketConstructor = new (url: string) => SocketLike;

interface V3SocketOptions {
  readonly url: string;
  readonly start: SessionStartFrame;
  readonly webSocket: SocketConstructor | undefined;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly ready: (frame: ReadyFrame) => void;
  /** Every frame except the session.ready or the error that ends the handshake. */
  readonly heard: (parsed: ParsedFrame) => void;
  /** The session is lost, or was never ready. */
  readonly lost: (error: SignError) => void;
}

export class V3Socket {
  readonly #options: V3SocketOptions;
  readonly #diagnosis = new AbortController();
  #socket: SocketLike | null = null;
  #timer: unknown;
  #sessionId: string | null = null;
  #heardAt = -Infinity;
  #over = false;

  constructor(options: V3SocketOptions) {
    this.#options = options;
  }

  open(): void {
    const { webSocket: Socket, url, clock } = this.#options;
    this.#timer = clock.setTimeout(() => this.#lose(ownError('handshake_timeout')), HANDSHAKE_MS);
    const { signal } = this.#diagnosis;
    watchPolicy(url, signal, (error) => this.#lose(error));
    globalThis.addEventListener?.('pagehide', this.#onBroken, { signal });
    try {
      this.#socket = new Socket!(url);
      for (const type of socketEvents) this.#socket.addEventListener(type, this.#listener);
    } catch (cause) {
      // The address is not that of a socket, the page may not open it, or there is no WebSocket: another try would fail too.
      const message = Socket ? undefined : 'no WebSocket';
      const error = ownError('proxy_unreachable', message, { cause, retryable: false });
      queueMicrotask(() => this.#lose(error));
    }
  }

  send(frame: ClientFrame): void {
    if ((this.#socket?.readyState ?? OPEN) <= OPEN) this.#socket?.send(JSON.stringify(frame));
    else queueMicrotask(this.#onBroken);
  }

  /** True when any frame was received after this time of the clock. */
  heardSince(time: number): boolean {
    return this.#heardAt > time;
  }

  close(): void {
    this.#over = true;
    this.#options.clock.clearTimeout(this.#timer);
    this.#diagnosis.abort();
    this.#socket?.close();
  }

  readonly #onBroken = (): void => this.#lose(errorFromClose(ABNORMAL_CLOSURE, '', this.#sessionId));

  readonly #listener = ({ type, data, code = ABNORMAL_CLOSURE, reason = '' }: SocketEvent): void => {
    if (type === 'close')
      for (const each of socketEvents) this.#socket?.removeEventListener(each, this.#listener);
    if (this.#over) return;
    if (type === 'open') this.send(this.#options.start);
    if (type === 'message') {
      this.#heardAt = this.#options.clock.now();
      this.#heard(parseServerFrame(data));
    }
    if (type === 'close') this.#closed(code, reason);
  };

  #heard(parsed: ParsedFrame): void {
    const { clock, heard, ready } = this.#options;
    if (this.#sessionId !== null) return heard(parsed);
    if (parsed.kind === 'malformed' && parsed.type === 'session.ready') {
      return this.#lose(ownError('protocol_error', `session.ready: ${parsed.problem}`));
    }
    if (parsed.kind !== 'frame') return heard(parsed);
    const { frame } = parsed;
    if (frame.type === 'error') {
      const error = errorFromFrame(frame, null);
      // An error that ends an attempt is no warning, even if it says so.
      return this.#lose(error.severity === 'warning' ? error.asSeverity('session') : error);
    }
    if (frame.type !== 'session.ready') return heard(parsed);
    clock.clearTimeout(this.#timer);
    this.#sessionId = frame.session_id;
    ready(frame);
  }

  #closed(code: number, reason: string): void {
    const { clock, fetch, url } = this.#options;
    if (this.#sessionId !== null || code !== ABNORMAL_CLOSURE) {
      return this.#lose(errorFromClose(code, reason, this.#sessionId));
    }
    clock.clearTimeout(this.#timer);
    const address = url.replace(/^ws/i, 'http');
    this.#timer = clock.setTimeout(() => this.#lose(noProxyAt(address)), DIAGNOSIS_MS);
    void whyRefused(address, fetch, this.#diagnosis.signal).then((error) => this.#lose(error));
  }

  #lose(error: SignError): void {
    if (this.#over) return;
    this.close();
    this.#options.lost(error);
  }
}

/** Reports a socket that the policy of the page forbids: in Chromium no other event follows. */
function watchPolicy(url: string, signal: AbortSignal, forbidden: (error: SignError) => void): void {
  const onViolation = (violation: SecurityPolicyViolationEvent): void => {
    const { effectiveDirective, blockedURI, disposition } = violation;
    if (effectiveDirective !== 'connect-src' || disposition !== 'enforce' || !url.startsWith(blockedURI))
      return;
    const message = `the policy of the page has no connect-src ${new URL(url).origin}`;
    warnOnce('socket policy', message);
    forbidden(ownError('proxy_unreachable', message, { cause: violation, retryable: false }));
  };
  globalThis.document?.addEventListener('securitypolicyviolation', onViolation, { signal });
}

/** What a close code means when the close reason names no cause. Any other code: `session_failed`. */
const meanings: Readonly<Partial<Record<number, OwnErrorCode>>> = {
  [closeCodes.policy]: 'invalid_request',
  [closeCodes.tooBig]: 'invalid_request',
  [closeCodes.upstreamFailed]: 'upstream_unreachable',
};

/**
 * Why a socket closed: by the code that the proxy gives as close reason, else by the close code. Its severity is always
 * `session`, because nothing more comes from this socket.
 */
function errorFromClose(code: number, reason: string, sessionId: string | null): SignError {
  const severity = 'session';
  if (Object.hasOwn(serviceErrors, reason)) {
    return errorFromFrame({ type: 'error', code: reason, severity }, sessionId);
  }
  const meaning = isOwnErrorCode(reason) ? reason : (meanings[code] ?? 'session_failed');
  return ownError(meaning, undefined, { severity, requestId: sessionId });
}
