// Runs the commands of a test run.
// - Each command leads a process session of its own, so that it can be ended with all that it started: when the whole run is out
//   of time, when somebody ends the run, and when the command has ended and left a process running.
// - A browser leads a process group of its own. It is found by a variable in its environment (Linux only).
import { spawn } from 'node:child_process';
import { putBehind } from './behind.mjs';
import { endStartedBy, kill, startedAs } from './started-by.mjs';

/** A run took 18 minutes on two slow cores. A command that still runs after 50 minutes hangs: it is ended and has failed. */
const deadline = Date.now() + 50 * 60_000;
/** Characters of what a command printed last. */
const MAX_OUTPUT_LENGTH = 20_000;

/** Ends a command and all that it started. */
function endAll({ child, id }) {
  if (child.pid) kill(-child.pid);
  endStartedBy(id);
}

let commands = 0;
const running = new Set();
const endRunning = () => {
  for (const command of running) endAll(command);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    endRunning();
    process.exit(1);
  });
}

/**
 * Runs a command to its end. Resolves with null when it went well, else with the reason and its last output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, behind?: boolean }} [how] `env` is added to our own; `behind` lowers its priority
 * (behind.mjs)
 * @returns {Promise<string | null>}
 */
export function run(command, args, { env, behind = false } = {}) {
  return new Promise((settle) => {
    let printed = '';
    const id = `${process.pid}.${++commands}`;
    const child = spawn(command, args, {
      env: { ...process.env, ...env, ...startedAs(id) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const started = { child, id };
    running.add(started);
    if (child.pid && behind) putBehind(child.pid);
    const keep = (chunk) => (printed = (printed + chunk).slice(-MAX_OUTPUT_LENGTH));
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const timer = setTimeout(endRunning, Math.max(0, deadline - Date.now()));
    const end = (problem) => {
      clearTimeout(timer);
      running.delete(started);
      settle(problem === null ? null : `${problem}\n${printed.trim()}`);
    };
    child.once('error', (error) => end(error.message));
    // A process that the command has left running may hold the output open.
    child.once('exit', () => endAll(started));
    child.once('close', (code, signal) => {
      if (code === 0) end(null);
      else end(Date.now() >= deadline ? 'out of time' : `ended with ${signal ?? `exit code ${code}`}`);
    });
  });
}
