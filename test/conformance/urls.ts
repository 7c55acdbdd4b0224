// Finds URLs in an answer whose field names a document does not show.
// - Every string of an answer, however deep, that is an absolute http(s) URL counts.
// - A caller selects one of them by the ending of its path.

/** Every http(s) URL in a JSON value, in the order it is written. */
export function urlsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? [value] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(urlsIn);
}

/** Whether the URL's path ends with this. */
export const endsWith = (url: string, ending: string): boolean =>
  new URL(url).pathname.toLowerCase().endsWith(ending);
