// One request to the proxy over HTTP, with its tries (SEMANTICS, REST transport).
// - After 60 s without an answer, the sleep of the machine not counted, `no_answer`, which is not tried again: the request may
//   have been billed. An answer is JSON of at most 1 MB.
// - A GET without a status in 8 s may be on a connection that the network has lost. It is made once more in the way of a POST:
//   after a HEAD, and with 60 s for a slow service.
// - 425, 500, 502, 503 and a proxy that is not reached are tried again up to three times, 429 until it passes. Waits are
//   `Retry-After`, else full jitter from 0.5 s doubling to 30 s. Where the proxy is not reached, does not reach the service, or
//   answers 503, a POST is tried again 13 times: after 2 s, in the end every 5 s, because a network that comes back may be away
//   again 10 s later. Tries while offline do not count.
// - A browser does not say whether a `fetch` that failed was sent. So a harmless HEAD goes before each POST (find-proxy.ts):
//   where it is not answered in 5 s, the POST waits. A POST whose connection broke may have been billed, so it is not tried
//   again. Nor is a POST that a gateway answers with its own 502 after more than a second, or a CDN with its own 520 to 530
//   (Cloudflare: the origin fails) then, or with 520 at any time.
// - An HTML page means a wrong address before the first answer of the proxy, and no answer after it: then the page is from a
//   gateway, or the login page of a network. A 404 or 405 without JSON means a wrong address until the proxy has answered JSON.
//   After that a 401 or 403 without JSON and without the id that a proxy gives is no answer either. 511 is never one.
import { httpUrl } from '../../protocol/http-url.ts';
import { ownError } from '../../protocol/own-errors.ts';
import { parseProblem } from '../../protocol/problem.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import { errorFromAnswer } from '../../protocol/rest-error.ts';
import { systemClock, type Clock, afterAwake, wait, whenAborted } from '../async.ts';
import { backoffMs } from '../retry-policy.ts';
import { findProxy, isPage, type ProxyDeps } from './find-proxy.ts';
import { configuredFetch, diagnoseUpgrade, noProxyAt, secondsOf, type Fetch } from '../diagnose-upgrade.ts';

const ANSWER_MS = 60_000;
const LOOK_STATUS_MS = 8_000;
const MOST_RETRIES = 3;
/** Further tries of a request that the service does not get; with their waits they take about a minute. */
const MOST_AWAY = 13;
const FIRST_AWAY_MS = 2_000;
const LONGEST_AWAY_MS = 5_000;
const MOST_BYTES = 1_000_000;
/** A gateway that answers 502, or a CDN that answers 521 to 530, sooner than this did not send the request on. */
const REFUSED_MS = 1_000;

export interface SignClientOptions {
  /** Absolute http(s) prefix of the proxy, e.g. `https://example.org/sign`. */
  readonly proxy: string;
  /** Default the platform's. */
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  /** For jitter only, as Math.random. */
  readonly random?: (() => number) | undefined;
}

export interface RequestOptions {
  /** Ends the request and its waits; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with a warning for each try that failed and is made again. */
  readonly retrying?: ((warning: SignError) => void) | undefined;
}

/** What every request of a client is made with. */
export interface RequestDeps extends ProxyDeps {
  readonly random: () => number;
  /** Called when the proxy is not reached; the request then rejects with this error, and is not tried again. */
  readonly unreached?: ((error: SignError) => void) | undefined;
  /** Resolves when a request may be made. Default at once. */
  readonly ready?: (() => Promise<void>) | undefined;
}

/** A GET, or with `body` a POST of JSON. */
interface RestRequest {
  /** Relative to the prefix, without a leading slash. */
  readonly path: string;
  readonly body?: unknown;
}

type Outcome =
  | { readonly body: unknown }
  | {
      readonly error: SignError;
      readonly status: number | null;
      /** The proxy, or something else at its prefix that stays there, was reached. */
      readonly reached: boolean;
      /** The service took nothing: no proxy was found, the proxy did not reach the service, or the service is unavailable. */
      readonly isUnsent?: boolean;
      /** There was no status in time. */
      readonly isSilent?: boolean;
    };

/** @throws SignError `invalid_request` when it is no absolute http(s) address. */
function proxyPrefix(proxy: string): string {
  const address = httpUrl(proxy);
  if (address === null) throw ownError('invalid_request', 'proxy: no absolute http address');
  return address.replace(/[?#].*/, '').replace(/\/+$/, '');
}

/** @throws SignError `invalid_request` when `proxy` is no absolute http(s) address. */
export const requestDeps = ({
  proxy,
  fetch = configuredFetch,
  clock = systemClock,
  random = Math.random,
}: SignClientOptions): RequestDeps => ({
  prefix: proxyPrefix(proxy),
  fetch,
  clock,
  random,
  history: { wasReached: false, hasAnswered: false },
});

/** False where the platform does not say (Node). */
const isOffline = (): boolean => globalThis.navigator?.onLine === false;

/** The parsed body of the answer. Rejects with a SignError. */
export async function request(
  toSend: RestRequest,
  deps: RequestDeps,
  { signal, retrying }: RequestOptions,
): Promise<unknown> {
  let retries = 0;
  let away = 0;
  let afterHead = toSend.body !== undefined;
  for (let refusals = 0; ; refusals += 1) {
    if (deps.ready) await deps.ready();
    const outcome = await once(toSend, deps, signal, afterHead);
    if (!('error' in outcome)) return outcome.body;
    const { error, status, reached } = outcome;
    if (outcome.isSilent && !afterHead) {
      afterHead = true;
      retrying?.(error.asWarning());
      continue;
    }
    const isUnsent = outcome.isUnsent && afterHead;
    if (!reached && deps.unreached) {
      deps.unreached(error);
      throw error;
    }
    if (isUnsent) away += isOffline() ? 0 : 1;
    else if (status !== 429) retries += 1;
    const isOver = isUnsent ? away > MOST_AWAY : !error.retryable || retries > MOST_RETRIES;
    if (isOver) throw error;
    retrying?.(error.asWarning());
    const hintMs = (error.retryAfterSeconds ?? 0) * 1000;
    const awayMs = Math.min(FIRST_AWAY_MS * 1.5 ** (away - 1), LONGEST_AWAY_MS);
    const waitMs = isUnsent
      ? Math.max(hintMs, awayMs * (1 + deps.random() / 4))
      : hintMs || backoffMs(refusals, deps.random);
    await wait(deps.clock, waitMs, signal);
  }
}

async function once(
  { path, body }: RestRequest,
  deps: RequestDeps,
  signal: AbortSignal | undefined,
  afterHead: boolean,
): Promise<Outcome> {
  signal?.throwIfAborted();
  const { prefix, fetch, clock, history } = deps;
  const isPost = body !== undefined;
  const away = afterHead ? await findProxy(deps, signal) : null;
  if (away) return { error: away, status: null, reached: !away.retryable, isUnsent: away.retryable };
  const stop = new AbortController();
  const timeOut = ownError('no_answer');
  const began = clock.now();
  let isSilent = true;
  const giveUp = (): void => stop.abort(timeOut);
  let stopWaiting = afterAwake(clock, afterHead ? ANSWER_MS : LOOK_STATUS_MS, giveUp);
  const unlisten = whenAborted(signal, (reason) => stop.abort(reason));
  try {
    const response = await fetch(`${prefix}/${path}`, {
      cache: 'no-store',
      signal: stop.signal,
      ...(isPost && post(body)),
    });
    isSilent = false;
    stopWaiting();
    stopWaiting = afterAwake(clock, ANSWER_MS, giveUp);
    const answer = await readBody(response);
    stop.signal.throwIfAborted();
    // 520: the connection of a CDN to the proxy broke, however soon.
    const wasRefused = clock.now() - began < REFUSED_MS && response.status !== 520;
    const outcome = readAnswer(response, answer, deps, wasRefused || !isPost);
    if (answer !== null) history.wasReached = history.hasAnswered = true;
    return outcome;
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (stop.signal.aborted) return { error: timeOut, status: null, reached: true, isSilent };
    const outcome = await broken(cause, isPost, deps, stop.signal);
    signal?.throwIfAborted();
    return outcome;
  } finally {
    stopWaiting();
    unlisten();
  }
}

/** There was no answer, or not all of it. */
async function broken(
  cause: unknown,
  isPost: boolean,
  { prefix, fetch }: RequestDeps,
  signal: AbortSignal,
): Promise<Outcome> {
  const away = { severity: 'message', retryable: !isPost, cause } as const;
  if (!isPost) return { error: noProxyAt(prefix, 0, away), status: null, reached: false };
  const { error } = await diagnoseUpgrade(`${prefix}/ws/`, fetch, signal);
  const message = 'the connection broke after the request was sent';
  const isRefused = error.code === 'origin_refused';
  return {
    error: isRefused ? error.asSeverity('message') : ownError('proxy_unreachable', message, away),
    status: null,
    reached: true,
  };
}

/** @param mayRepeat the request may be made again after the page of a gateway: it is a GET, or the page came at once */
function readAnswer(
  response: Response,
  answer: unknown,
  { prefix, history }: RequestDeps,
  mayRepeat: boolean,
): Outcome {
  const { ok, status, headers } = response;
  const requestId = headers.get('x-request-id');
  if (ok && answer !== null) return { body: answer };
  // The proxy and the service answer JSON, so a page or a missing route is an answer of another server.
  const isForbidden = (status === 401 || status === 403) && requestId === null && history.hasAnswered;
  const isMissing = status === 404 || status === 405 || isForbidden;
  if (answer === null && (ok || isMissing)) {
    const noJson = `no JSON from ${prefix}`;
    if (ok && !isPage(response)) {
      return { error: ownError('protocol_error', noJson, { requestId }), status: null, reached: true };
    }
    const message = `${noJson}: is it a sign proxy?`;
    const error = (isMissing ? history.hasAnswered : history.wasReached)
      ? ownError('proxy_unreachable', message, { requestId })
      : noProxyAt(prefix, status).asSeverity('message');
    return { error, status: null, reached: !error.retryable };
  }
  const code = parseProblem(answer)?.code;
  // True for a gateway's page in place of the proxy's JSON, and for a network's login (511). ticket.ts answers with the code
  // `proxy_unreachable` when it gets no ticket.
  const isLost = status === 502 || status > 519;
  const isAway = status === 511 || (answer === null && (isLost || status === 503));
  const reached = code !== 'proxy_unreachable' && !isAway;
  if (!reached && isLost && !mayRepeat) {
    const message = 'a gateway lost the proxy after the request was sent';
    return { error: ownError('proxy_unreachable', message, { retryable: false }), status, reached: true };
  }
  const error = errorFromAnswer({ status, body: answer, retryAfterSeconds: secondsOf(headers), requestId });
  const isUnavailable = status === 503 && error.retryable;
  const isUnsent = isUnavailable || code === 'proxy_unreachable' || code === 'upstream_unreachable';
  return { error, status, reached, isUnsent };
}

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Null when the body is not JSON, or has more than 1 MB; an object without fields for a 204. */
async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return {};
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    bytes += chunk.value.length;
    if (bytes > MOST_BYTES) {
      await reader?.cancel();
      return null;
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
  try {
    return JSON.parse(text + decoder.decode());
  } catch {
    return null;
  }
}

/** @throws SignError `protocol_error` */
export function understood<Answer>(answer: Answer | null): Answer {
  if (answer === null) throw ownError('protocol_error', 'the answer is not one that is documented');
  return answer;
}

/** An id as one segment of a path. @throws SignError `invalid_request` */
export function pathOf(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw ownError('invalid_request', 'id: missing or malformed');
  return encodeURIComponent(id);
}
