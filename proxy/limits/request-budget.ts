// How often the announcement API may be asked (document 1, Limits): 1,500 requests in any 5 minutes, of all pages
// together. Policy: a sliding window, a second longer than the service's, since what is sent 5 minutes apart may arrive
// closer; every request counts, also one that is repeated. One client address has at most a third of it, so that one
// page cannot spend it for all. When the service says 429 all the same, it is obeyed.
import type { Clock } from '../clock.ts';

export const BUDGET_REQUESTS = 1_500;
export const BUDGET_OF_ADDRESS = BUDGET_REQUESTS / 3;
export const BUDGET_WINDOW_MS = 301_000;

export interface RequestBudget {
  /**
   * 0 when one more may be sent now for a page of `address` (and it is counted), else the seconds until it may. A
   * promise where replicas share the budget.
   */
  take(address: string): number | Promise<number>;
  /** Nothing more is sent for these seconds. */
  hold(seconds: number): void;
}

export interface LocalBudget extends RequestBudget {
  take(address: string): number;
  /** The same without counting it. */
  wait(address: string): number;
}

export function requestBudget(clock: Clock): LocalBudget {
  const ofAll = slidingWindow(BUDGET_REQUESTS);
  const ofAddress = new Map<string, SlidingWindow>();
  let heldUntil = -Infinity;

  const windowOf = (address: string, now: number): SlidingWindow => {
    let window = ofAddress.get(address);
    if (!window) {
      // More addresses than the budget has requests: some have none of theirs left in the window.
      if (ofAddress.size >= BUDGET_REQUESTS) {
        for (const [known, { emptyAt }] of ofAddress) if (emptyAt() <= now) ofAddress.delete(known);
      }
      window = slidingWindow(BUDGET_OF_ADDRESS);
      ofAddress.set(address, window);
    }
    return window;
  };

  const wait = (address: string): number => {
    const ownFreeAt = ofAddress.get(address)?.freeAt() ?? -Infinity;
    const from = Math.max(ofAll.freeAt(), ownFreeAt, heldUntil);
    return Math.max(0, (from - clock.now()) / 1000);
  };

  return {
    wait,
    take(address) {
      const seconds = wait(address);
      if (seconds > 0) return seconds;
      const now = clock.now();
      ofAll.add(now);
      windowOf(address, now).add(now);
      return 0;
    },
    hold(seconds) {
      heldUntil = Math.max(heldUntil, clock.now() + seconds * 1000);
    },
  };
}

interface SlidingWindow {
  /** When one more may be sent. */
  freeAt(): number;
  /** When nothing that was sent counts any more. */
  emptyAt(): number;
  add(now: number): void;
}

/** Remembers when each of the latest `limit` was sent; grows only with what is sent. */
function slidingWindow(limit: number): SlidingWindow {
  const sent: number[] = [];
  /** Where the oldest is, once all places are used. */
  let oldest = 0;
  let latest = -Infinity;
  return {
    freeAt: () => (sent.length < limit ? -Infinity : (sent[oldest] ?? -Infinity) + BUDGET_WINDOW_MS),
    emptyAt: () => latest + BUDGET_WINDOW_MS,
    add(now) {
      sent[oldest] = now;
      oldest = (oldest + 1) % limit;
      latest = now;
    },
  };
}
