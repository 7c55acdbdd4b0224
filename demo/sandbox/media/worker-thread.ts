// Starts and ends threads of the sandbox, both from the sources and from a build.
// - A thread is named by its path in the sandbox's folder. In a build every thread is a file of its own, with a path relative to
//   the top of the package.
// - Sources take a second of a core to load, a build a quarter of that. When `SANDBOX_BUILD` names the folder of a build
//   (`dist/sandbox`), the sources also start the threads of that build.
// - A thread gets a message to end, and ends itself. A thread that is terminated while it runs or loads native code crashes the
//   whole process.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const SVT_FATAL_ONLY = '0';
/** Longer than a busy machine needs to load a thread. */
const HANGS_MS = 10_000;
const fromSources = import.meta.url.endsWith('.ts');

const build = process.env['SANDBOX_BUILD'];

/** Where the thread `name` is, e.g. `media/encode-worker`. */
export const threadUrl = (name: string): URL =>
  build === undefined
    ? new URL(fromSources ? `../${name}.ts` : `./${name}.js`, import.meta.url)
    : pathToFileURL(resolve(build, `${name}.js`));

/** A thread does not inherit its parent's loader for TypeScript, so the loader is registered again for sources. */
export function startThread(url: URL, workerData: unknown): Worker {
  // Without this SVT-AV1 writes its whole configuration to stderr, and a warning when it is closed early. SVT-AV1 reads the
  // environment of the process, and a thread has only a copy of it.
  process.env['SVT_LOG'] ??= SVT_FATAL_ONLY;
  if (!url.pathname.endsWith('.ts')) return new Worker(url, { workerData });
  const start = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(url.href)}); })`;
  return new Worker(start, { eval: true, workerData });
}

/** Sends a thread its message to end, and waits until it has ended. A thread that has not ended after 10 s is terminated. */
export async function endThread(thread: Worker, command: unknown): Promise<void> {
  const exit = new Promise((resolve) => thread.once('exit', resolve));
  const waiting = new AbortController();
  const late = setTimeout(HANGS_MS, 'late', { signal: waiting.signal }).catch(() => 'over');
  thread.postMessage(command);
  if ((await Promise.race([exit, late])) === 'late') await thread.terminate();
  waiting.abort();
}
