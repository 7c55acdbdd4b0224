// Replaces `onIncoming` of Node's HTTP parser of a connection: the parser calls it with the head of each request, and its result
// says how the parser reads on. Node (20 to 24) has no public way to return that result.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

interface Parsed {
  readonly parser?: {
    onIncoming?: ((request: Incoming, keepsAlive: boolean) => number) | null;
  } | null;
}

interface Incoming extends IncomingMessage {
  /** Whether the request asks for another protocol, and its connection then belongs to that. */
  upgrade: boolean;
}

/** The bytes that follow belong to another protocol, and are not parsed. */
export const NOT_HTTP = 2;

/** Calls `answer` with each request of the connection; `toNode` passes it on to Node and returns Node's answer. */
export function answerParser(
  socket: Socket,
  answer: (request: Incoming, toNode: () => number) => number,
): void {
  const { parser } = socket as Parsed;
  const onIncoming = parser?.onIncoming;
  if (!parser || !onIncoming) return;
  parser.onIncoming = (request, keepsAlive) => answer(request, () => onIncoming(request, keepsAlive));
}
