// A WebSocket of the package `ws` without a network: it records what is done to it, and a test plays its peer.
import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';

export class FakeSocket extends EventEmitter {
  readonly CONNECTING = 0;
  readyState: number;
  bufferedAmount = 0;
  isPaused = false;
  pings = 0;
  readonly sent: string[] = [];
  closedWith: { code: number | undefined; reason: string | undefined } | null = null;
  isTerminated = false;
  private flushed: (() => void)[] = [];

  constructor(state: 'connecting' | 'open') {
    super();
    this.readyState = state === 'open' ? 1 : 0;
  }

  /** As the code under test sees it. */
  get asWebSocket(): WebSocket {
    return this as unknown as WebSocket;
  }

  send(data: Buffer | string, _options?: unknown, done?: () => void): void {
    this.sent.push(data.toString());
    this.bufferedAmount += data.length;
    if (done) this.flushed.push(done);
  }

  close(code?: number, reason?: string): void {
    this.closedWith ??= { code, reason };
  }

  terminate(): void {
    this.isTerminated = true;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  ping(): void {
    this.pings += 1;
  }

  /** The peer reads everything that waits for it. */
  drain(): void {
    this.bufferedAmount = 0;
    for (const done of this.flushed.splice(0)) done();
  }

  open(): void {
    this.readyState = 1;
    this.emit('open');
  }

  receive(text: string, isBinary = false): void {
    this.emit('message', Buffer.from(text), isBinary);
  }
}
