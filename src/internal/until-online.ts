// Waits before another try to load what did not load.
// - The wait ends early when the browser comes online, or when its signal aborts.

/** Resolves after this time, or when the browser is online again; rejects with the reason of `signal`. */
export function untilOnlineOr(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const end = (): void => {
      over.abort();
      clearTimeout(timer);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end, { signal: over.signal });
    signal?.addEventListener('abort', end, { signal: over.signal });
  });
}
