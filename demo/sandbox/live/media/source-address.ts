// How FFmpeg is told where a source is: its URL, its options and its format. Policy: the format is told, so that nothing
// else is opened under the name; a pulled playlist may lead to http(s) only, never to a file, and there to segments of any
// name, because it is by their bytes that a source was admitted; listeners are on loopback.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { LiveInput } from './media-order.ts';
import type { Listener } from './source-listening.ts';

export interface SourceAddress {
  /** What FFmpeg opens. */
  readonly url: string;
  readonly format: 'hls' | 'flv' | 'mpegts';
  /** What it is called when it turns out to be something else. */
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
  /** Milliseconds without anything after which the source counts as gone. */
  readonly silentMs: number;
  /** Where the stream is to be pushed to, without credentials but an RTMP stream key; null for a pulled one. */
  readonly ingestUrl: string | null;
  /** Where that is; null for a pulled one. */
  readonly listener: Listener | null;
}

const HOST = '127.0.0.1';
/** A pulled source comes a segment at a time, and a segment lasts 10 s or more. */
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

/** The address of a source; of a pushed one at a port that is free now. */
export async function sourceAddress(source: LiveInput): Promise<SourceAddress> {
  if (source.kind === 'hls') {
    const options = {
      protocol_whitelist: 'http,https,tcp,tls,crypto',
      // FFmpeg would take no segment whose name does not end as its format's do.
      extension_picky: '0',
      // From the live edge: the picture is as new as the source allows.
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
  const patience = String(silentMs * 1000);
  if (source.kind === 'rtmp') {
    const port = await freeTcpPort();
    const url = `rtmp://${HOST}:${port}/live/${encodeURIComponent(source.streamKey)}`;
    // Only of a connection: how long nobody connects is not bounded.
    const options = { listen: '1', rw_timeout: patience };
    const listener = { protocol: 'tcp', port } as const;
    return { url, format: 'flv', name: 'FLV stream', options, silentMs, ingestUrl: url, listener };
  }
  const port = await freeUdpPort();
  const url = `srt://${HOST}:${port}`;
  // Of a connection as well: libsrt has an option of its own for it.
  const options = { mode: 'listener', timeout: patience, ...srtQuery(source) };
  const listener = { protocol: 'udp', port } as const;
  return { url, format: 'mpegts', name: 'MPEG-TS', options, silentMs, ingestUrl: url, listener };
}
