// Limits what a client sends once its relay has ended. Until it answers our close frame its frames are still parsed, and one that
// goes on sending would cost as much time as one that is served.
import type { Duplex } from 'node:stream';

/** More than was under way when an honest client could learn of the end. */
const MAX_LATE_BYTES = 256 * 1024;

/** Counts what `connection` reads from now on; `onTooMany` is called once. */
export function limitLateBytes(connection: Duplex, onTooMany: () => void): void {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= MAX_LATE_BYTES) return;
    connection.off('data', count);
    onTooMany();
  };
  connection.on('data', count);
}
