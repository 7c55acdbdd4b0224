// How a thread of the sandbox is started and ended, from the sources and from a build alike.
// - A thread is named by its path in the sandbox's folder; in a build every thread is a file of its own, with a path relative to
//   the files at the top of the package.
// - Sources take a second of a core to load, a build a quarter of that: where `SANDBOX_BUILD` names the folder of a build
//   (`dist/sandbox`), the sources start its threads too.
// - A thread gets a message to end, and ends itself: a thread that is terminated in native code, or while that is loading, crashes
//   the whole process.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const SVT_FATAL_ONLY = '0';
/** More than a busy machine needs to load a thread. */
const HANGS_MS = 10_000;
const fromSources = import.meta.url.endsWith('.ts');

const build = process.env['SANDBOX_BUILD'];

/** Where the thread `name` is, e.g. `media/encode-worker`. */
export const threadUrl = (name: string): URL =>
  build === undefined
    ? new URL(fromSources ? `../${name}.ts` : `./${name}.js`, import.meta.url)
    : pathToFileURL(resolve(build, `${name}.js`));

/** A thread does not inherit its parent's loader for TypeScript: for sources the loader is registered again. */
export function startThread(url: URL, workerData: unknown): Worker {
  // Without this SVT-AV1 writes its whole configuration to stderr, and a complaint when it is closed early. It reads the
  // environment of the process, of which a thread has only a copy.
  process.env['SVT_LOG'] ??= SVT_FATAL_ONLY;
  if (!url.pathname.endsWith('.ts')) return new Worker(url, { workerData });
  const start = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(url.href)}); })`;
  return new Worker(start, { eval: true, workerData });
}

/** Sends a thread its message to end, and waits for that; a thread that has not ended after 10 s is terminated. */
export async function endThread(thread: Worker, command: unknown): Promise<void> {
  const exit = new Promise((resolve) => thread.once('exit', resolve));
  const waiting = new AbortController();
  const late = setTimeout(HANGS_MS, 'late', { signal: waiting.signal }).catch(() => 'over');
  thread.postMessage(command);
  if ((await Promise.race([exit, late])) === 'late') await thread.terminate();
  waiting.abort();
}
