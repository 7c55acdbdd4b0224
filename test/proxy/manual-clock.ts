// A clock that a test advances, for the proxy's Clock.
import type { Clock } from '../../proxy/clock.ts';

interface Timer {
  at: number;
  readonly everyMs: number | null;
  readonly run: () => void;
}

export interface ManualClock extends Clock {
  /** Advances the clock, and runs the timers that become due, in order. */
  advance(ms: number): void;
  /** How many timers are still set. */
  readonly pending: number;
}

export function manualClock(): ManualClock {
  let now = 0;
  const timers = new Set<Timer>();
  const set = (at: number, everyMs: number | null, run: () => void): (() => void) => {
    const timer = { at, everyMs, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => now,
    after: (ms, run) => set(now + ms, null, run),
    every: (ms, run) => set(now + ms, ms, run),
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const [due] = [...timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at);
        if (!due) break;
        now = due.at;
        if (due.everyMs === null) timers.delete(due);
        else due.at += due.everyMs;
        due.run();
      }
      now = until;
    },
    get pending() {
      return timers.size;
    },
  };
}
