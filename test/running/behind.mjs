// Lowers the priority of a process and of what it starts: it has the time that the others leave.
// - Linux weighs whole sessions of processes against each other first (autogroups), and priorities only within one of
//   them.
// - Who leads a session of its own is therefore put behind twice, as a process and as a session.
// - It is not put last, for its tests wait in real time too and are not to starve where the others leave little: a
//   third of the weight of each of those.
import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** As `nice` counts: each step is a weight lower by a fifth. */
export const BEHIND = 5;

/** @param {number} pid of a process that leads a session */
export function putBehind(pid) {
  try {
    setPriority(pid, Math.max(BEHIND, getPriority()));
    writeFileSync(`/proc/${pid}/autogroup`, String(BEHIND));
  } catch {
    // The machine does not weigh sessions, or the process has gone.
  }
}
