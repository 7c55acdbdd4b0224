// Waiting between two requests. Policy: a wait ends early when its signal aborts, with the signal's reason, and leaves
// neither timer nor listener.
import { whenAborted } from '../abort.ts';
import { LONGEST_TIMEOUT_MS, type Clock } from '../clock.ts';
import { deferred } from '../deferred.ts';

export async function wait(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = deferred<void>();
  const timer = clock.setTimeout(resolve, Math.min(delayMs, LONGEST_TIMEOUT_MS));
  const unlisten = whenAborted(signal, reject);
  try {
    await promise;
  } finally {
    clock.clearTimeout(timer);
    unlisten();
  }
}
