// Is the service there? Asked by /readyz and by the diagnosis of a refused upgrade. Policy: any HTTP answer counts as
// there (it is asked without an upgrade and without the key, so it may well refuse), except 502, 503 and 504, which are a
// gateway's way to say that it is not. An answer has 2 s, holds for 2 s, and one request serves all who ask meanwhile.
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import type { Clock } from '../clock.ts';

const ANSWER_WITHIN_MS = 2_000;
const HOLDS_FOR_MS = 2_000;
const GATEWAY_ERRORS: readonly number[] = [502, 503, 504];

/** Asks `url`, which is http(s). */
export function upstreamCheck(url: string, clock: Clock): () => Promise<boolean> {
  let latest: { readonly answer: Promise<boolean>; readonly until: number } | null = null;
  return () => {
    if (latest === null || clock.now() >= latest.until) {
      latest = { answer: answers(url, clock), until: clock.now() + HOLDS_FOR_MS };
    }
    return latest.answer;
  };
}

function answers(url: string, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const get = url.startsWith('https:') ? httpsGet : httpGet;
    // No agent: a kept connection would be one more thing to close when the proxy drains.
    const request = get(url, { agent: false }, (response) => {
      settle(!GATEWAY_ERRORS.includes(response.statusCode ?? 0));
    });
    const settle = (isUp: boolean): void => {
      cancel();
      request.destroy();
      resolve(isUp);
    };
    const cancel = clock.after(ANSWER_WITHIN_MS, () => settle(false));
    request.on('error', () => settle(false));
  });
}
