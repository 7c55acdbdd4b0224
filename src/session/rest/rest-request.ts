// One REST request at the proxy, with its tries (SEMANTICS, REST transport). Policy: 60 s for an answer, then `no_answer`,
// which is never tried again because it may have been billed; 500, 502, 503 and a network that breaks are tried again up
// to three times, 429 until it passes; waits are `Retry-After`, else full jitter from 0.5 s doubling to 30 s. An answer is
// JSON of at most 1 MB.
import { errorFromAnswer } from '../../protocol/rest-error.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import { ownError } from '../../protocol/sign-error.ts';
import { whenAborted } from '../abort.ts';
import type { Clock } from '../clock.ts';
import type { Fetch } from '../diagnose-upgrade.ts';
import { backoffMs } from '../retry-policy.ts';
import { wait } from './rest-wait.ts';

const ANSWER_MS = 60_000;
const MOST_RETRIES = 3;
const MOST_BYTES = 1_000_000;

export interface RequestSurroundings {
  /** Absolute http(s) prefix of the proxy, without a slash at its end. */
  readonly prefix: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: () => number;
}

export interface RequestOptions {
  /** Ends the request and its waits; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Hears, as a warning, of each try that failed and will be made again. */
  readonly retrying?: ((warning: SignError) => void) | undefined;
}

/** What is asked: a GET, or with `body` a POST of JSON. */
export interface RestRequest {
  /** Under the prefix, without a slash in front. */
  readonly path: string;
  readonly body?: unknown;
}

type Outcome = { readonly body: unknown } | { readonly error: SignError; readonly status: number | null };

/** The parsed body of the answer. Rejects with a SignError. */
export async function request(
  asked: RestRequest,
  around: RequestSurroundings,
  { signal, retrying }: RequestOptions,
): Promise<unknown> {
  let retries = 0;
  for (let refusals = 0; ; refusals += 1) {
    const outcome = await once(asked, around, signal);
    if (!('error' in outcome)) return outcome.body;
    const { error, status } = outcome;
    if (status !== 429) retries += 1;
    if (!error.retryable || retries > MOST_RETRIES) throw error;
    retrying?.(error.asWarning());
    const hintMs = (error.retryAfterSeconds ?? 0) * 1000;
    await wait(around.clock, hintMs || backoffMs(refusals, around.random), signal);
  }
}

async function once(
  { path, body }: RestRequest,
  { prefix, fetch, clock }: RequestSurroundings,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const timeOut = ownError('no_answer');
  const timer = clock.setTimeout(() => stop.abort(timeOut), ANSWER_MS);
  const unlisten = whenAborted(signal, (reason) => stop.abort(reason));
  try {
    const response = await fetch(`${prefix}/${path}`, {
      cache: 'no-store',
      signal: stop.signal,
      ...(body === undefined ? {} : post(body)),
    });
    const answer = await readBody(response);
    stop.signal.throwIfAborted();
    if (response.ok) return answer === null ? unreadable(response) : { body: answer };
    const error = errorFromAnswer({
      status: response.status,
      body: answer,
      retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
      requestId: response.headers.get('x-request-id'),
    });
    return { error, status: response.status };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (stop.signal.aborted) return { error: timeOut, status: null };
    const init = { severity: 'message', retryable: true, cause } as const;
    return { error: ownError('proxy_unreachable', undefined, init), status: null };
  } finally {
    clock.clearTimeout(timer);
    unlisten();
  }
}

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

function unreadable({ headers }: Response): Outcome {
  const requestId = headers.get('x-request-id');
  return { error: ownError('protocol_error', 'the answer is not JSON', { requestId }), status: null };
}

/** Null when it is not JSON, or more of it than any answer has. */
async function readBody(response: Response): Promise<unknown> {
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

/** The seconds of `Retry-After`; the date that it may be instead is not used, for clocks are never compared. */
const secondsOf = (header: string | null): number | null =>
  header !== null && /^\s*\d{1,9}\s*$/.test(header) ? Number(header) : null;
