// Checks addresses that come from outside before they are used.
// - Only http(s) addresses pass: `javascript:`, `data:`, `blob:` and `file:` addresses are refused.

/**
 * The address as the URL parser spells it, or null when it is not an http(s) URL.
 * @param base of relative addresses; without it only absolute ones pass
 */
export function httpUrl(value: unknown, base?: string): string | null {
  if (typeof value !== 'string') return null;
  try {
    const url = new URL(value, base);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}
