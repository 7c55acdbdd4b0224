// Finds and ends the processes that a command started, also those in process groups of their own, by a variable in their
// environment (Linux only). A process that has cleared its environment is not found.
import { readdirSync, readFileSync } from 'node:fs';

/** The variable that holds the ids of the commands which have started a process, each between slashes. */
const STARTED_BY = 'SIGN_TEST_STARTED_BY';
/** Between two searches a process may start others, and a killed one is found until it has exited. */
const MOST_LOOKS = 100;

/** The environment variable by which the processes of this id are found. */
export const startedAs = (id) => ({ [STARTED_BY]: `${process.env[STARTED_BY] ?? ''}/${id}/` });

function startedBy(id) {
  const isStarted = (pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`/${id}/`);
    } catch {
      return false;
    }
  };
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isStarted(name));
  } catch {
    return [];
  }
}

/** @param {number} pid of a process, or, below 0, of a process group; it may have exited */
export function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has exited.
  }
}

export function endStartedBy(id) {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const left = startedBy(id);
    if (left.length === 0) return;
    for (const pid of left) kill(Number(pid));
  }
}
