// Whether the service answers, for /readyz and for the diagnosis of a refused upgrade.
// - Any HTTP status means yes (the request has no upgrade and no key, so it may be refused), except those with
//   which a gateway says no, such as 502, 503 and 504, and 407 and 511, with which a network does.
// - 2 s for a response. The result is kept for 2 s, and one request serves everyone who asks meanwhile.
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import type { Clock } from '../clock.ts';
import { addressFamilies, rememberFamily } from './address-families.ts';
import { GATEWAY_STATUSES, NETWORK_STATUSES } from './http-client.ts';

const RESPONSE_MS = 2_000;
const KEEP_MS = 2_000;
const NOT_REACHED: ReadonlySet<number> = new Set([...GATEWAY_STATUSES, ...NETWORK_STATUSES]);

/** Checks `url`, which is http(s). */
export function reachabilityCheck(url: string, clock: Clock): () => Promise<boolean> {
  let latest: { readonly answer: Promise<boolean>; readonly until: number } | null = null;
  return () => {
    if (latest === null || clock.now() >= latest.until) {
      latest = { answer: answers(url, clock), until: clock.now() + KEEP_MS };
    }
    return latest.answer;
  };
}

function answers(url: string, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const get = url.startsWith('https:') ? httpsGet : httpGet;
    // No agent: nothing has to be closed when the proxy drains.
    const request = get(url, { agent: false, ...addressFamilies }, (response) => {
      settle(!NOT_REACHED.has(response.statusCode ?? 0));
    });
    rememberFamily(request);
    const settle = (isUp: boolean): void => {
      cancel();
      request.destroy();
      resolve(isUp);
    };
    const cancel = clock.after(RESPONSE_MS, () => settle(false));
    request.on('error', () => settle(false));
  });
}
