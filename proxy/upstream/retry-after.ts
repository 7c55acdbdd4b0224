// How long the service asks to be left alone.
import type { IncomingHttpHeaders } from 'node:http';

/** An element waits for the whole `Retry-After`, and the service may work again before. */
const MAX_RETRY_SECONDS = 3_600;

/**
 * The `Retry-After` of a response (document 2, Errors; RFC 9110, 10.2.3) in whole seconds, from 0 to 3,600; null
 * without one.
 */
export function secondsToWait({
  'retry-after': retryAfter = '',
  date = '',
}: IncomingHttpHeaders): number | null {
  if (/^\d{1,9}$/.test(retryAfter)) return Math.min(Number(retryAfter), MAX_RETRY_SECONDS);
  if (!/^[A-Z][a-z]+, .+ GMT$/.test(retryAfter)) return null;
  const seconds = Math.ceil((Date.parse(retryAfter) - Date.parse(date)) / 1000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), MAX_RETRY_SECONDS);
}
