// Ends sessions that would stay open for ever: a stream is made, and billed, as long as its session is open.
// - A stream of a site over a cap ends at the next check, because its page may send nothing for 10 minutes.
// - 10 minutes without a frame of the client for the service, seen at the next check: the client gets `session_expired`, as from
//   the service after an hour (document 3, Limits), and opens a new session with its next text.
// - 8 hours after its start: 1012, and the client continues on a new session.
// - A message of the client that is not whole after 20 s (seen at the next check): 1012 too, because it holds up to 64 kB. The
//   time in which we do not read the client does not count.
import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';
import { isInMessage, receiverOf } from './receiver.ts';

const IDLE_MS = 600_000;
const LIFE_MS = 8 * 3_600_000;
const MESSAGE_MS = 20_000;
const CHECK_EVERY_MS = 10_000;

interface SessionLimits {
  /** A frame went to the service. */
  used(): void;
  /** A message of the client is whole. */
  received(): void;
  stop(): void;
}

interface SessionEnds {
  /** Whether it is a stream of a site that is over a cap. */
  isOverCap(): boolean;
  onOverCap(): void;
  onIdle(): void;
  onOld(): void;
  onUnfinished(): void;
}

/** Calls one of `ends`, once. */
export function sessionLimits(
  clock: Clock,
  client: Pick<WebSocket, 'isPaused'>,
  ends: SessionEnds,
): SessionLimits {
  const startedAt = clock.now();
  let usedAt = startedAt;
  /** Whether a frame went to the service since the last check: the clock is not read for each frame. */
  let wasUsed = false;
  /** When a check first saw the message that is on its way. */
  let unfinishedAt: number | null = null;

  const isUnfinished = (): boolean => {
    const receiver = receiverOf(client);
    return !client.isPaused && receiver !== undefined && isInMessage(receiver);
  };
  const overdue = (now: number): (() => void) | null => {
    if (wasUsed) usedAt = now;
    wasUsed = false;
    if (ends.isOverCap()) return ends.onOverCap;
    if (now - usedAt >= IDLE_MS) return ends.onIdle;
    if (now - startedAt >= LIFE_MS) return ends.onOld;
    if (!isUnfinished()) unfinishedAt = null;
    else if (unfinishedAt === null) unfinishedAt = now;
    else if (now - unfinishedAt >= MESSAGE_MS) return ends.onUnfinished;
    return null;
  };
  const stop = clock.every(CHECK_EVERY_MS, () => {
    const over = overdue(clock.now());
    if (over === null) return;
    stop();
    over();
  });
  return {
    used() {
      wasUsed = true;
    },
    received() {
      unfinishedAt = null;
    },
    stop,
  };
}
