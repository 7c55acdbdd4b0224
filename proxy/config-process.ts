// The process that reads the configuration anew for the program (SIGHUP), which serves its sockets meanwhile.
// - The parser of YAML takes up to 0.7 s for 300 sites, and a disk may not answer.
// - It sends the configuration to its parent, or what is wrong with it, and ends.
// - A thread checks whether the parent was killed, because the main thread may be waiting for a disk. It ends the process by
//   SIGKILL, because an exit of Node would wait for the disk too.
import { Worker } from 'node:worker_threads';
import { ConfigError, readConfig, type Config, type ConfigProblem } from './config.ts';

/** What the parent gets. */
export type ConfigMessage = { readonly config: Config } | { readonly problems: readonly ConfigProblem[] };

function readAnew(): ConfigMessage {
  try {
    return { config: readConfig(process.env) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { problems: error.problems };
  }
}

const PARENT_CHECK_MS = 500;
const endWithParent = `setInterval(() => {
  if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL');
}, ${PARENT_CHECK_MS})`;
new Worker(endWithParent, { eval: true, execArgv: [] }).unref();
process.send?.(readAnew(), () => process.disconnect());
