// Loads code by `import()`, and tries again when that fails, so that no failure lasts for the life of a page.
// - First after half a second, then each time after up to twice as long and at most 8 s, for a minute; at once on `online`. While
//   the browser is offline it waits, and no try counts.
// - A try that is not answered within a minute is the last: in a browser the next one would wait for the same request. A page
//   that slept meanwhile (a timer then fires over a second late) waits for it again.
// - A failure is reported once on the console. Its likely cause is a new version on the server, without the chunks of the old one.
// - Firefox before 155 and WebKit before bug 319492 keep a failed import() until the page is loaded again, as the HTML standard
//   demanded then.
import { warnOnce } from './page-settings.ts';

const LONGEST_MS = 60_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
const SLEPT_MS = 61_000;
const WEEK_MS = 6e8;

export interface LoadOptions {
  /** Ends it early; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each try that failed and is made again. */
  readonly retrying?: ((cause: unknown) => void) | undefined;
}

/** Resolves with what `load` resolves with. Rejects with the error of the last try. */
export async function loadCode<Code>(
  load: () => Promise<Code>,
  { signal, retrying }: LoadOptions = {},
): Promise<Code> {
  let leftMs = LONGEST_MS;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs + waitMs * Math.random())) {
    const since = Date.now();
    try {
      return await inTime(load(), LONGEST_MS, signal);
    } catch (cause) {
      const isLast = (cause as Error).name === 'TimeoutError' && Date.now() - since < SLEPT_MS;
      const isOffline = navigator.onLine === false;
      if (isOffline) waitMs = FIRST_WAIT_MS;
      else leftMs -= waitMs;
      if (signal?.aborted || leftMs < 0 || isLast) throw cause;
      warnOnce('load', `${String(cause)}. Tried again. New version? Keep old files.`);
      retrying?.(cause);
      const online = new Promise((resolve) => addEventListener('online', resolve, { once: true }));
      await inTime(online, isOffline ? WEEK_MS : waitMs, signal).catch(() => signal?.throwIfAborted());
    }
  }
}

/** As the promise; rejects with a TimeoutError after that time, and with the signal's reason once that aborts. */
function inTime<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DOMException('', 'TimeoutError')), ms);
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}

/**
 * Hides what old scripts add to every object of a page, which `for…in` then lists: zod, hls.js and Shaka take these members for
 * their own data and throw. They stay where they are, with their value; a member that cannot be configured stays listed.
 * Called before these packages are loaded and at each use, because a script can add members at any time.
 */
export function hideInheritedMembers(): void {
  for (const name of Object.keys(Object.prototype)) {
    Reflect.defineProperty(Object.prototype, name, { enumerable: false });
  }
}
