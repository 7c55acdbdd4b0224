// Carries parts over HTTP (document 2, `POST /v2/generate`): one request for each, whose job is polled until there is a video.
// - At most 3 requests at a time, of at most 20,000 bytes of text (the proxy's limit). In stream mode each text has a stream
//   of its own, so it is not cut.
// - It is ready at once, because there is nothing to connect to. When V3 did not reach the proxy, it is ready as soon as a
//   harmless HEAD reaches it. When a request of its own did not reach the proxy, or the platform was offline, it is ready as soon
//   as a request to the socket's address reaches the proxy.
// - A request that was never sent is sent again. A request whose connection broke after sending may have been billed: it fails,
//   unless the platform was offline meanwhile, or reports so within a second: a connection may break before that report.
// - A job that the service has accepted is polled until it ends.
import type { SessionMode } from '../../protocol/client-frames.ts';
import type { Generated } from '../../protocol/translation.ts';
import type { StreamManifests } from '../../protocol/find-url.ts';
import { ownError } from '../../protocol/own-errors.ts';
import { SignError } from '../../protocol/sign-error.ts';
import { deferred, wait } from '../async.ts';
import { generateBody, type TextOptions, generate } from '../rest/generate.ts';
import { requestDeps, type RequestDeps, type SignClientOptions } from '../rest/request.ts';
import { findProxy, reachProxy } from '../rest/find-proxy.ts';
import type { UtterancePart } from '../utterance-part.ts';
import type {
  ConnectionEvents,
  PendingRequest,
  RequestEvents,
  Transport,
  TransportWindow,
} from './transport.ts';

const MOST_UNDER_WAY = 3;
const MOST_BYTES = 20_000;
const OFFLINE_MS = 1_000;

export interface RestTransportOptions extends SignClientOptions, TextOptions {}

interface SentRequest extends PendingRequest {
  readonly stop: AbortController;
  acknowledged: boolean;
  /** The proxy was not reached. */
  unreached: boolean;
  /** The platform was offline when the newest try began. */
  begunOffline: boolean;
  /** The platform was offline while the newest try was under way. */
  sawOffline: boolean;
}

export class RestTransport implements Transport {
  readonly kind = 'rest';
  window: TransportWindow | null = null;
  /** Addresses of the newest stream; null in translate mode. */
  manifests: StreamManifests | null = null;
  readonly #deps: RequestDeps;
  readonly #texts: TextOptions;
  readonly #connection: ConnectionEvents;
  readonly #requests: RequestEvents;
  readonly #pending = new Set<SentRequest>();
  /** Aborts open() while it is not ready. */
  #opening: AbortController | null = null;
  #wasLost = false;
  /** Resolved while requests can be made. */
  #ready = deferred<void>();

  constructor(options: RestTransportOptions, connection: ConnectionEvents, requests: RequestEvents) {
    this.#deps = requestDeps(options);
    this.#texts = options;
    this.#connection = connection;
    this.#requests = requests;
  }

  get pending(): readonly PendingRequest[] {
    return [...this.#pending];
  }

  get #mode(): SessionMode {
    return this.#texts.mode;
  }

  open(): void {
    this.#opening?.abort();
    const { history } = this.#deps;
    if (this.#connection.network.wasReached) history.wasReached = history.hasAnswered = true;
    const opening = (this.#opening = new AbortController());
    // It rejects only when it is aborted.
    void this.#reach(opening).then(
      (error) => {
        if (opening.signal.aborted) return;
        if (error) return this.#connection.lost(error);
        this.#wasLost = false;
        this.window = {
          sessionId: null,
          maxInflight: MOST_UNDER_WAY,
          maxMessagesPerMinute: Infinity,
          maxTextBytes: MOST_BYTES,
          splits: this.#mode === 'translate',
        };
        this.#ready.resolve();
        this.#connection.ready(null);
      },
      () => {},
    );
  }

  send(part: UtterancePart): PendingRequest {
    const { wireId, asks } = part;
    const stop = new AbortController();
    const { offline } = this.#connection.network;
    const begun = { acknowledged: false, unreached: false, begunOffline: offline, sawOffline: offline };
    const sent = { part, wireId, asks, stop, ...begun };
    this.#pending.add(sent);
    void this.#sign(sent);
    return sent;
  }

  cancel(part: UtterancePart): void {
    for (const sent of this.#pending) {
      if (sent.part !== part) continue;
      this.#pending.delete(sent);
      sent.stop.abort();
    }
    // The requests that wait check their signal again, so that an aborted one ends, with its timers.
    this.#ready.resolve();
    if (!this.window) this.#ready = deferred();
  }

  end(): boolean {
    this.close();
    return false;
  }

  close(): void {
    for (const { part } of this.#pending) this.cancel(part);
    this.#opening?.abort();
    this.#wasLost = false;
    this.manifests = null;
    this.#shut();
  }

  offline(): void {
    for (const sent of this.#pending) sent.sawOffline = true;
    this.#lose(ownError('proxy_unreachable', 'the browser is offline'));
  }

  #shut(): void {
    if (this.window) this.#ready = deferred();
    this.window = null;
  }

  #lose(error: SignError): void {
    if (!this.window) return;
    this.#shut();
    this.#wasLost = true;
    this.#connection.lost(error.asSeverity('session'));
  }

  /** Null when requests can be made, else why not. */
  async #reach({ signal }: AbortController): Promise<SignError | null> {
    const { network } = this.#connection;
    if (!this.#wasLost && !network.isAway) return null;
    const { offline } = network;
    const error = await (this.#wasLost ? reachProxy : findProxy)(this.#deps, signal);
    if (!error && offline) network.reached();
    return error;
  }

  async #sign(sent: SentRequest): Promise<void> {
    const { part, stop } = sent;
    const { signal } = stop;
    const deps: RequestDeps = {
      ...this.#deps,
      fetch: (address, init) => {
        // The platform may have been offline only during the HEAD before it.
        if (init.method === 'POST') sent.begunOffline = sent.sawOffline = this.#connection.network.offline;
        return this.#deps.fetch(address, init);
      },
      unreached: (error) => {
        sent.unreached = true;
        const { message, retryAfterSeconds, requestId } = error;
        this.#lose(ownError('proxy_unreachable', message, { retryAfterSeconds, requestId, cause: error }));
      },
      ready: async () => {
        while (!this.window && !signal.aborted) await this.#ready.promise;
      },
    };
    try {
      const generated = await generate(deps, generateBody(part.text, this.#texts), {
        signal,
        accepted: () => this.#accepted(sent),
        retrying: (error) => signal.aborted || this.#requests.warned(sent, error),
      });
      if (this.#pending.delete(sent)) this.#answered(sent, generated);
    } catch (error) {
      const mayBeOffline = !sent.unreached && !sent.sawOffline && !sent.acknowledged;
      if (mayBeOffline && isBroken(error)) await wait(deps.clock, OFFLINE_MS, signal).catch(() => {});
      if (this.#pending.delete(sent)) this.#failed(sent, error);
    }
    this.#requests.freed();
  }

  #accepted(sent: SentRequest): void {
    sent.acknowledged = true;
    sent.unreached = false;
    if (sent.begunOffline) this.#connection.network.reached();
    if (this.#mode === 'translate' && this.#pending.has(sent)) this.#requests.acknowledged(sent, null);
  }

  #answered(sent: SentRequest, { mediaUrl, manifests }: Generated): void {
    if (this.#mode === 'translate') {
      if (mediaUrl === null)
        return this.#failed(sent, ownError('protocol_error', 'the answer names no video'));
      const none = { expiresAt: null, durationSeconds: null, pipelineMs: null };
      return this.#requests.answered(sent, { url: mediaUrl, ...none });
    }
    if (!manifests) return this.#failed(sent, ownError('protocol_error', 'the answer names no stream'));
    this.manifests = manifests;
    this.#requests.acknowledged(sent, { at: null, manifests });
  }

  #failed(sent: SentRequest, cause: unknown): void {
    const error = cause instanceof SignError ? cause : ownError('protocol_error', undefined, { cause });
    const isSafe = sent.unreached || (sent.sawOffline && isBroken(error));
    if (isSafe && !sent.acknowledged) this.#requests.broken(sent, sent.sawOffline ? null : error);
    else this.#requests.failed(sent, error);
  }
}

/** The request got no answer. */
const isBroken = (error: unknown): boolean =>
  error instanceof SignError && (error.code === 'proxy_unreachable' || error.code === 'no_answer');
