// The manifest URL of a stream session's `session.ready`, whatever its field is called (document 3 does not show it).
/** @throws Error when there is none */
export function manifestUrlOf(ready: Readonly<Record<string, unknown>>): string {
  const url = Object.values(ready).find(
    (value): value is string => typeof value === 'string' && /^https?:.*\.m3u8\b/.test(value),
  );
  if (url === undefined) throw new Error(`no manifest in ${JSON.stringify(ready)}`);
  return url;
}
