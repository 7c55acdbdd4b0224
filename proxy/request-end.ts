// Calls back at the end of a request: its answer was sent, or its client has gone.
// - The response of a pipelined request has no event when the connection closes (seen in Node 20.20): so the connection itself
//   is watched.
import type { FastifyReply } from 'fastify';

/** `run` is called once. */
export function onRequestEnd({ raw, request }: FastifyReply, run: () => void): void {
  const { socket } = request.raw;
  const ended = (): void => {
    socket.off('close', ended);
    raw.off('close', ended);
    run();
  };
  socket.once('close', ended);
  raw.once('close', ended);
  if (socket.closed) ended();
}
