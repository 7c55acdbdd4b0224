// Log lines for a pipe whose reader may stop reading: what waits for it is bounded.
// - While 256 kB wait, further lines are dropped and counted. When the waiting ones were read, a line says how many were dropped.
//   The metrics have the number at any time, also when the reader never reads again.
// - A line that cannot be written (closed pipe, full disk) is lost.
import type { Writable } from 'node:stream';

const MOST_WAITING_BYTES = 256 * 1024;
/** The level of a warning, as pino numbers them. */
const WARN = 40;

export interface LogPipe {
  write(line: string): void;
}

interface CountingLogPipe extends LogPipe {
  /** How many lines were dropped in all. */
  readonly droppedInAll: number;
}

export function logPipe(stream: Pick<Writable, 'write' | 'writableLength' | 'on'>): CountingLogPipe {
  let dropped = 0;
  let droppedInAll = 0;
  const tell = (): void => {
    if (dropped === 0) return;
    const msg = 'log lines dropped: nobody read them';
    const line = JSON.stringify({ level: WARN, time: Date.now(), lines: dropped, msg });
    dropped = 0;
    stream.write(`${line}\n`);
  };
  stream.on('drain', tell);
  return {
    write(line) {
      if (stream.writableLength >= MOST_WAITING_BYTES) {
        dropped += 1;
        droppedInAll += 1;
        return;
      }
      tell();
      stream.write(line);
    },
    get droppedInAll() {
      return droppedInAll;
    },
  };
}

let ofProcess: CountingLogPipe | null = null;
/** One for the process, whatever the number of servers. */
export const standardError = (): LogPipe => (ofProcess ??= logPipe(process.stderr));

/** How many log lines of the process were dropped; 0 while nothing logs. */
export const linesDropped = (): number => ofProcess?.droppedInAll ?? 0;
