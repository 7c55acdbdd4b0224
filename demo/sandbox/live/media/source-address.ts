// How FFmpeg opens a source: its URL, options and format, and when the port of a pushed source is bound.
// - The format is given, so that FFmpeg opens no other format from that URL.
// - A pulled playlist may name http(s) addresses only, never files. Segments may have any name, because their bytes have already
//   been checked.
// - Listeners are on loopback.
// - FFmpeg does not report that a port is bound, so the system's list (proc(5)) is read every 20 ms; without such a
//   list a listener counts as bound after 250 ms without an error.
// - The list is read synchronously: the listener may occupy the only thread that reads files (UV_THREADPOOL_SIZE).
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { LiveInput } from './live-messages.ts';

export interface SourceAddress {
  /** The URL that FFmpeg opens. */
  readonly url: string;
  readonly format: 'hls' | 'flv' | 'mpegts';
  /** Name of the expected format in error messages. */
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
  /** Milliseconds without data after which the source counts as gone. */
  readonly silentMs: number;
  /** The address to push to, with an RTMP stream key but no other credentials; null for a pulled source. */
  readonly ingestUrl: string | null;
  /** The port of that address; null for a pulled source. */
  readonly listener: Listener | null;
}

const HOST = '127.0.0.1';
/** A pulled source arrives segment by segment, and a segment can last 10 s or more. */
const SILENT_MS = { pushed: 5000, pulled: 25_000 };

async function freeTcpPort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, HOST);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

/** Passphrase, key length and latency as FFmpeg's SRT takes them; `latency` is microseconds there. */
export const srtQuery = (srt: {
  readonly passphrase: string | null;
  readonly keyLength: number;
  readonly latencyMs: number;
}): Readonly<Record<string, string>> => ({
  latency: String(srt.latencyMs * 1000),
  ...(srt.passphrase !== null && { passphrase: srt.passphrase, pbkeylen: String(srt.keyLength) }),
});

/** The address of a source; for a pushed source with a port that is free now. */
export async function sourceAddress(source: LiveInput): Promise<SourceAddress> {
  if (source.kind === 'hls') {
    const options = {
      protocol_whitelist: 'http,https,tcp,tls,crypto',
      // FFmpeg would refuse a segment whose extension does not match its format.
      extension_picky: '0',
      // Playback starts at the live edge, so the picture is as new as the source allows.
      live_start_index: '-1',
      rw_timeout: '5000000',
    };
    return {
      url: source.url,
      format: 'hls',
      name: 'HLS stream',
      options,
      silentMs: SILENT_MS.pulled,
      ingestUrl: null,
      listener: null,
    };
  }
  const silentMs = SILENT_MS.pushed;
  const timeout = String(silentMs * 1000);
  if (source.kind === 'rtmp') {
    const port = await freeTcpPort();
    const url = `rtmp://${HOST}:${port}/live/${encodeURIComponent(source.streamKey)}`;
    // The time limit is for an open connection. The wait for a client has no limit.
    const options = { listen: '1', rw_timeout: timeout };
    const listener = { protocol: 'tcp', port } as const;
    return { url, format: 'flv', name: 'FLV stream', options, silentMs, ingestUrl: url, listener };
  }
  const port = await freeUdpPort();
  const url = `srt://${HOST}:${port}`;
  // This limit is also for an open connection. For the wait libsrt has another option.
  const options = { mode: 'listener', timeout, ...srtQuery(source) };
  const listener = { protocol: 'udp', port } as const;
  return { url, format: 'mpegts', name: 'MPEG-TS', options, silentMs, ingestUrl: url, listener };
}

const ROUND_MS = 20;
const UNKNOWN_MS = 250;
/** 127.0.0.1 as it is written in the list. */
const LOOPBACK = '0100007F';
/** The open files of this process. */
const FILES = '/proc/self/fd';

/** A port on 127.0.0.1. */
interface Listener {
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
}

/** Names of the sockets that listen on this port, of any process. */
function socketsAt({ protocol, port }: Listener): readonly string[] {
  const local = `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const list = readFileSync(`/proc/self/net/${protocol}`, 'utf8');
  const rows = list.split('\n').map((line) => line.trim().split(/\s+/));
  const ours = rows.filter(([, address, peer]) => address === local && peer?.endsWith(':0000'));
  return ours.map((row) => `socket:[${row[9]}]`);
}

/** The target of an open file of this process; empty when it was closed in the meantime. */
function nameOf(file: string): string {
  try {
    return readlinkSync(`${FILES}/${file}`);
  } catch {
    return '';
  }
}

/** @returns null when the system has no such list */
function isBound(listener: Listener): boolean | null {
  try {
    const sockets = socketsAt(listener);
    return sockets.length > 0 && readdirSync(FILES).some((file) => sockets.includes(nameOf(file)));
  } catch {
    return null;
  }
}

/** Resolves once a socket of this process is bound to the port, or when `signal` aborts. */
export async function untilBound(listener: Listener, signal: AbortSignal): Promise<void> {
  const late = performance.now() + UNKNOWN_MS;
  while (!signal.aborted && !(isBound(listener) ?? performance.now() > late)) await delay(ROUND_MS);
}
