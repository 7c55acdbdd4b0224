// A client of the sandbox over a real WebSocket.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Frame } from './harness.ts';

export class V3Client {
  readonly socket: WebSocket;
  readonly #frames: Frame[] = [];
  #heard = 0;

  constructor(wsUrl: string, headers: Readonly<Record<string, string>> = {}) {
    this.socket = new WebSocket(`${wsUrl}/ws/`, { headers });
    this.socket.on('message', (data: Buffer) => this.#frames.push(JSON.parse(data.toString()) as Frame));
    this.socket.on('error', () => {});
  }

  async opened(): Promise<this> {
    await once(this.socket, 'open');
    return this;
  }

  send(message: object): this {
    this.socket.send(JSON.stringify(message));
    return this;
  }

  start(
    config: object = { digital_signer: 'RAE', resolution: '480p' },
    mode: 'translate' | 'stream' = 'translate',
  ): this {
    return this.send({ type: 'session.start', version: '3.0', mode, config });
  }

  /** The next frame, in order. */
  async next(): Promise<Frame> {
    while (this.#heard >= this.#frames.length) await once(this.socket, 'message');
    return this.#frames[this.#heard++]!;
  }

  /** The close code. */
  async closed(): Promise<number> {
    if (this.socket.readyState === WebSocket.CLOSED) throw new Error('closed already');
    return ((await once(this.socket, 'close')) as [number])[0];
  }
}
