// How many control frames a page may send. Policy: each ping is answered and each pong is read, so a socket has 120 a
// minute beyond the pongs that our own pings ask for: far more than any browser sends of itself. A page that sends more
// is cut off, since a closing handshake would have its frames read on.
import type { WebSocket } from 'ws';
import { TokenBucket } from '../limits/client-rate.ts';
import type { Clock } from '../clock.ts';
import { PING_EVERY_MS } from './heartbeat.ts';

const PER_MINUTE = 120 + 60_000 / PING_EVERY_MS;

/** Counts what comes in on `socket`; `onTooMany` is called once. */
export function limitControlFrames(
  socket: Pick<WebSocket, 'on' | 'off'>,
  clock: Clock,
  onTooMany: () => void,
): void {
  const bucket = new TokenBucket(PER_MINUTE, clock);
  const count = (): void => {
    if (bucket.take() === 0) return;
    socket.off('ping', count);
    socket.off('pong', count);
    onTooMany();
  };
  socket.on('ping', count);
  socket.on('pong', count);
}
