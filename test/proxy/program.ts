// The program `sign-proxy` as a process of its own, for tests.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startedAs } from '../running/started-by.mjs';
import { recordingEnv } from '../secrets/recording.ts';
import { arrivals, type Arrivals } from './arrivals.ts';

/** The built program where SANDBOX_BUILD names a build, else the source. */
const { SANDBOX_BUILD: build } = process.env;
const COMMAND = build
  ? [join(build, '../proxy/main.js')]
  : ['--import', 'tsx', fileURLToPath(new URL('../../proxy/main.ts', import.meta.url))];

export interface Program {
  readonly pid: number;
  /** Lines of stdout. */
  readonly lines: Arrivals<string>;
  readonly stderr: () => string;
  /** The next line of stderr that contains `part`. The line may have come before the call; each line is returned once. */
  logged(part: string): Promise<string>;
  /** Pauses or resumes reading its stderr: lines that it writes meanwhile wait in the pipe and in the program. */
  stallLog(isStalled: boolean): void;
  /** Closes the reading end of its stderr: later writes fail. */
  hangUpLog(): void;
  readonly exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Registers what runs after a test: its context, or a suite's after(). */
export interface Ending {
  after(run: () => void): void;
}

/** `starter` is a command that starts the program given behind it. */
export function run(t: Ending, env: NodeJS.ProcessEnv, ...starter: string[]): Program {
  const [file = '', ...args] = [...starter, process.execPath, ...COMMAND];
  const child = spawn(file, args, {
    env: { ...recordingEnv(), ...startedAs('program'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => void child.kill('SIGKILL'));
  const lines = arrivals<string>();
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const log = arrivals<string>();
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  return {
    pid: child.pid ?? 0,
    lines,
    stderr: () => stderr,
    async logged(part) {
      for (;;) {
        const line = await log.next();
        if (line.includes(part)) return line;
      }
    },
    stallLog: (isStalled) => void (isStalled ? child.stderr.pause() : child.stderr.resume()),
    hangUpLog: () => void child.stderr.destroy(),
    exited: once(child, 'close').then(([code]) => code as number | null),
    kill: (signal) => void child.kill(signal),
  };
}

/** The address in the one line that the program prints. */
export async function addressOf({ lines, exited, stderr }: Program): Promise<URL> {
  const line = await Promise.race([lines.next(), exited.then(() => Promise.reject(new Error(stderr())))]);
  const [address] = /http:\S+$/.exec(line) ?? [];
  assert.ok(address, line);
  return new URL(address);
}
