// How long the service asks to wait: its `Retry-After` (document 2, Errors; RFC 9110, 10.2.3). Policy: seconds pass; a
// date becomes the seconds from the answer's own `Date`, because clocks are never compared, and pages do not read dates;
// anything else says nothing.
import type { IncomingHttpHeaders } from 'node:http';

/** Whole seconds from 0 up; null when the answer does not say. */
export function secondsToWait({ 'retry-after': asked = '', date = '' }: IncomingHttpHeaders): number | null {
  if (/^\d{1,9}$/.test(asked)) return Number(asked);
  if (!/^[A-Z][a-z]+, .+ GMT$/.test(asked)) return null;
  const seconds = Math.ceil((Date.parse(asked) - Date.parse(date)) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
