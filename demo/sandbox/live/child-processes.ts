// Starts the sandbox's child processes, and ends them when their parent has ended or they use too much memory.
// - A process is named as a worker thread is (media/worker-thread.ts), in the sources and in a build.
// - Once a second a thread of the child compares the parent's id: a thread that is busy with endless input handles no
//   message and no event.
// - It ends the process by SIGKILL.
// - Memory: 1 GB in use, checked four times a second; a session of the largest picture needs about half of that.
import { fork, type ChildProcess } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { threadUrl } from '../media/worker-thread.ts';

/**
 * @param name `live/media/live-process` for example
 * @param flags of Node.js, beside those for reading the sources; the parent's own are not inherited
 */
export function startProcess(name: string, flags: readonly string[] = []): ChildProcess {
  const url = threadUrl(name);
  const fromSources = url.pathname.endsWith('.ts');
  return fork(url, {
    execArgv: [...flags, ...(fromSources ? ['--import', import.meta.resolve('tsx')] : [])],
    serialization: 'advanced',
    // Libraries write their own messages there.
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
  // It is plain JavaScript: the loader for sources would take a second.
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
