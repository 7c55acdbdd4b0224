// The queue of frames for one side of a relay (RFC 6455, 5.2): batches writes and reports backpressure.
// - frames sent in one turn of the event loop leave in one write, because a system call costs more than everything else
//   that is done to a frame. A batch of 16 kB is written at once.
// - to a client, batches of 16 kB and more are written without a copy. To the service each frame is masked with
//   unpredictable numbers (10.3).
// - `ws` reads, pings and closes the same connection. It writes each of its frames whole and at once (compression is
//   off), so that frames written here may stand between them.
import { randomFillSync } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { WebSocket } from 'ws';

const BATCH_BYTES = 16 * 1024;
const FIN = 0x80;
const [TEXT, BINARY] = [1, 2];
const MASKED = 0x80;
const MASK_BYTES = 4;

export class SendQueue {
  private readonly socket: Pick<WebSocket, 'readyState' | 'OPEN'>;
  private readonly connection: Writable;
  private readonly isClient: boolean;
  private readonly batch: Buffer[] = [];
  private batchBytes = 0;
  private isBinary = false;

  /** `connection` is the stream under `socket`; `isClient` when this side opened the WebSocket. */
  constructor(socket: Pick<WebSocket, 'readyState' | 'OPEN'>, connection: Writable, isClient: boolean) {
    this.socket = socket;
    this.connection = connection;
    this.isClient = isClient;
  }

  /** Bytes that are not sent yet. Over 64 kB, the connection emits `drain` once they are. */
  get bufferedAmount(): number {
    return this.batchBytes + this.connection.writableLength;
  }

  /** Sends one message. `data` must not change before the next turn of the event loop. */
  send(data: Buffer, isBinary: boolean): void {
    if (isBinary !== this.isBinary) this.flush();
    this.isBinary = isBinary;
    if (this.batch.push(data) === 1) process.nextTick(flush, this);
    this.batchBytes += headBytes(data.length, this.isClient) + data.length;
    if (this.batchBytes >= BATCH_BYTES) this.flush();
  }

  /** Writes the batch, unless the socket is closing: no frame may follow a close frame. */
  flush(): void {
    if (this.batch.length > 0 && this.socket.readyState === this.socket.OPEN) {
      if (this.isClient || this.batchBytes < BATCH_BYTES) this.connection.write(this.joined());
      else this.writeEach();
    }
    this.batch.length = 0;
    this.batchBytes = 0;
  }

  private joined(): Buffer {
    const frames = Buffer.allocUnsafe(this.batchBytes);
    let at = 0;
    for (const data of this.batch) {
      at = writeHead(frames, at, data.length, this.isBinary, this.isClient);
      if (this.isClient) at = writeMasked(frames, at, data);
      else at += data.copy(frames, at);
    }
    return frames;
  }

  private writeEach(): void {
    this.connection.cork();
    for (const data of this.batch) {
      const head = Buffer.allocUnsafe(headBytes(data.length, false));
      writeHead(head, 0, data.length, this.isBinary, false);
      this.connection.write(head);
      this.connection.write(data);
    }
    this.connection.uncork();
  }
}

const flush = (queue: SendQueue): void => queue.flush();

function headBytes(length: number, isMasked: boolean): number {
  return (length < 126 ? 2 : length < 65_536 ? 4 : 10) + (isMasked ? MASK_BYTES : 0);
}

/** Writes the head of an unfragmented frame, without the mask; returns where it ends. */
function writeHead(into: Buffer, at: number, length: number, isBinary: boolean, isMasked: boolean): number {
  const mask = isMasked ? MASKED : 0;
  into[at] = FIN | (isBinary ? BINARY : TEXT);
  if (length < 126) {
    into[at + 1] = mask | length;
    return at + 2;
  }
  if (length < 65_536) {
    into[at + 1] = mask | 126;
    return into.writeUInt16BE(length, at + 2);
  }
  into[at + 1] = mask | 127;
  into.writeUInt32BE(0, at + 2);
  return into.writeUInt32BE(length, at + 6);
}

/** Random bytes for masks, 8 kB at a time: four bytes cost as much. */
const random = Buffer.alloc(8 * 1024);
let used = random.length;

/** Writes a new mask and the masked `data`; returns where it ends. */
function writeMasked(into: Buffer, at: number, data: Buffer): number {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const start = at + random.copy(into, at, used, used + MASK_BYTES);
  used += MASK_BYTES;
  const { length } = data;
  for (let index = 0; index < length; index += 1) {
    into[start + index] = (data[index] ?? 0) ^ (into[at + (index & 3)] ?? 0);
  }
  return start + length;
}
