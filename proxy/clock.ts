// The proxy's only source of time. Policy: whatever waits, waits through this, so that a test moves time by hand.

export interface Clock {
  /** Milliseconds that only ever grow; not a time of day. */
  now(): number;
  /** Runs once after `ms`; what it returns cancels it and may be called at any time. */
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
