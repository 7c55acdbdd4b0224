// When the listener that FFmpeg opens for a pushed source is bound: it says so to nobody, it only fails when it cannot. Policy:
// the system is asked every 20 ms whether a socket of this process has the port; where it keeps no such list (Linux's is
// described in proc(5)), a listener that has not failed within 250 ms counts as bound. It is asked on this thread: the listener
// itself waits on one of those on which files are read otherwise, which may be the only one (UV_THREADPOOL_SIZE).
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const ROUND_MS = 20;
const UNKNOWN_MS = 250;
/** 127.0.0.1 as the list has it. */
const LOOPBACK = '0100007F';
/** What this process has open. */
const FILES = '/proc/self/fd';

/** A port on 127.0.0.1. */
export interface Listener {
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
}

/** Names of the sockets that wait at this port, whoever they belong to. */
function socketsAt({ protocol, port }: Listener): readonly string[] {
  const local = `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const list = readFileSync(`/proc/self/net/${protocol}`, 'utf8');
  const rows = list.split('\n').map((line) => line.trim().split(/\s+/));
  const ours = rows.filter(([, address, peer]) => address === local && peer?.endsWith(':0000'));
  return ours.map((row) => `socket:[${row[9]}]`);
}

/** What an open file of this process is; empty when it has been closed in the meantime. */
function nameOf(file: string): string {
  try {
    return readlinkSync(`${FILES}/${file}`);
  } catch {
    return '';
  }
}

/** @returns null when the system does not tell */
function isBound(listener: Listener): boolean | null {
  try {
    const sockets = socketsAt(listener);
    return sockets.length > 0 && readdirSync(FILES).some((file) => sockets.includes(nameOf(file)));
  } catch {
    return null;
  }
}

/** Resolves once a socket of this process has the port, or when `signal` aborts. */
export async function untilBound(listener: Listener, signal: AbortSignal): Promise<void> {
  const late = performance.now() + UNKNOWN_MS;
  while (!signal.aborted && !(isBound(listener) ?? performance.now() > late)) await delay(ROUND_MS);
}
