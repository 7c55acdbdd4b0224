// Sends one upstream request for equal requests of many clients. Its response answers the requests that arrive while it is
// pending and, where the response may be kept, those of the next second.
// - At most 1,000 responses of at most 16 kB are kept, and no failure: a client that repeats its request after a Retry-After of
//   1 s would get the kept 429 again.
// - A `rate_limited` of the proxy itself counts only for the client whose request was sent: the others then send their own.
import type { Clock } from '../clock.ts';
import { ProblemError } from '../problem.ts';

const KEEP_MS = 1_000;
const MAX_SHARED = 1_000;
const MAX_KEPT_BYTES = 16 * 1024;

/** Equal requests have the same `key`; `send` is called when there is no response to share. */
type SharedResponses<Response> = (key: string, send: () => Promise<Response>) => Promise<Response>;

export interface SharedRules<Response> {
  bytesOf(response: Response): number;
  hasFailed(response: Response): boolean;
  /** False for responses with a media address: a client that finds it refused asks again, and needs another one. */
  readonly isKept?: boolean;
}

export function sharedResponses<Response>(
  clock: Clock,
  { bytesOf, hasFailed, isKept = true }: SharedRules<Response>,
): SharedResponses<Response> {
  const shared = new Map<string, Promise<Response>>();
  return (key, send) => {
    const known = shared.get(key);
    if (known) {
      return known.catch((error: unknown) => {
        if (error instanceof ProblemError && error.code === 'rate_limited') return send();
        throw error;
      });
    }
    const response = send();
    if (shared.size >= MAX_SHARED) return response;
    shared.set(key, response);
    const forget = (): void => void shared.delete(key);
    response.then((received) => {
      if (!isKept || hasFailed(received) || bytesOf(received) > MAX_KEPT_BYTES) forget();
      else clock.after(KEEP_MS, forget);
    }, forget);
    return response;
  };
}
