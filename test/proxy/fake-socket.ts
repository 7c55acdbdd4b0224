// A WebSocket of the package `ws` without a network, and the connection under it: it records the calls and the
// written frames, and a test acts as its peer.
import { EventEmitter } from 'node:events';
import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { framesIn, type RawFrame } from './raw-frames.ts';

/** Takes what is written only when the test says that the peer reads. */
class FakeConnection extends Duplex {
  /** The writes that the peer has read, in order. */
  readonly writes: Buffer[] = [];
  private taken: (() => void) | null = null;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.writes.push(chunk);
    this.taken = done;
  }

  get frames(): readonly RawFrame[] {
    return framesIn(Buffer.concat(this.writes));
  }

  override _read(): void {
    // The test sends the peer's frames on the socket.
  }

  drain(): void {
    for (let done = this.taken; done !== null; done = this.taken) {
      this.taken = null;
      done();
    }
  }
}

const CLOSING = 2;

export class FakeSocket extends EventEmitter {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly connection = new FakeConnection();
  readyState: number;
  isPaused = false;
  pings = 0;
  private hasOpened: boolean;
  closedWith: { code: number | undefined; reason: string | undefined } | null = null;
  isTerminated = false;

  constructor(state: 'connecting' | 'open') {
    super();
    this.readyState = state === 'open' ? 1 : 0;
    this.hasOpened = state === 'open';
  }

  /** The socket with the type that the code under test takes. */
  get asWebSocket(): WebSocket {
    return this as unknown as WebSocket;
  }

  /** The messages that have reached the connection. */
  get sent(): readonly string[] {
    return this.connection.frames.map(({ payload }) => payload.toString());
  }

  close(code?: number, reason?: string): void {
    this.closedWith ??= { code, reason };
    this.readyState = CLOSING;
  }

  terminate(): void {
    this.isTerminated = true;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    // `ws` reads its connection, and throws when there never was one.
    if (this.readyState === CLOSING && !this.hasOpened) throw new TypeError('the socket has no connection');
    this.isPaused = false;
  }

  ping(): void {
    this.pings += 1;
  }

  /** The peer reads all written bytes. */
  drain(): void {
    this.connection.drain();
  }

  open(): void {
    this.emit('upgrade', { socket: this.connection });
    this.readyState = 1;
    this.hasOpened = true;
    this.emit('open');
  }

  /** The answer to the upgrade was no WebSocket: `ws` ends the connection, and reports an error after that. */
  breakOff(): void {
    this.emit('upgrade', { socket: this.connection });
    this.readyState = CLOSING;
  }

  receive(text: string, isBinary = false): void {
    this.emit('message', Buffer.from(text), isBinary);
  }
}

/** Resolves after this turn of the event loop, when its writes have been sent. */
export const turn = (): Promise<void> => new Promise((over) => setImmediate(over));
