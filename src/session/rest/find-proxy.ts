// Finds out whether the proxy answers, before a request that may be billed (request.ts) and after the proxy was lost.
// - A HEAD of `elements.js` is harmless, allowed to every page, and leaves no error on the console. When no proxy answers it,
//   the diagnosis of a refused upgrade decides. Both together may take 5 s.
// - A browser keeps up to six connections to a server, and all of them are dead after the network was away. So after 2 s without
//   an answer five more HEADs are sent: one of them gets a new connection, or the abort of all closes the dead connections.
// - The page of a gateway that does not reach the proxy, and the login page of a network, are no answers of a proxy. Before the
//   proxy has ever answered, such a page means a wrong address, and the error is final.
import { ownError } from '../../protocol/own-errors.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import { afterAwake, wait, whenAborted, type Clock } from '../async.ts';
import { diagnoseUpgrade, isProblem, noProxyAt, type Fetch } from '../diagnose-upgrade.ts';

const REACH_MS = 5_000;
const SILENT_MS = 2_000;
const MORE_CONNECTIONS = 5;

/** Where the proxy is. */
export interface ProxyDeps {
  /** Absolute http(s) prefix of the proxy, without a slash at its end. */
  readonly prefix: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Whether the proxy was ever reached, and whether it has answered JSON: another server may serve a copy of `elements.js`. */
  readonly history: { wasReached: boolean; hasAnswered: boolean };
}

/** True for an HTML page, which a proxy never answers. Media types are case-insensitive (RFC 9110, 8.3.1). */
export const isPage = ({ headers }: Response): boolean =>
  /^text\/html\b/i.test(headers.get('content-type') ?? '');

/** Null when the proxy answers, else why no POST is sent. Rejects with the signal's reason. */
export async function findProxy(deps: ProxyDeps, signal: AbortSignal | undefined): Promise<SignError | null> {
  const head = async (stop: AbortSignal): Promise<boolean> => {
    const init = { method: 'HEAD', cache: 'no-store', signal: stop } as const;
    const ask = (): Promise<Response> => deps.fetch(`${deps.prefix}/elements.js`, init);
    const more = async (): Promise<Response> => {
      await wait(deps.clock, SILENT_MS, stop);
      return Promise.any(Array.from({ length: MORE_CONNECTIONS }, ask));
    };
    const answer = await Promise.race([ask(), more()]).catch(() => null);
    const isThere =
      answer !== null && (answer.ok ? !isPage(answer) : isProblem(answer) && answer.status < 500);
    deps.history.wasReached ||= isThere;
    return isThere;
  };
  const error = await reachProxy(deps, signal, head);
  signal?.throwIfAborted();
  if (!error || error.code !== 'proxy_unreachable') return error?.asSeverity('message') ?? null;
  const { message, cause, retryAfterSeconds, requestId, retryable } = error;
  const init = { retryable: retryable || deps.history.wasReached, retryAfterSeconds, requestId, cause };
  return ownError('proxy_unreachable', message, { ...init, severity: 'message' });
}

/** Null when the proxy answers within 5 s, to `quick` or to the diagnosis of a refused upgrade; else the reason. */
export async function reachProxy(
  { prefix, fetch, clock }: ProxyDeps,
  signal: AbortSignal | undefined,
  quick?: (stop: AbortSignal) => Promise<boolean>,
): Promise<SignError | null> {
  const stop = new AbortController();
  const stopWaiting = afterAwake(clock, REACH_MS, () => stop.abort(noProxyAt(prefix)));
  const unlisten = whenAborted(signal, (reason) => stop.abort(reason));
  try {
    if (quick && (await quick(stop.signal))) return null;
    const { reached, error } = await diagnoseUpgrade(`${prefix}/ws/`, fetch, stop.signal);
    if (stop.signal.aborted) return stop.signal.reason as SignError;
    return reached && error.code !== 'origin_refused' ? null : error;
  } finally {
    stopWaiting();
    unlisten();
    stop.abort();
  }
}
