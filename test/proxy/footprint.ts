// CPU time, calls and memory of a process, as Linux counts them (proc_pid_stat(5)): the same measure for Node and for nginx.
import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

/** Ticks of the kernel's accounting a second. */
const TICKS = Number(spawnSync('getconf', ['CLK_TCK']).stdout.toString()) || 100;

/** User and system time of the process so far, in microseconds; exact to one tick, 10 ms. */
export function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name, in parentheses, may hold spaces; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS;
}

/** How often it has called read and write so far. Linux does not count recv and send, which nginx calls. */
export function readsAndWrites(pid: number): number {
  const io = readFileSync(`/proc/${pid}/io`, 'latin1');
  const [, reads = ''] = /^syscr: (\d+)/m.exec(io) ?? [];
  const [, writes = ''] = /^syscw: (\d+)/m.exec(io) ?? [];
  return Number(reads) + Number(writes);
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Number(kilobytes) * 1024;
}

/** The first child of a process: the worker of an nginx. */
export function childOf(pid: number): number {
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ');
  return Number(child);
}

/** How many files a process may have open; Node raises its own limit to that. */
export function mostOpenFiles(): number {
  const [, most = ''] =
    /^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
  return Number(most);
}
