// The client's end of a socket to the service of fuzz-service.ts.
// - It counts the frames of the client that wait for an answer. The client gives a frame up after 10 s without text.ack, or when
//   60 s have passed since the text.ack without a result.
import type { SocketLike } from '../../src/session/transports/v3-socket.ts';
import type { ManualClock } from './manual-clock.ts';

type Listener = Parameters<SocketLike['addEventListener']>[1];

const ACK_MS = 10_000;
const RESULT_MS = 60_000;
/** How long the service keeps a result. */
export const RESULT_LIFE_MS = 300_000;

/** The faults of a socket. */
export interface SocketFaults {
  readonly opens: 'ready' | 'unreachable' | 'closed' | 'mute' | 'error';
  readonly lag: number;
  readonly limits: {
    readonly max_text_length: number;
    readonly max_messages_per_minute: number;
    readonly max_inflight: number;
  };
}

export type Frame = Readonly<Record<string, unknown>> & { readonly type: string };

/** What a socket asks of the service at its other end, and records there. */
export interface ServiceOfSocket {
  readonly clock: ManualClock;
  readonly sockets: FuzzSocket[];
  readonly sent: { readonly socket: FuzzSocket | null; readonly data: string }[];
  readonly kept: Map<string, number>;
  readonly polled: ReadonlySet<string>;
  readonly renewed: ReadonlySet<string>;
  readonly texts: readonly { readonly id: string; readonly data: string }[];
  pausedUntil: number;
  closedUntil: number;
  reachable(): boolean;
  faultsOf(socket: number): SocketFaults;
  breaks(rule: string): void;
  receive(socket: FuzzSocket, frame: Frame): void;
}

export class FuzzSocket implements SocketLike {
  readonly faults: SocketFaults;
  mode: 'translate' | 'stream' = 'translate';
  readyState = 0;
  /** Texts that the service has accepted and not yet answered. */
  rendering = 0;
  frozen = false;
  /** It has sent `session.ready`. */
  isReady = false;
  /** The client got the `close` event. */
  #isCloseReported = false;
  readonly #service: ServiceOfSocket;
  readonly #listeners = new Set<{ type: string; listener: Listener }>();
  /** Until when each frame that the client sent counts as unanswered. */
  readonly #unanswered = new Map<string, number>();
  readonly #texts = new Map<string, string>();
  #upAt = 0;
  #downAt = 0;

  constructor(service: ServiceOfSocket) {
    this.#service = service;
    this.faults = service.faultsOf(service.sockets.length);
    service.sockets.push(this);
    if (service.clock.now() < service.closedUntil)
      service.breaks('a session before the time the service asked for');
    const { opens } = this.faults;
    this.#down(() => {
      if (this.readyState > 0) return;
      if (opens === 'unreachable' || !service.reachable()) return this.drop(1006);
      this.readyState = 1;
      this.#emit({ type: 'open' });
      if (opens === 'closed') this.drop(1011);
    });
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.add({ type, listener });
  }

  removeEventListener(type: string, listener: Listener): void {
    for (const each of this.#listeners) {
      if (each.type === type && each.listener === listener) this.#listeners.delete(each);
    }
  }

  send(data: string): void {
    const frame = JSON.parse(data) as Frame;
    if (this.readyState !== 1) this.#service.breaks('a frame on a socket that is not open');
    const { clock } = this.#service;
    if (frame.type === 'text') this.#sends(String(frame['data']));
    if (frame.type === 'text' || frame.type === 'result.fetch') this.#asked(String(frame['id']));
    if (frame.type === 'text') this.#texts.set(String(frame['id']), String(frame['data']));
    // The fetch may fail, and then the text may be sent anew.
    if (frame.type === 'result.fetch') this.#forget(String(frame['id']));
    this.#upAt = Math.max(this.#upAt, clock.now() + this.faults.lag);
    clock.setTimeout(() => {
      if (this.readyState === 1 && !this.frozen) this.#service.receive(this, frame);
    }, this.#upAt - clock.now());
  }

  #sends(data: string): void {
    const { sent, polled, renewed } = this.#service;
    if (polled.has(data) && !renewed.has(data)) this.#service.breaks('sent over V3 while REST polls its job');
    sent.push({ socket: this, data });
  }

  #forget(id: string): void {
    const data = this.#service.texts.find((each) => each.id === id)?.data;
    if (data !== undefined) this.#service.kept.delete(data);
  }

  #asked(id: string): void {
    const now = this.#service.clock.now();
    if (now < this.#service.pausedUntil)
      this.#service.breaks('a message before the time the service asked for');
    this.#unanswered.delete(id);
    const unanswered = [...this.#unanswered.values()].filter((until) => until > now).length;
    const most = this.mode === 'stream' ? 1 : this.faults.limits.max_inflight;
    if (unanswered >= most) this.#service.breaks(`${unanswered + 1} messages unanswered, at most ${most}`);
    this.#unanswered.set(id, now + ACK_MS);
  }

  close(): void {
    if (this.#isCloseReported) return;
    this.readyState = Math.max(this.readyState, 2);
    this.#down(() => this.#closed(1000));
  }

  /** The service closes the socket after the frames that it has sent. */
  hangUp(): void {
    this.#down(() => this.drop(1000));
  }

  drop(code: number): void {
    if (this.readyState < 2) this.#closed(code);
  }

  freeze(): void {
    this.frozen = true;
  }

  /** The platform closes the socket without an event. */
  vanish(): void {
    if (this.readyState < 2) this.readyState = 3;
  }

  /** The service sends this frame, which arrives after the lag. */
  say(frame: Frame): void {
    this.#down(() => {
      if (this.readyState !== 1 || this.frozen) return;
      this.#heard(frame);
      this.#emit({ type: 'message', data: JSON.stringify(frame) });
    });
  }

  #heard({ type, ref, code, severity, retry_after_seconds: hint }: Frame): void {
    const service = this.#service;
    const now = service.clock.now();
    const until = this.#unanswered.get(String(ref)) ?? now;
    if (type === 'text.ack' && until > now) this.#unanswered.set(String(ref), now + RESULT_MS);
    const isAnswer = type === 'result' || type === 'error' || (type === 'text.ack' && this.mode === 'stream');
    if (isAnswer) this.#unanswered.delete(String(ref));
    const data = this.#texts.get(String(ref));
    if (data !== undefined && this.mode === 'translate') {
      if (type === 'text.ack' && until > now) service.kept.set(data, now + RESULT_LIFE_MS);
      if (isAnswer) service.kept.delete(data);
    }
    if (type === 'session.ready') this.isReady = true;
    if (typeof hint !== 'number') return;
    // An error before session.ready can only concern the session.
    const reach =
      severity ?? (code === 'gloss_unavailable' || code === 'session_expired' ? 'session' : 'message');
    const endsSession = !this.isReady || reach === 'session';
    if (endsSession) service.closedUntil = now + hint * 1000;
    else if (code === 'rate_limited' || code === 'backpressure') {
      service.pausedUntil = Math.max(service.pausedUntil, now + hint * 1000);
    }
  }

  #down(run: () => void): void {
    const { clock } = this.#service;
    this.#downAt = Math.max(this.#downAt, clock.now() + this.faults.lag);
    clock.setTimeout(run, this.#downAt - clock.now());
  }

  #closed(code: number): void {
    if (this.#isCloseReported) return;
    this.#isCloseReported = true;
    this.readyState = 3;
    this.#emit({ type: 'close', code, reason: '' });
  }

  #emit(event: Parameters<Listener>[0]): void {
    for (const each of [...this.#listeners]) if (each.type === event.type) each.listener(event);
  }
}
