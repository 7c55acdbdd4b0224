// A minimal V3 client: it sends the given frames and keeps every received frame in order.
// - Each wait ends after four minutes.
// - A frame that is no JSON object with a `type` rejects the wait for it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket, type RawData } from 'ws';
import { LONGEST_WAIT_MS } from './until.ts';

export interface Frame {
  readonly type: string;
  readonly [field: string]: unknown;
}

function frameOf(data: RawData, isBinary: boolean): Frame {
  assert.ok(!isBinary, 'a server frame is a text frame');
  const frame: unknown = JSON.parse((data as Buffer).toString('utf8'));
  assert.ok(typeof frame === 'object' && frame !== null && !Array.isArray(frame), 'a frame is a JSON object');
  assert.equal(typeof (frame as { type?: unknown }).type, 'string', 'a frame has a `type`');
  return frame as Frame;
}

/** A `session.start` in translate mode of the smallest picture, changed by what is given. */
export const sessionStart = (config: object = {}, change: object = {}): Frame => ({
  type: 'session.start',
  version: '3.0',
  mode: 'translate',
  config: { digital_signer: 'RAE', resolution: '480p', ...config },
  ...change,
});

export class Socket {
  readonly #socket: WebSocket;
  readonly #came: (() => Frame)[] = [];
  #heard = 0;
  #wake = (): void => {};

  private constructor(url: string) {
    this.#socket = new WebSocket(url);
    this.#socket.on('message', (data, isBinary) => {
      this.#came.push(() => frameOf(data, isBinary));
      this.#wake();
    });
    this.#socket.on('close', () => this.#wake());
  }

  #somethingCame(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no frame came in four minutes')), LONGEST_WAIT_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Rejects when the upgrade is refused. */
  static async open(url: string): Promise<Socket> {
    const socket = new Socket(url);
    await once(socket.#socket, 'open', { signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
    socket.#socket.on('error', () => {});
    return socket;
  }

  /** Sends a message as JSON, or a raw frame. */
  send(message: object | string): this {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    return this;
  }

  text(id: string, data: string): this {
    return this.send({ type: 'text', id, data });
  }

  /** The next frame, in order of arrival. */
  async next(): Promise<Frame> {
    while (this.#heard >= this.#came.length) {
      assert.equal(this.#socket.readyState, WebSocket.OPEN, 'the socket closed before a frame came');
      await this.#somethingCame();
    }
    return this.#came[this.#heard++]!();
  }

  /** The next frame, which must have this type. */
  async nextOf(type: string): Promise<Frame> {
    const frame = await this.next();
    assert.equal(frame.type, type, `${type} was to come, not ${JSON.stringify(frame)}`);
    return frame;
  }

  /** The next `count` frames of this type; frames of other types in between are ignored, except an error. */
  async gather(type: string, count: number): Promise<Frame[]> {
    const found: Frame[] = [];
    while (found.length < count) {
      const frame = await this.next();
      if (frame.type === type) found.push(frame);
      else assert.notEqual(frame.type, 'error', JSON.stringify(frame));
    }
    return found;
  }

  /** Starts a session and gives its `session.ready`. */
  start(config: object = {}, change: object = {}): Promise<Frame> {
    return this.send(sessionStart(config, change)).nextOf('session.ready');
  }

  /** Signs a text and returns its result; other frames of the text are ignored. */
  async sign(id: string, data: string): Promise<Frame> {
    const [result] = await this.text(id, data).gather('result', 1);
    return result!;
  }

  /** True when every received frame was read. */
  get isQuiet(): boolean {
    return this.#heard === this.#came.length;
  }

  /** Settles when the service has closed the socket. */
  async closed(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    await once(this.#socket, 'close', { signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
  }

  /** Drops the connection without a closing handshake. */
  break(): void {
    this.#socket.terminate();
  }
}
