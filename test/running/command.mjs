// Runs the commands of a test run.
// - Each leads a session of its own, so that it can be ended with all that it started: when the whole run is out of time, and when
//   somebody ends it.
import { spawn } from 'node:child_process';
import { putBehind } from './behind.mjs';

/** What still runs after fifty minutes hangs: it is ended and has failed. Two idle cores take six. */
const deadline = Date.now() + 50 * 60_000;
/** Characters of what a command printed last. */
const MOST_TOLD = 20_000;

const running = new Set();
const endRunning = () => {
  for (const { pid } of running) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has gone, and only what it printed is still being read.
    }
  }
};
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    endRunning();
    process.exit(1);
  });
}

/**
 * Runs a command to its end: null when it went well, else why not and what it printed last.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, behind?: boolean }} [how] `env` on top of our own; whether it is put behind the others
 * @returns {Promise<string | null>}
 */
export function run(command, args, { env, behind = false } = {}) {
  return new Promise((settle) => {
    let printed = '';
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    running.add(child);
    if (child.pid && behind) putBehind(child.pid);
    const keep = (chunk) => (printed = (printed + chunk).slice(-MOST_TOLD));
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const timer = setTimeout(endRunning, Math.max(0, deadline - Date.now()));
    const end = (problem) => {
      clearTimeout(timer);
      running.delete(child);
      settle(problem === null ? null : `${problem}\n${printed.trim()}`);
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) => {
      if (code === 0) end(null);
      else end(Date.now() >= deadline ? 'out of time' : `ended with ${signal ?? `exit code ${code}`}`);
    });
  });
}
