// The one gate for addresses that come from outside. Policy: only http(s) media is ever played, so `javascript:`,
// `data:`, `blob:` and `file:` from the service or a page end here.

/**
 * The address as the URL parser spells it, or null when it is not an http(s) URL.
 * @param base where a relative one starts from; without it only absolute ones are addresses
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
