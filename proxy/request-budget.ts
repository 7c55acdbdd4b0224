// How often the announcement API may be asked (document 1, Limits): 1,500 requests in any 5 minutes, of all pages
// together. Policy: a sliding window, a second longer than the service's, since what is sent 5 minutes apart may arrive
// closer; every request counts, also one that is repeated. When the service says 429 all the same, it is obeyed.
import type { Clock } from './clock.ts';

const REQUESTS = 1_500;
const WINDOW_MS = 301_000;

export interface RequestBudget {
  /** 0 when one more may be sent now (and it is counted), else the seconds until it may. */
  take(): number;
  /** Nothing more is sent for these seconds. */
  hold(seconds: number): void;
}

export function requestBudget(clock: Clock): RequestBudget {
  /** When each of the latest requests was sent; the oldest is at `next` once all are used. */
  const sent = new Float64Array(REQUESTS).fill(-Infinity);
  let next = 0;
  let heldUntil = -Infinity;
  return {
    take() {
      const now = clock.now();
      const oldest = sent[next] ?? -Infinity;
      const from = Math.max(oldest + WINDOW_MS, heldUntil);
      if (from > now) return (from - now) / 1000;
      sent[next] = now;
      next = (next + 1) % REQUESTS;
      return 0;
    },
    hold(seconds) {
      heldUntil = Math.max(heldUntil, clock.now() + seconds * 1000);
    },
  };
}
