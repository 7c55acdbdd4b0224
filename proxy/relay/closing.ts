// Closes both sockets of a relay, within 5 s.
// - A client that goes on sending is terminated: until it answers our close frame, its frames are still parsed, which costs as
//   much time as to serve it.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';
import type { CloseReason } from './close-codes.ts';

/** The longest time that a closing may take; `ws` applies it to each socket too. */
export const CLOSE_MS = 5_000;
/** More than a well-behaved client has under way when it learns of the end. */
const MAX_LATE_BYTES = 256 * 1024;

interface RelaySockets {
  readonly client: WebSocket;
  readonly upstream: WebSocket;
  /** The stream under the client's socket. */
  readonly connection: Duplex;
  /** Resolves when both are closed. */
  readonly closed: Promise<void>;
}

/** The client learns of `reason`, the service does not. */
export function closeBoth(sockets: RelaySockets, { code, reason }: CloseReason, clock: Clock): void {
  const { client, upstream, connection, closed } = sockets;
  limitLateBytes(connection, () => client.terminate());
  // A paused socket does not receive the close frame of the other side.
  client.close(code, reason);
  if (client.isPaused) client.resume();
  if (upstream.readyState === upstream.CONNECTING) {
    upstream.terminate();
  } else {
    upstream.close(1000);
    // A socket whose handshake failed has no connection and cannot be resumed; only a connected one was paused.
    if (upstream.isPaused) upstream.resume();
  }
  const stopWaiting = clock.after(CLOSE_MS, () => {
    client.terminate();
    upstream.terminate();
  });
  void closed.then(stopWaiting);
}

/** Counts what `connection` reads from now on; `onTooMany` is called once. */
function limitLateBytes(connection: Duplex, onTooMany: () => void): void {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= MAX_LATE_BYTES) return;
    connection.off('data', count);
    onTooMany();
  };
  connection.on('data', count);
}
