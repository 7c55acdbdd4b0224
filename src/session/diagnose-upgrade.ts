// Why an upgrade was refused. A browser shows a page no more than close code 1006, so the same address is asked over
// HTTP (SEMANTICS, error codes of our own). Policy: a problem+json with a code of sign-error.ts names the cause; an
// answer that may not be read means that the proxy answers, but not to this origin; none at all, that nobody is there.
// `Retry-After` in seconds is kept; the date that it may be instead is not, for clocks are never compared.
import { parseProblem, PROBLEM_TYPE } from '../protocol/problem.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { isOwnErrorCode, ownError } from '../protocol/sign-error.ts';

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** `url` is the socket's. Never rejects; the signal ends it early, with an answer that nobody should use. */
export async function diagnoseUpgrade(url: string, fetch: Fetch, signal: AbortSignal): Promise<SignError> {
  const address = url.replace(/^ws/i, 'http');
  const ask = async (): Promise<SignError> =>
    errorFromAnswer(await fetch(address, { signal, cache: 'no-store' }));
  try {
    return await ask();
  } catch {
    // Either CORS hides the answer or there is none: a request whose answer is hidden anyway tells the two apart.
  }
  try {
    await fetch(address, { signal, cache: 'no-store', mode: 'no-cors' });
  } catch {
    return ownError('proxy_unreachable');
  }
  try {
    // A proxy that was just started anew had no answer a moment ago, and refuses nobody.
    return await ask();
  } catch {
    return ownError('origin_refused');
  }
}

async function errorFromAnswer(answer: Response): Promise<SignError> {
  const isProblem = answer.headers.get('content-type')?.startsWith(PROBLEM_TYPE);
  const body: unknown = isProblem ? await answer.json().catch(() => null) : null;
  const problem = parseProblem(body);
  const seconds = Number.parseInt(answer.headers.get('retry-after') ?? '', 10);
  const init = {
    severity: 'session',
    requestId: answer.headers.get('x-request-id'),
    retryAfterSeconds: seconds >= 0 ? seconds : null,
  } as const;
  if (problem && isOwnErrorCode(problem.code)) {
    const { code, detail, title } = problem;
    return ownError(code, detail || title || undefined, init);
  }
  return ownError(answer.status >= 500 ? 'upstream_unreachable' : 'session_failed', undefined, init);
}
