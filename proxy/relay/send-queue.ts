// The queue of messages for one side of a relay (RFC 6455, 5.2): batches writes and reports backpressure.
// - What is sent in one turn of the event loop leaves in one write, because a system call costs more than everything else
//   that is done to a message. A batch of 16 kB is written at once.
// - A message that came in a frame of its own leaves in that frame, without a copy. Each frame to the service gets a new
//   mask, because a client that knows the mask chooses the bytes on the wire (10.3).
// - `ws` reads, pings and closes the same connection. It writes each of its frames whole and at once (compression is
//   off), so that frames written here may stand between them.
import type { Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import { applyMask, newMask } from './mask.ts';
import type { Frame, Message } from './message.ts';

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
  /** The newest frames of the batch that follow each other in one read: its bytes from `runFrom` to `runTo`. */
  private run: Buffer | null = null;
  private runFrom = 0;
  private runTo = 0;

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

  /** Sends one message; its frame belongs to the queue from now on. */
  send(message: Message): void {
    if (this.batchBytes === 0) process.nextTick(flush, this);
    if (message.frame === null) this.add(frameOf(message, this.isClient));
    else this.addFrame(message.frame);
    if (this.batchBytes >= BATCH_BYTES) this.flush();
  }

  /** Writes the batch, unless the socket is closing: no frame may follow a close frame. */
  flush(): void {
    if (this.batchBytes === 0) return;
    const bytes = this.takeBatch();
    this.batchBytes = 0;
    if (this.socket.readyState === this.socket.OPEN) this.connection.write(bytes);
  }

  /** A run alone does not go through the list, because to empty a list takes longer than all else here. */
  private takeBatch(): Buffer {
    const run = this.takeRun();
    if (run !== null && this.batch.length === 0) return run;
    if (run !== null) this.batch.push(run);
    const [first] = this.batch;
    const bytes = first !== undefined && this.batch.length === 1 ? first : Buffer.concat(this.batch);
    this.batch.length = 0;
    return bytes;
  }

  private add(frame: Buffer): void {
    const run = this.takeRun();
    if (run !== null) this.batch.push(run);
    this.batch.push(frame);
    this.batchBytes += frame.length;
  }

  private addFrame({ read, from, start, end }: Frame): void {
    if (this.isClient) renewMask(read, start, end);
    if (this.run !== read || this.runTo !== from) {
      const run = this.takeRun();
      if (run !== null) this.batch.push(run);
      this.run = read;
      this.runFrom = from;
    }
    this.runTo = end;
    this.batchBytes += end - from;
  }

  private takeRun(): Buffer | null {
    const { run } = this;
    if (run === null) return null;
    this.run = null;
    const isWhole = this.runFrom === 0 && this.runTo === run.length;
    return isWhole ? run : part(run, this.runFrom, this.runTo);
  }
}

const flush = (queue: SendQueue): void => queue.flush();

/** A copy when it is small, so that a frame that waits does not keep a whole read in memory. */
function part(read: Buffer, from: number, to: number): Buffer {
  const bytes = read.subarray(from, to);
  return 2 * bytes.length < read.length ? Buffer.from(bytes) : bytes;
}

function renewMask(read: Buffer, start: number, end: number): void {
  const mask = newMask();
  const old = read.readInt32LE(start - MASK_BYTES);
  read.writeInt32LE(mask, start - MASK_BYTES);
  applyMask(read, start, end, old ^ mask, read, start);
}

/** An unfragmented frame of the message. */
function frameOf({ data, from, to, isBinary }: Message, isMasked: boolean): Buffer {
  const length = to - from;
  const headBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const start = headBytes + (isMasked ? MASK_BYTES : 0);
  const frame = Buffer.allocUnsafe(start + length);
  const masked = isMasked ? MASKED : 0;
  frame[0] = FIN | (isBinary ? BINARY : TEXT);
  if (headBytes === 2) {
    frame[1] = masked | length;
  } else if (headBytes === 4) {
    frame[1] = masked | 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = masked | 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  data.copy(frame, start, from, to);
  if (isMasked) {
    const mask = newMask();
    frame.writeInt32LE(mask, headBytes);
    applyMask(frame, start, frame.length, mask, frame, start);
  }
  return frame;
}
