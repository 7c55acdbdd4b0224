// Starts the sandbox's child processes, and ends them when their parent is gone or they take too much memory.
// - A process is found by its name as a worker thread is (media/worker-thread.ts), from the sources and from a build.
// - Once a second a thread of the child compares the parent's id: a thread that is busy with endless input handles no
//   message and no event.
// - It ends the process by SIGKILL.
// - Memory: 1 GB in use, checked four times a second; a session of the largest picture needs about half of that.
import { fork, type ChildProcess } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { threadUrl } from '../media/worker-thread.ts';

/**
 * @param name `live/media/live-process` for example
 * @param flags of Node.js, beyond what reading the sources takes: the parent's own are not inherited
 */
export function startProcess(name: string, flags: readonly string[] = []): ChildProcess {
  const url = threadUrl(name);
  const fromSources = url.pathname.endsWith('.ts');
  return fork(url, {
    execArgv: [...flags, ...(fromSources ? ['--import', import.meta.resolve('tsx')] : [])],
    serialization: 'advanced',
    // Libraries write there what they like.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

const PARENT_CHECK_MS = 1000;

const watch = `
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), ${PARENT_CHECK_MS});
`;

/** From now on; it does not keep the process alive. */
export function endWithParent(): void {
  // It is plain JavaScript: what reads the sources for its parent would cost it a second.
  new Worker(watch, { eval: true, execArgv: [], workerData: process.ppid }).unref();
}

const MOST_BYTES = 1_000_000_000;
const MEMORY_CHECK_MS = 250;

/**
 * Calls `over` once, when this process takes more than it may; it does not keep the process alive.
 * @param taken bytes in use
 */
export function boundMemory(over: () => void, taken: () => number = () => process.memoryUsage.rss()): void {
  const look = (): void => {
    if (taken() > MOST_BYTES) over();
    else setTimeout(look, MEMORY_CHECK_MS).unref();
  };
  look();
}
