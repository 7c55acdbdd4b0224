// One V3 session from session.ready to its end: the part that both modes share (document 3, States, Rules and Limits). It sends
// frames by `out` and knows no socket.
// - A text is checked in this order: too long, id used, over the rate, too many in flight.
// - The id of a text that was refused, or that failed with a retryable error, may be used again.
// - An accepted text is acknowledged at once. The mode decides how it is answered.
import type { Fault } from '../fault-table.ts';
import { ofText } from '../faults.ts';
import { RateWindow } from '../rate-window.ts';
import type { ResultFetchFrame, TextFrame } from './client-frames.ts';
import { ackFrame, errorFrame, type ServerFrame, type Usage } from './frames.ts';
import type { V3Deps } from './service.ts';
import { documented, type ServiceErrorCode } from './service-errors.ts';

const MINUTE = 60_000;

/** Sends one frame, or the text of a broken frame that a fault asks for. After the session's end it does nothing. */
export type SendFrame = (frame: ServerFrame | string) => void;

interface Refusal {
  readonly code: ServiceErrorCode;
  readonly message: string;
  /** Replaces the documented hint. */
  readonly retryAfterSeconds?: number | undefined;
}

/** A text that was accepted and acknowledged. */
export interface AcceptedText {
  readonly id: string;
  readonly data: string;
  /** Its number among the session's texts, from 1. */
  readonly ordinal: number;
  /** True when a fault asks for no answer. */
  readonly silent: boolean;
}

/** The error that a fault asks for; `rate_limited` never comes without a wait (document 3, Limits). */
function failureOf({ code, retry_after_seconds }: Extract<Fault, { fault: 'error' }>): Refusal {
  const retryAfterSeconds = retry_after_seconds ?? (code === 'rate_limited' ? 1 : undefined);
  return { code, message: 'asked for by a fault', retryAfterSeconds };
}

export abstract class V3Session {
  readonly id: string;
  protected readonly deps: V3Deps;
  protected readonly out: SendFrame;
  readonly #started: number;
  readonly #rate = new RateWindow(MINUTE);
  readonly #usedIds = new Set<string>();
  #inflight = 0;
  #texts = 0;
  #processed = 0;
  #videoSeconds = 0;

  constructor(deps: V3Deps, out: SendFrame) {
    this.id = deps.newSessionId();
    this.deps = deps;
    this.out = out;
    this.#started = deps.clock.now();
  }

  /** Fields of session.ready that only this mode has. */
  abstract get readyFields(): Readonly<Record<string, unknown>>;

  abstract fetch(frame: ResultFetchFrame): void;

  /** Handles session.end. */
  abstract end(): void;

  /** The session is closed: after `end`, or without a session.end. */
  abstract closed(): void;

  protected abstract accept(text: AcceptedText): void;

  text({ id, data }: TextFrame): void {
    const { clock, faults } = this.deps;
    const ordinal = ++this.#texts;
    const fault = faults.take('error', ofText(ordinal));
    const failure = fault && failureOf(fault);
    const refusal = failure && documented(failure.code).stage === 'core' ? failure : this.#refusal(id, data);
    if (refusal) {
      return this.out(errorFrame(refusal.code, id, refusal.message, refusal.retryAfterSeconds));
    }
    this.#usedIds.add(id);
    this.#inflight += 1;
    this.#rate.add(clock.now());
    const silence = faults.take('silence', ofText(ordinal))?.of;
    if (silence !== 'ack' && silence !== 'both') this.out(ackFrame(id, clock.now()));
    if (failure) return this.fail(id, failure);
    this.accept({ id, data, ordinal, silent: silence === 'result' || silence === 'both' });
  }

  /** What the session has used. The two counts come from its connection. */
  usage(errors: number, bytes: number): Usage {
    return {
      messages_processed: this.#processed,
      errors_encountered: errors,
      session_duration_sec: (this.deps.clock.now() - this.#started) / 1000,
      total_video_duration_sec: Math.round(this.#videoSeconds * 1000) / 1000,
      bytes_transferred: bytes,
    };
  }

  /** Counts the video of a text. */
  protected count(videoSeconds: number): void {
    this.#processed += 1;
    this.#videoSeconds += videoSeconds;
  }

  /** A text is no longer in flight. */
  protected leaveFlight(): void {
    this.#inflight -= 1;
  }

  protected fail(id: string, { code, message, retryAfterSeconds }: Refusal): void {
    this.leaveFlight();
    if (documented(code).retryable) this.#usedIds.delete(id);
    this.out(errorFrame(code, id, message, retryAfterSeconds));
  }

  /** Why this text is refused; null when it is accepted. */
  #refusal(id: string, data: string): Refusal | null {
    const { clock, limits } = this.deps;
    const { max_text_length, max_messages_per_minute, max_inflight } = limits();
    const bytes = Buffer.byteLength(data, 'utf8');
    if (bytes > max_text_length) {
      return { code: 'text_too_long', message: `${bytes} bytes, at most ${max_text_length}` };
    }
    if (this.#usedIds.has(id)) return { code: 'duplicate_id', message: 'this id was used before' };
    const retryAfterSeconds = this.#rate.retryAfter(clock.now(), max_messages_per_minute);
    if (retryAfterSeconds > 0) {
      const message = `more than ${max_messages_per_minute} texts in a minute`;
      return { code: 'rate_limited', message, retryAfterSeconds };
    }
    if (this.#inflight >= max_inflight) {
      return { code: 'backpressure', message: `more than ${max_inflight} texts in flight` };
    }
    return null;
  }
}
