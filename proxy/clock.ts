// The proxy's only source of time and timers, so that tests can replace it.

export interface Clock {
  /** Milliseconds of a monotonic clock; not a time of day. */
  now(): number;
  /** Runs once after `ms`. The returned function cancels it and may be called at any time. */
  after(ms: number, run: () => void): () => void;
  /** Runs every `ms` until cancelled. */
  every(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  every(ms, run) {
    const timer = setInterval(run, ms);
    return () => clearInterval(timer);
  },
};
