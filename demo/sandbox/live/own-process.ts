// How a process of the sandbox's own is started, from the sources and from a build alike: for what must not take the sandbox
// down with it. Policy: it is found as a thread is (media/worker-thread.ts), and hears and tells by messages only.
import { fork, type ChildProcess } from 'node:child_process';
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
