// Calls back at the end of a request: its answer was taken, or its client has gone.
// - Node says nothing to the response of a request that was sent before the one before it was answered, when the connection
//   closes (seen in 20.20): the connection itself has to be asked.
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
