// Ends a process of the sandbox's own when whoever started it is gone. Policy: a thread of its own looks once a second whose
// child the process is, because one that is busy with bytes that never come to an end hears no message and no event; it ends
// by SIGKILL, because nothing else ends that.
import { Worker } from 'node:worker_threads';

const ROUND_MS = 1000;

const watch = `
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), ${ROUND_MS});
`;

/** From now on; it does not keep the process alive. */
export function endWithParent(): void {
  // It is plain JavaScript: what reads the sources for its parent would cost it a second.
  new Worker(watch, { eval: true, execArgv: [], workerData: process.ppid }).unref();
}
