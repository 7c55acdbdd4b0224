// One HTTP request and its unchanged answer: a redirect is not followed, and a body that is JSON is parsed.
// - An answer that does not come within four minutes fails the case.
// - Each request has a connection of its own, because a server may close a kept connection on which the next request has arrived.
import { LONGEST_WAIT_MS } from './until.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as JSON, or as text when it is none. */
  readonly body: unknown;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A request on a connection of its own. */
export const open = (url: string, { headers, ...init }: RequestInit = {}): Promise<Response> =>
  fetch(url, {
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
    ...init,
    headers: { ...Object.fromEntries(new Headers(headers)), Connection: 'close' },
  });

export async function call(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await open(url, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, body: valueOf(await response.text()) };
}

/** Sends this as a JSON body. */
export const postJson = (url: string, body: unknown, headers: Record<string, string>): Promise<Answer> =>
  call(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
