// When the listener that FFmpeg opens for a pushed source is bound: it says so to nobody, it only fails when it cannot. Policy:
// the system is asked every 20 ms whether a socket of this process has the port; where it keeps no such list (Linux's is
// described in proc(5)), a listener that has not failed within 250 ms counts as bound.
import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const ROUND_MS = 20;
const UNKNOWN_MS = 250;
/** 127.0.0.1 as the list has it. */
const LOOPBACK = '0100007F';

/** A port on 127.0.0.1. */
export interface Listener {
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
}

/** Names of the sockets that wait at this port, whoever they belong to. */
async function socketsAt({ protocol, port }: Listener): Promise<readonly string[]> {
  const local = `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const list = await readFile(`/proc/self/net/${protocol}`, 'utf8');
  const rows = list.split('\n').map((line) => line.trim().split(/\s+/));
  const ours = rows.filter(([, address, peer]) => address === local && peer?.endsWith(':0000'));
  return ours.map((row) => `socket:[${row[9]}]`);
}

/** Names of what this process has open. */
async function openFiles(): Promise<readonly string[]> {
  const folder = '/proc/self/fd';
  const names = await readdir(folder);
  // One may be closed in the meantime.
  return Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
}

/** @returns null when the system does not tell */
async function isBound(listener: Listener): Promise<boolean | null> {
  try {
    const sockets = await socketsAt(listener);
    return sockets.length > 0 && (await openFiles()).some((file) => sockets.includes(file));
  } catch {
    return null;
  }
}

/** Resolves once a socket of this process has the port, or when `signal` aborts. */
export async function untilBound(listener: Listener, signal: AbortSignal): Promise<void> {
  const late = performance.now() + UNKNOWN_MS;
  while (!signal.aborted && !((await isBound(listener)) ?? performance.now() > late)) await delay(ROUND_MS);
}
