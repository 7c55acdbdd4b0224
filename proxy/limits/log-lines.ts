// Limits the lines of the log that are about requests, so that a flood of requests does not fill a disk.
// - A client has as many lines a minute as requests (SIGN_REQUESTS_PER_MINUTE), all clients together 60,000.
// - Lines that are left out are counted, and their number is written before the next line.
import type { Clock } from '../clock.ts';
import { clientRate, TokenBucket } from './client-rate.ts';

const LINES_PER_MINUTE = 60_000;

interface LogLines {
  /** Calls `write` when the client of this key has a line left; before that, `onMissed` with the number of lines left out. */
  write(client: string, write: () => void): void;
}

export function logLines(perMinute: number, clock: Clock, onMissed: (lines: number) => void): LogLines {
  const ofClient = clientRate(perMinute, clock);
  const ofAll = new TokenBucket(LINES_PER_MINUTE, clock);
  let missed = 0;
  return {
    write(client, write) {
      if (ofClient(client) > 0 || ofAll.take() > 0) {
        missed += 1;
        return;
      }
      if (missed > 0) onMissed(missed);
      missed = 0;
      write();
    },
  };
}
