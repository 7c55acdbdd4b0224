// Ends sessions that would stay for ever: a stream is made, and billed, as long as its session is open.
// - 10 minutes without a frame of the client for the service: the client gets `session_expired`, as from the service
//   after an hour (document 3, Limits), and opens a new session with its next text.
// - 8 hours after its start: 1012, and the client continues on a new session.
import type { Clock } from '../clock.ts';

const IDLE_MS = 600_000;
const LIFE_MS = 8 * 3_600_000;
const CHECK_EVERY_MS = 30_000;

interface SessionLimits {
  /** A frame went to the service. */
  used(): void;
  stop(): void;
}

/** Calls one of the two, once. */
export function sessionLimits(clock: Clock, onIdle: () => void, onOld: () => void): SessionLimits {
  const startedAt = clock.now();
  let usedAt = startedAt;
  const stop = clock.every(CHECK_EVERY_MS, () => {
    const now = clock.now();
    const over = now - usedAt >= IDLE_MS ? onIdle : now - startedAt >= LIFE_MS ? onOld : null;
    if (over === null) return;
    stop();
    over();
  });
  return {
    used() {
      usedAt = clock.now();
    },
    stop,
  };
}
