// Reads the plain frames of a socket before `ws` does, because the stream and the parser of `ws` take most of a message's CPU
// time.
// - A plain frame is a whole text message (RFC 6455, 5.2) of fewer than 64 kB, of which all bytes came in one read.
// - Everything else (fragments, control frames, frames that are split between reads, and wrong frames, for which `ws` closes the
//   socket with the right code) goes to `ws` as it came, and so does what follows it in the same read.
// - `ws` has no public way for that (receiver.ts). Where its receiver is not found, it reads everything itself.
import { isUtf8 } from 'node:buffer';
import type { WebSocket } from 'ws';
import { applyMask } from './mask.ts';
import { type Frame, Message } from './message.ts';
import { plainResult, plainText } from './plain-frames.ts';
import { isInMessage, receiverOf } from './receiver.ts';

const FIN_TEXT = 0x81;
const MASKED = 0x80;
const MASK_BYTES = 4;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

/** The payload of the newest frame of a client, without its mask. */
const unmasked = Buffer.allocUnsafe(64 * 1024);

/** `isMasked` for the frames of a client. `onText` gets each plain message; `ws` emits the other ones as usual. */
export function readPlainFrames(
  socket: WebSocket,
  isMasked: boolean,
  onText: (message: Message) => void,
): void {
  const receiver = receiverOf(socket);
  if (receiver === undefined) return;
  const write = receiver.write.bind(receiver);
  receiver.write = (chunk) => {
    if (isInMessage(receiver)) return write(chunk);
    let at = 0;
    for (;;) {
      const message = plainFrame(chunk, at, isMasked);
      if (message === null) break;
      at = message.frame?.end ?? at;
      onText(message);
    }
    if (at === chunk.length) return true;
    return write(at === 0 ? chunk : chunk.subarray(at));
  };
}

/** The message of the plain frame that begins at `from`; null when there is none. */
function plainFrame(read: Buffer, from: number, isMasked: boolean): Message | null {
  if (from + 1 >= read.length || read[from] !== FIN_TEXT) return null;
  let length = (read[from + 1] ?? 0) ^ (isMasked ? MASKED : 0);
  let start = from + 2;
  if (length >= TWO_BYTES) {
    if (length >= EIGHT_BYTES || start + 2 > read.length) return null;
    length = read.readUInt16BE(start);
    // A frame that is sent on must have the shortest head (5.2).
    if (length < TWO_BYTES) return null;
    start += 2;
  }
  if (isMasked) start += MASK_BYTES;
  const end = start + length;
  if (end > read.length) return null;
  const frame = { read, from, start, end };
  return isMasked ? messageOfClient(frame, length) : messageOfService(frame);
}

/** Null when it is no UTF-8, for which `ws` closes the socket. */
function messageOfClient(frame: Frame, length: number): Message | null {
  const { read, start, end } = frame;
  const bits = applyMask(read, start, end, read.readInt32LE(start - MASK_BYTES), unmasked, 0);
  const isAscii = bits < 0x80;
  if (!isAscii && !isUtf8(unmasked.subarray(0, length))) return null;
  return new Message(unmasked, 0, length, isAscii, false, frame, plainText(unmasked, 0, length));
}

/** Null when it is no UTF-8. */
function messageOfService(frame: Frame): Message | null {
  const { read, start, end } = frame;
  const result = plainResult(read, start, end);
  const isAscii = result !== null || bitsOf(read, start, end) < 0x80;
  if (!isAscii && !isUtf8(read.subarray(start, end))) return null;
  return new Message(read, start, end, isAscii, false, frame, null, result);
}

/** All bits that are set in any of the bytes. */
function bitsOf(data: Buffer, start: number, end: number): number {
  let bits = 0;
  for (let at = start; at < end; at += 1) bits |= data[at] ?? 0;
  return bits;
}
