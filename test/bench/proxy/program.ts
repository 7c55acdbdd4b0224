// The processes of the bench.
// - Each is a child of its own, measured and ended by its pid.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Program {
  /** The process whose time and memory are measured. */
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts one of programs/; `args` are its own. */
export const forkOf = (name: string, ...args: string[]): ChildProcess =>
  fork(fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url)), args, {
    execArgv: ['--import', 'tsx'],
  });

/** Starts a program that listens; resolves with the port that it reports. */
export async function listening(name: string, ...args: string[]): Promise<Program> {
  const child = forkOf(name, ...args);
  const [{ port }] = (await Promise.race([once(child, 'message'), died(child, name)])) as [{ port: number }];
  return { pid: child.pid ?? 0, port, stop: () => end(child) };
}

/** Rejects when the child ends by itself. */
export async function died(child: ChildProcess, name: string): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null];
  throw new Error(`${name} ended with ${String(code ?? child.signalCode)}`);
}

export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
