// Finds out why a socket to the proxy was refused. A browser shows a page only close code 1006, so the socket's address is
// requested over HTTP (SEMANTICS, error codes of our own).
// - A problem+json with a code of ours, or of a limit that passes (429, `overloaded`), names the cause; `Retry-After` is kept.
// - An HTML page with status 429 is from a gateway that limits requests (`rate_limited`, as for a POST); one with 511 is from a
//   network that wants a login. Both errors are retryable.
// - An answer that this page may not read comes from a proxy that refuses this origin, or from a gateway that does not reach the
//   proxy (502). Only the proxy serves `elements.js` to every origin. When that can be read, and after it two more answers at the
//   socket's address cannot, the proxy refuses this origin, which is final.
// - An upgrade has an Origin; a GET to the page's own origin has none. So where a server in front changes `Host`, the proxy
//   refuses the upgrade and answers the GET. A POST has an Origin too, so its answer shows the refusal.
// - `configuredFetch` is the `fetch` of every request to a proxy.
import { pageSettings, warnOnce } from '../internal/page-settings.ts';
import { defaultProxy } from '../internal/script-base.ts';
import { isOwnErrorCode, ownError } from '../protocol/own-errors.ts';
import { SignError, type SignErrorInit } from '../protocol/sign-error.ts';
import { parseProblem, PROBLEM_TYPE } from '../protocol/problem.ts';

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** The `fetch` and the headers that the page has configured, else the platform's `fetch`. */
export const configuredFetch: Fetch = (address, init) => {
  const { fetch = globalThis.fetch, headers } = pageSettings;
  // A HEAD needs no preflight request, which the page's headers would cause.
  if (!headers || init.method === 'HEAD') return fetch(address, init);
  const all = new Headers(init.headers);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return fetch(address, { ...init, headers: all });
};

interface Diagnosis {
  readonly error: SignError;
  /** The proxy itself answered, whatever it said. */
  readonly reached: boolean;
}

/**
 * The error for an address without a proxy; the address may be that of the socket. A page or a 4xx there is final, because waiting
 * does not change that. But at the prefix that the script was loaded from, where a proxy was, a page is retryable: it is probably
 * the login page of a network. Where nothing or a gateway answers, a text waits for a minute; the console reports the first try.
 * @param status of the answer; 0 for none
 */
export function noProxyAt(address: string, status = 0, init?: SignErrorInit): SignError {
  const prefix = address.replace(/\/ws\/$/, '');
  const what = status ? `something else answers there, with ${status}` : 'no answer';
  const message = `no sign proxy at ${prefix}: ${what}`;
  const retryable = !status || status >= 500 || (status < 300 && prefix === defaultProxy());
  warnOnce(message, `${message}. ${retryable ? 'It is tried again.' : 'Set the attribute proxy.'}`);
  return ownError('proxy_unreachable', message, { retryable, ...init });
}

/** `address` is the http(s) address of the socket. Never rejects; after an abort the diagnosis means nothing. */
export async function diagnoseUpgrade(
  address: string,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<Diagnosis> {
  const ask = async (mode?: RequestMode, of = address): Promise<Response> =>
    fetch(of, { signal, cache: 'no-store', ...(mode && { mode }) });
  try {
    return await readAnswer(await ask(), address);
  } catch {
    // Either CORS hides the answer or there is none. A `no-cors` request fails only when there is none.
  }
  try {
    await ask('no-cors');
    await ask(undefined, address.replace(/ws\/$/, 'elements.js'));
  } catch {
    return { error: signal.aborted ? (signal.reason as SignError) : noProxyAt(address), reached: false };
  }
  // The proxy is there, but it may have come back only now, or a gateway may send the next request to another one that is away.
  for (let look = 0; look < 2; look += 1) {
    const answer = await ask().catch(() => null);
    if (answer) return readAnswer(answer, address);
  }
  return { error: ownError('origin_refused'), reached: true };
}

/** Why a socket was refused. `address` is its http(s) address. Never rejects. */
export async function whyRefused(address: string, fetch: Fetch, signal: AbortSignal): Promise<SignError> {
  const { error } = await diagnoseUpgrade(address, fetch, signal);
  if (error.code !== 'session_failed') return error;
  const posted = await fetch(address, { method: 'POST', signal }).then(
    (answer) => answer.text(),
    () => '',
  );
  return posted.includes('"origin_refused"') ? ownError('origin_refused') : error;
}

export const isProblem = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith(PROBLEM_TYPE) ?? false;

async function readAnswer(answer: Response, address: string): Promise<Diagnosis> {
  const isOurs = isProblem(answer);
  const body: unknown = isOurs ? await answer.json().catch(() => null) : null;
  const problem = parseProblem(body);
  const init = {
    severity: 'session',
    requestId: answer.headers.get('x-request-id'),
    retryAfterSeconds: secondsOf(answer.headers),
  } as const;
  // `restarting`: a proxy that drains accepts no POST either, and ends soon. `proxy_unreachable`: ticket.ts answers in place of
  // the proxy.
  if (problem?.code === 'restarting' || problem?.code === 'proxy_unreachable')
    return { error: ownError('proxy_unreachable', problem.detail, init), reached: false };
  // A proxy has this route and refuses with a problem, so these four are from another server. A proxy never answers this request
  // with success: such an answer is the login page of a network, or the address is wrong.
  const { status } = answer;
  const isElsewhere = [401, 403, 404, 405].includes(status);
  const reached = isOurs || (!isElsewhere && status >= 400 && status < 500);
  const { code = 'rate_limited', detail, title } = problem ?? {};
  const message = detail || title || undefined;
  if (isOwnErrorCode(code)) return { error: ownError(code, message, init), reached };
  if (status === 429 || code === 'overloaded') {
    const limit = message ?? 'a limit of the proxy, or of a server in front of it, is reached';
    return { error: new SignError(code, limit, { ...init, retryable: true }), reached };
  }
  // A proxy would answer with a problem: this is a page, or a gateway or dev server that does not reach the proxy.
  if (!isOurs) return { error: noProxyAt(address, status, init), reached };
  const otherwise = status >= 500 ? 'upstream_unreachable' : 'session_failed';
  return { error: ownError(otherwise, undefined, init), reached };
}

/** The seconds of `Retry-After`. A date is compared with the server's own clock, never with the page's. */
export function secondsOf(headers: Headers): number | null {
  const header = headers.get('retry-after') ?? '';
  // Date.parse() would read "45.5" as a day of 2045.
  if (/^\d{1,9}(\.\d+)?$/.test(header)) return Number(header);
  const seconds = (Date.parse(header) - Date.parse(headers.get('date') ?? '')) / 1000;
  return seconds >= 0 ? seconds : null;
}
