// Answers equal requests of many clients from one upstream request: those that arrive while it is pending and in the
// second after. Only responses are kept, at most 1,000 of at most 16 kB; all others are requested for each client.
import type { Clock } from '../clock.ts';

const KEEP_MS = 1_000;
const MAX_SHARED = 1_000;
const MAX_KEPT_BYTES = 16 * 1024;

/** Equal requests have the same `key`; `send` is called when there is no response to share. */
type SharedResponses<Response> = (key: string, send: () => Promise<Response>) => Promise<Response>;

export function sharedResponses<Response>(
  clock: Clock,
  bytesOf: (response: Response) => number,
): SharedResponses<Response> {
  const shared = new Map<string, Promise<Response>>();
  return (key, send) => {
    const known = shared.get(key);
    if (known) return known;
    const response = send();
    if (shared.size >= MAX_SHARED) return response;
    shared.set(key, response);
    const forget = (): void => void shared.delete(key);
    response.then((received) => {
      if (bytesOf(received) > MAX_KEPT_BYTES) forget();
      else clock.after(KEEP_MS, forget);
    }, forget);
    return response;
  };
}
