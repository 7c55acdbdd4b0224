// Tells whether a socket of `ws` (8.23) has read a part of a message, by three private fields of its receiver: `ws` has no public
// way to ask.
import type { WebSocket } from 'ws';

interface Receiver {
  /** Takes what the connection has read; false when it wants no more for now. */
  write(chunk: Buffer): boolean;
  /** 0 while no part of a frame was read. */
  readonly _state: number;
  readonly _bufferedBytes: number;
  /** The opcode of a message of which a part has come; else 0. */
  readonly _fragmented: number;
}

/** Undefined before the socket is open, and where a version of `ws` has no such field. */
export function receiverOf(socket: object): Receiver | undefined {
  const { _receiver: receiver } = socket as Partial<WebSocket> & { readonly _receiver?: Receiver };
  return receiver;
}

/** True when a part of a frame or of a message has come, and its rest has not. */
export const isInMessage = (receiver: Receiver): boolean =>
  receiver._state !== 0 || receiver._bufferedBytes > 0 || receiver._fragmented !== 0;
