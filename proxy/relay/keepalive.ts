// Control frames of a socket: pings that detect a dead peer, and a limit for what a client sends.
// - A ping every 30 s, which also keeps connections through intermediaries with a time-out over 60 s open (document 3, Endpoints,
//   rule 5). When the third ping is due and two are unanswered, the peer counts as gone. A paused socket is pinged, but never
//   counts as gone, because its pong may be unread.
// - A client may send 120 pings and pongs a minute besides the pongs to our pings: far more than browsers send. One
//   that sends more is terminated, because a closing handshake would continue to read its frames.
import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';
import { TokenBucket } from '../limits/client-rate.ts';

const PING_EVERY_MS = 30_000;
const MAX_UNANSWERED = 2;

/** Starts pinging; `onSilent` is called once. Returns the function that stops it. */
export function heartbeat(
  socket: Pick<WebSocket, 'ping' | 'on' | 'off' | 'isPaused'>,
  clock: Clock,
  onSilent: () => void,
): () => void {
  let unanswered = 0;
  const onPong = (): void => {
    unanswered = 0;
  };
  socket.on('pong', onPong);
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
    socket.off('pong', onPong);
  };
  return stop;
}

const CONTROL_FRAMES_PER_MINUTE = 120 + 60_000 / PING_EVERY_MS;

/** Counts the control frames of `socket`; `onTooMany` is called once. */
export function limitControlFrames(
  socket: Pick<WebSocket, 'on' | 'off'>,
  clock: Clock,
  onTooMany: () => void,
): void {
  const bucket = new TokenBucket(CONTROL_FRAMES_PER_MINUTE, clock);
  const count = (): void => {
    if (bucket.take() === 0) return;
    socket.off('ping', count);
    socket.off('pong', count);
    onTooMany();
  };
  socket.on('ping', count);
  socket.on('pong', count);
}
