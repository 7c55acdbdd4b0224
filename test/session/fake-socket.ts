// A socket whose peer is the test: it records the frames of the session and delivers the frames of the test.
import type { ClientFrame } from '../../src/protocol/client-frames.ts';
import type { SocketLike } from '../../src/session/transports/v3-socket.ts';

type Listener = Parameters<SocketLike['addEventListener']>[1];

export class FakeSocket implements SocketLike {
  readonly url: string;
  readonly sent: ClientFrame[] = [];
  closed = false;
  /** WebSocket.CONNECTING, OPEN, CLOSED. */
  readyState = 0;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(url: string) {
    this.url = url;
  }

  get listeners(): number {
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Texts and fetches, in the order sent. */
  get asked(): { type: string; id: string; data?: string }[] {
    return this.sent.flatMap((frame) =>
      frame.type === 'text' || frame.type === 'result.fetch' ? [frame] : [],
    );
  }

  /** The latest text or fetch. */
  get last(): { type: string; id: string; data?: string } {
    const last = this.asked.at(-1);
    if (!last) throw new Error('nothing was asked on this socket');
    return last;
  }

  send(data: string): void {
    this.sent.push(JSON.parse(data) as ClientFrame);
  }

  /** The peer answers the closing handshake at once. */
  close(): void {
    this.drop(1000);
  }

  addEventListener(type: string, listener: Listener): void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener);
  }

  open(): void {
    this.readyState = 1;
    this.#emit({ type: 'open' });
  }

  /** The upgrade was refused, as a page gets to see it. */
  refuse(): void {
    this.#emit({ type: 'error' });
    this.drop(1006);
  }

  /** The connection ends from the other side. */
  drop(code = 1006, reason = ''): void {
    if (this.closed) return;
    this.closed = true;
    this.readyState = 3;
    this.#emit({ type: 'close', code, reason });
  }

  /** A frame from the service. */
  say(frame: object): void {
    this.sayRaw(JSON.stringify(frame));
  }

  sayRaw(data: unknown): void {
    this.#emit({ type: 'message', data });
  }

  ready(
    limits: Partial<Record<'max_text_length' | 'max_messages_per_minute' | 'max_inflight', number>> = {},
  ): void {
    this.say({
      type: 'session.ready',
      session_id: 'session-1',
      config_applied: { digital_signer: 'rae', language: 'BSL', output_format: 'mp4', resolution: '720p' },
      limits: { max_text_length: 5000, max_messages_per_minute: 60, max_inflight: 3, ...limits },
    });
  }

  ack(ref = this.last.id): void {
    this.say({ type: 'text.ack', ref, timestamp: '2026-01-01T00:00:00Z' });
  }

  result(ref = this.last.id, seconds = 2): void {
    this.say({
      type: 'result',
      ref,
      url: `https://media.example/${ref}.mp4`,
      url_expires_at: '2026-01-01T00:05:00Z',
      duration_seconds: seconds,
      pipeline_ms: { gloss: 1, render: 2, encode: 3, total: 6 },
    });
  }

  error(code: string, fields: object = {}, ref = this.last.id): void {
    this.say({ type: 'error', ref, code, message: `the service says ${code}`, ...fields });
  }

  #emit(event: Parameters<Listener>[0]): void {
    for (const listener of [...(this.#listeners.get(event.type) ?? [])]) listener(event);
  }
}
