// Reads the plain frames of a socket before `ws` does, because the stream and the parser of `ws` take most of a message's CPU time.
// - A plain frame is a whole text message (RFC 6455, 5.2) of fewer than 64 kB, of which all bytes came in one read.
// - Everything else goes to `ws`, and so does what follows it in the same read: fragments, control frames, frames that are split
//   between reads, and wrong frames, for which `ws` closes the socket with the right code.
// - The payload is unmasked in place, as `ws` does it.
// - `ws` has no public way for that (receiver.ts). Where its receiver is not found, it reads everything itself.
import { isUtf8 } from 'node:buffer';
import type { WebSocket } from 'ws';
import { isInMessage, receiverOf } from './receiver.ts';

const FIN_TEXT = 0x81;
const MASKED = 0x80;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

/** `isMasked` for the frames of a client. `onText` gets each message; what `ws` reads it emits as before. */
export function readPlainFrames(socket: WebSocket, isMasked: boolean, onText: (data: Buffer) => void): void {
  const receiver = receiverOf(socket);
  if (receiver === undefined) return;
  const mask = isMasked ? MASKED : 0;
  const { OPEN } = socket;

  /** Reads plain frames; returns where the first other one begins. */
  const read = (chunk: Buffer): number => {
    let at = 0;
    while (socket.readyState === OPEN && at + 1 < chunk.length && chunk[at] === FIN_TEXT) {
      const second = chunk[at + 1] ?? 0;
      let length = second ^ mask;
      let start = at + 2;
      if (length >= TWO_BYTES) {
        if (length >= EIGHT_BYTES || start + 2 > chunk.length) break;
        length = chunk.readUInt16BE(start);
        start += 2;
      }
      if (isMasked) start += 4;
      const end = start + length;
      if (end > chunk.length) break;
      if (isMasked) unmask(chunk, start, end);
      const data = chunk.subarray(start, end);
      if (!isUtf8(data)) {
        if (isMasked) unmask(chunk, start, end);
        break;
      }
      at = end;
      onText(data);
    }
    return at;
  };

  const write = receiver.write.bind(receiver);
  receiver.write = (chunk) => {
    if (isInMessage(receiver)) return write(chunk);
    const at = read(chunk);
    if (at === chunk.length) return true;
    return write(at === 0 ? chunk : chunk.subarray(at));
  };
}

/** Applies the mask in front of `start`, or takes it away again. */
function unmask(chunk: Buffer, start: number, end: number): void {
  const [first = 0, second = 0, third = 0, fourth = 0] = [
    chunk[start - 4],
    chunk[start - 3],
    chunk[start - 2],
    chunk[start - 1],
  ];
  if ((first | second | third | fourth) === 0) return;
  let at = start;
  for (; at + 3 < end; at += 4) {
    chunk[at] = (chunk[at] ?? 0) ^ first;
    chunk[at + 1] = (chunk[at + 1] ?? 0) ^ second;
    chunk[at + 2] = (chunk[at + 2] ?? 0) ^ third;
    chunk[at + 3] = (chunk[at + 3] ?? 0) ^ fourth;
  }
  for (let n = 0; at < end; at += 1, n += 1) chunk[at] = (chunk[at] ?? 0) ^ (chunk[start - 4 + n] ?? 0);
}
