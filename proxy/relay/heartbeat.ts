// Notices a peer that is gone without saying so (a phone in a tunnel, a NAT that forgot). Policy: a protocol ping every
// 30 s, which also keeps intermediaries with a time-out over 60 s open (document 3, Endpoints, rule 5); when two of them
// are unanswered at the time of the third, the peer counts as gone. One that we do not read just now is pinged all the
// same and not judged: its answer may lie there unread.
import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';

export const PING_EVERY_MS = 30_000;
const MAX_UNANSWERED = 2;

/** Starts pinging; `onSilent` is called once. What it returns stops it. */
export function heartbeat(
  socket: Pick<WebSocket, 'ping' | 'on' | 'off' | 'isPaused'>,
  clock: Clock,
  onSilent: () => void,
): () => void {
  let unanswered = 0;
  const answered = (): void => {
    unanswered = 0;
  };
  socket.on('pong', answered);
  const stopPinging = clock.every(PING_EVERY_MS, () => {
    if (socket.isPaused) return socket.ping();
    if (unanswered >= MAX_UNANSWERED) {
      stop();
      onSilent();
      return;
    }
    unanswered += 1;
    socket.ping();
  });
  const stop = (): void => {
    stopPinging();
    socket.off('pong', answered);
  };
  return stop;
}
