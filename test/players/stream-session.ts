// The manifest of a stream session: its URL, and its first answer.

/**
 * The URL in `session.ready`, whatever the field is called (document 3 does not show it).
 * @throws Error when there is none
 */
export function manifestUrlOf(ready: Readonly<Record<string, unknown>>): string {
  const url = Object.values(ready).find(
    (value): value is string => typeof value === 'string' && /^https?:.*\.m3u8\b/.test(value),
  );
  if (url === undefined) throw new Error(`no manifest in ${JSON.stringify(ready)}`);
  return url;
}

/** The answer once it is there: on a busy machine the first segment takes longer than the service holds a request (503). */
export async function fetchManifest(url: string): Promise<Response> {
  let answer = await fetch(url);
  while (answer.status === 503) answer = await fetch(url);
  return answer;
}
