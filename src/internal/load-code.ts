// Loads code by `import()`, and tries again when that fails, so that no failure lasts for the life of a page. It also hides from
// that code what old scripts add to every object.
// - The second try is made after half a second. Each later wait is up to twice the one before, and at most 8 s. The tries end
//   after a minute. On `online` one is made at once. While the browser is offline none is made and none counts.
// - While a browser waits for an import(), another import() of the same address waits for the same answer. So each further try
//   asks for a file of dist/cdn under another address: its build appends `loadCode.next`, and keeps the first copy that loads.
//   The imports inside such a file keep their addresses, and so do the files of a bundler.
// - A try without an answer in 31 s, or until `online`, has failed too; its late answer still counts. In dist/cdn the time is 8
//   s, and the next try is made once the server answers a small request: a browser opens few connections to a server, and each
//   try that is not answered keeps one of them.
// - A failure is reported once on the console. Its likely cause is a new version on the server, without the chunks of the old one.
// - Firefox before 155 and WebKit before bug 319492 keep a failed import() of an address until the page is loaded again, as the
//   HTML standard demanded then.
import { warnOnce } from './page-settings.ts';

const ANSWER_MS = 31_000;
/** The build of dist/cdn puts the address of the file in here, and 8 s above. */
const HERE = '';
const LONGEST_MS = 60_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
const WEEK_MS = 6e8;
const NO_ANSWER = Error('no answer');

interface LoadOptions {
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
  /** Settles with the first of the tries that have no answer yet. */
  let trying: Promise<Code> | undefined;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs + waitMs * Math.random())) {
    try {
      hideInheritedMembers();
      const before = trying;
      const answer =
        before && HERE
          ? fetch(HERE + loadCode.next, { signal: AbortSignal.timeout(ANSWER_MS) }).then(load, () => before)
          : load();
      trying = before ? Promise.race([before, answer]) : answer;
      return await answerOf(trying, ANSWER_MS, signal);
    } catch (cause) {
      const isOffline = navigator.onLine === false;
      if (cause !== NO_ANSWER) trying = undefined;
      if (!isOffline) leftMs -= trying ? ANSWER_MS : waitMs;
      if (signal?.aborted || leftMs < 0) throw cause;
      warnOnce('load', `${cause as Error}. New version?`);
      retrying?.(cause);
      loadCode.next = `?${Math.random()}`;
      if (isOffline || !trying)
        await answerOf(new Promise(() => {}), isOffline ? WEEK_MS : waitMs, signal).catch(() =>
          signal?.throwIfAborted(),
        );
    }
  }
}
/** Appended to the address of a file at its next try. */
loadCode.next = '';

/** Settles as the promise does; rejects with NO_ANSWER after `ms` and on `online`, and with the signal's reason when it aborts. */
function answerOf<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T> {
  let end!: (reason: unknown) => void;
  const over = new Promise<never>((_, reject) => (end = reject));
  const onSilent = (): void => end(NO_ANSWER);
  const timer = setTimeout(onSilent, ms);
  // A server has no such events.
  globalThis.addEventListener?.('online', onSilent);
  signal?.addEventListener('abort', () => end(signal.reason));
  return Promise.race([promise, over]).finally(() => {
    clearTimeout(timer);
    globalThis.removeEventListener?.('online', onSilent);
  });
}

/**
 * Hides what old scripts add to every object of a page, which `for…in` then lists: zod, hls.js and Shaka take these members for
 * their own data and throw. They stay where they are, with their value; a member that cannot be configured stays listed.
 * Called before code is loaded, which may hold these packages, and at each use, because a script can add members at any time.
 */
export function hideInheritedMembers(): void {
  for (const name of Object.keys(Object.prototype)) {
    Reflect.defineProperty(Object.prototype, name, { enumerable: false });
  }
}
