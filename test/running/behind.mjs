// Lowers the priority of a process and of the processes that it starts, so that they use the time that other processes leave.
// - Linux weighs whole sessions of processes against each other first (autogroups), and priorities only within one of
//   them.
// - The priority of a process that leads a session is therefore lowered twice, as a process and as a session.
// - It is not the lowest priority: the tests of the process wait in real time too, and must get some time when the others
//   leave little. Its weight is a third of that of the others.
import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** In steps of `nice`: each step lowers the weight by a fifth. */
export const BEHIND = 5;

/** @param {number} pid of a process that leads a session */
export function putBehind(pid) {
  try {
    setPriority(pid, Math.max(BEHIND, getPriority()));
    writeFileSync(`/proc/${pid}/autogroup`, String(BEHIND));
  } catch {
    // The machine has no autogroups, or the process has ended.
  }
}
