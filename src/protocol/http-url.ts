// Checks addresses and ids that come from outside before they are used.
// - Only http(s) addresses pass: `javascript:`, `data:`, `blob:` and `file:` addresses are refused.
// - An id that stands in a path has 1 to 256 letters, digits or `. _ ~ : = + @ , -`, and is not all dots. The documents show no
//   shape for it, so base64 and addresses of AWS pass too.

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

const SEGMENT = /^(?!\.+$)[\w.~:=+@,-]{1,256}$/;

export const isPathSegment = (id: string): boolean => SEGMENT.test(id);
