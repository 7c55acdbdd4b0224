// A wait in FFmpeg that can be broken off. Policy: it happens off the thread; breaking off makes the call return a failure, and
// the caller is told that this was the cause, because some calls say success even then.
import type { FormatContext } from 'node-av/lib';

export interface Waited {
  /** What the call gave; negative for a failure. */
  readonly code: number;
  readonly isBrokenOff: boolean;
}

/** Runs `wait`, broken off after `ms` (null: never) and when `signal` aborts. */
export async function bounded(
  context: FormatContext,
  ms: number | null,
  wait: () => Promise<number>,
  signal?: AbortSignal,
): Promise<Waited> {
  let isBrokenOff = false;
  const breakOff = (): void => {
    isBrokenOff = true;
    context.interrupt();
  };
  const timer = ms === null ? undefined : setTimeout(breakOff, ms);
  signal?.addEventListener('abort', breakOff);
  try {
    return { code: await wait(), isBrokenOff };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', breakOff);
  }
}
