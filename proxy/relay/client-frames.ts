// Checks the frames of a client one by one, in order (SEMANTICS, Proxy).
// - A frame must be text, within the rate of its address, and accepted by session-start.ts.
// - Before a session.start every other frame is answered with `session_not_started` and is not relayed: it would be
//   a first frame of another version (document 3, Versioning). Errors before a session have an empty `ref` (document 3, Errors).
// - A text over SIGN_MAX_TEXT_BYTES is answered with `text_too_long`.
// - A frame over the rate is not relayed: it is answered with `rate_limited` and the seconds to wait, and the session
//   goes on. The socket is closed with 1008 before a session.start, and when the address has had more of these answers
//   than it may send frames.
// - A shared rate takes time to ask: meanwhile the client is not read, and what was already read waits (at most one
//   read of its connection).
import type { Metrics } from '../metrics.ts';
import { type CloseReason, closeReasons, errorFrame } from './close-codes.ts';
import type { Message } from './message.ts';
import { hasLongText, idOf, inspectFrame } from './session-start.ts';

/**
 * The most messages that wait: more than the texts in one read of 64 kB, which have at least 46 bytes each with their frames. Each
 * message that waits takes 350 bytes more than its content, and one read may hold 11,000 empty messages.
 */
const MAX_WAITING = 2_048;

export interface ClientFrameDeps {
  /** The rate of the client's address: 0 when one more frame may pass, else the seconds to wait. */
  readonly rate: () => number | Promise<number>;
  /** The rate of `rate_limited` answers to this client: 0 when one more may be sent. */
  readonly refusals: () => number;
  readonly metrics: Pick<Metrics, 'limitHit'>;
  /** The longest text in bytes. */
  readonly maxTextBytes: number;
  /** The signers that a session may have, in lower case; any while there are none. */
  readonly signers: readonly string[];
  /** Receives each frame that may pass. */
  pass(message: Message, isStart: boolean): void;
  /** Sends a frame to the client. */
  reply(frame: string): void;
  end(closing: CloseReason): void;
  /** Called with true when reading of the client must pause, with false when it may go on. */
  hold(isHeld: boolean): void;
}

export class ClientFrames {
  readonly #deps: ClientFrameDeps;
  /** Frames for which the shared rate is asked, one after the other; null when there are none. */
  #waiting: Message[] | null = null;
  #hasStarted = false;
  #isStopped = false;

  constructor(deps: ClientFrameDeps) {
    this.#deps = deps;
  }

  receive(message: Message): void {
    if (this.#isStopped) return;
    if (message.isBinary) return this.#deps.end(closeReasons.binaryFrame);
    if (this.#waiting !== null) return this.#wait(this.#waiting, message);
    const seconds = this.#deps.rate();
    if (typeof seconds === 'number') return this.#check(message, seconds);
    this.#waiting = [message.kept()];
    this.#deps.hold(true);
    void this.#ask(this.#waiting, seconds);
  }

  /** Drops waiting frames; no more frames pass. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting = null;
  }

  #wait(waiting: Message[], message: Message): void {
    if (waiting.length < MAX_WAITING) return void waiting.push(message.kept());
    this.#deps.metrics.limitHit('messages_per_minute');
    this.#deps.end(closeReasons.rateLimited);
  }

  /** The client is read again once all `messages` are checked. */
  async #ask(messages: Message[], firstRate: Promise<number>): Promise<void> {
    try {
      await this.#checkInOrder(messages, firstRate);
    } catch {
      this.#deps.end(closeReasons.sessionFailed);
    }
    this.#waiting = null;
    if (!this.#isStopped) this.#deps.hold(false);
  }

  /** Checks `messages` in order, also those added meanwhile; `firstRate` is the rate of the first. */
  async #checkInOrder(messages: Message[], firstRate: Promise<number>): Promise<void> {
    let rate: number | Promise<number> = firstRate;
    for (let message = messages[0]; message !== undefined; message = messages[0]) {
      const seconds = await rate;
      if (this.#isStopped) return;
      this.#check(message, seconds);
      messages.shift();
      if (messages.length > 0) rate = this.#deps.rate();
    }
  }

  #check(message: Message, seconds: number): void {
    const deps = this.#deps;
    if (seconds > 0) return this.#refuse(message, Math.ceil(seconds));
    const inspected = inspectFrame(message, deps.signers);
    if (inspected.kind === 'refuse') {
      const text = inspected.reason ?? 'this proxy opens sessions of version 3.0 only';
      deps.reply(errorFrame('invalid_session_start', text));
      return deps.end(closeReasons.invalidStart);
    }
    const isStart = inspected.kind === 'start';
    this.#hasStarted ||= isStart;
    if (!this.#hasStarted) {
      const text = 'session.start of version 3.0 must be the first message';
      return deps.reply(errorFrame('session_not_started', text));
    }
    const passed = inspected.passed ?? message;
    if (!hasLongText(passed, deps.maxTextBytes)) return deps.pass(passed, isStart);
    const text = `a text must be at most ${deps.maxTextBytes} bytes`;
    deps.reply(errorFrame('text_too_long', text, { ref: idOf(message) }));
  }

  #refuse(message: Message, seconds: number): void {
    const deps = this.#deps;
    deps.metrics.limitHit('messages_per_minute');
    if (deps.refusals() > 0) return deps.end(closeReasons.rateLimited);
    deps.reply(
      errorFrame('rate_limited', 'this address sends more messages a minute than the proxy allows', {
        ref: this.#hasStarted ? idOf(message) : '',
        severity: this.#hasStarted ? 'warning' : 'session',
        retry_after_seconds: seconds,
      }),
    );
    if (!this.#hasStarted) deps.end(closeReasons.rateLimited);
  }
}
