// Starts the sandbox's child processes, and ends them when their parent has ended or they use too much memory.
// - A process is named by the same rule as a worker thread (media/worker-thread.ts), in the sources and in a build.
// - A thread of the child checks the parent's id once a second. It is a thread of its own, because one that is busy with endless
//   input handles no message and no event.
// - When the id has changed, this thread ends the process by SIGKILL.
// - A process may use 1 GB of memory, which is checked four times a second. A session with the largest picture needs about half of
//   that.
import { fork, type ChildProcess } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { threadUrl } from '../media/worker-thread.ts';

/**
 * @param name `live/media/live-process` for example
 * @param flags flags of Node.js in addition to those that load the sources; the parent's flags are not inherited
 */
export function startProcess(name: string, flags: readonly string[] = []): ChildProcess {
  const url = threadUrl(name);
  const fromSources = url.pathname.endsWith('.ts');
  return fork(url, {
    execArgv: [...flags, ...(fromSources ? ['--import', import.meta.resolve('tsx')] : [])],
    serialization: 'advanced',
    // Libraries write messages of their own to these streams.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

const PARENT_CHECK_MS = 1000;

const watch = `
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), ${PARENT_CHECK_MS});
`;

/** Begins to watch the parent. This does not keep the process alive. */
export function endWithParent(): void {
  // The script is plain JavaScript, because the loader for TypeScript would take a second.
  new Worker(watch, { eval: true, execArgv: [], workerData: process.ppid }).unref();
}

const MOST_BYTES = 1_000_000_000;
const MEMORY_CHECK_MS = 250;

/**
 * Calls `over` once, when this process uses more memory than is allowed. This does not keep the process alive.
 * @param taken bytes in use
 */
export function boundMemory(over: () => void, taken: () => number = () => process.memoryUsage.rss()): void {
  const look = (): void => {
    if (taken() > MOST_BYTES) over();
    else setTimeout(look, MEMORY_CHECK_MS).unref();
  };
  look();
}
