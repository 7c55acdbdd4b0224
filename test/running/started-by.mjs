// Finds and ends what a process started, also in process groups of their own: a variable in the environment names who started it
// (Linux only). What has cleared its environment is not found.
import { readdirSync, readFileSync } from 'node:fs';

/** The variable that holds the ids of the commands that a process was started by, each between slashes. */
const STARTED_BY = 'SIGN_TEST_STARTED_BY';
/** Between two looks a process may start others; a killed one is seen until it has gone. */
const MOST_LOOKS = 100;

/** The variables of a process that is found by this id. */
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

/** @param {number} pid of a process, or less than 0 of a group of them; it may have gone */
export function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has gone.
  }
}

export function endStartedBy(id) {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const left = startedBy(id);
    if (left.length === 0) return;
    for (const pid of left) kill(Number(pid));
  }
}
