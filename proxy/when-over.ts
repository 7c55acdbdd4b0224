// Calls back when a request is over: its answer was taken, or its client has gone.
// - Node says nothing to the response of a request that was sent before the one before it was answered, when the connection
//   closes (seen in 20.20): the connection itself has to be asked.
import type { FastifyReply } from 'fastify';

/** `run` is called once. */
export function whenOver({ raw, request }: FastifyReply, run: () => void): void {
  const { socket } = request.raw;
  const over = (): void => {
    socket.off('close', over);
    raw.off('close', over);
    run();
  };
  socket.once('close', over);
  raw.once('close', over);
  if (socket.closed) over();
}
