// One V3 session in translate mode, from session.ready to its end (document 3, States and Rules): which texts are
// accepted, and what is answered. Knows no socket: frames go out through `out`.
// Policy of a text, in this order: too long, id used, over the rate, too many in flight. A refused text leaves no trace,
// so it may come again under its id; so may one that failed with a retryable error. An accepted text is acknowledged at
// once and rendered to its end even when the session goes before it.
import type { ResultFetchFrame, TextFrame } from '../../../src/protocol/client-frames.ts';
import { serviceErrors, type ServiceErrorCode } from '../../../src/protocol/service-errors.ts';
import { EncodeError } from '../media/clip.ts';
import type { StoredClip } from '../media/clip-store.ts';
import type { Fault } from '../fault-table.ts';
import { ofText } from '../faults.ts';
import { RateWindow } from '../rate-window.ts';
import type { AppliedConfig } from './session-config.ts';
import {
  ackFrame,
  errorFrame,
  progressFrame,
  type ResultFrame,
  type ServerFrame,
  type Usage,
} from './frames.ts';
import type { V3Service } from './service.ts';

/** Sends one frame, or text that is meant to be none; after the session's end it does nothing. */
export type SendFrame = (frame: ServerFrame | string) => void;

interface Refusal {
  readonly code: ServiceErrorCode;
  readonly message: string;
  /** In place of the documented hint. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The error that a fault asks for; `rate_limited` never comes without a wait (document 3, Limits). */
function failureOf({ code, retry_after_seconds }: Extract<Fault, { fault: 'error' }>): Refusal {
  const retryAfterSeconds = retry_after_seconds ?? (code === 'rate_limited' ? 1 : undefined);
  return { code, message: 'asked for by a fault', retryAfterSeconds };
}

export class V3Session {
  readonly id: string;
  readonly #service: V3Service;
  readonly #config: AppliedConfig;
  readonly #debug: boolean;
  readonly #out: SendFrame;
  readonly #started: number;
  readonly #rate = new RateWindow();
  readonly #usedIds = new Set<string>();
  #inflight = 0;
  #texts = 0;
  #processed = 0;
  #videoSeconds = 0;

  constructor(service: V3Service, config: AppliedConfig, debug: boolean, out: SendFrame) {
    this.id = service.around.newSessionId();
    this.#service = service;
    this.#config = config;
    this.#debug = debug;
    this.#out = out;
    this.#started = service.around.clock.now();
  }

  text({ id, data }: TextFrame): void {
    const { clock, faults } = this.#service.around;
    const ordinal = ++this.#texts;
    const fault = faults.take('error', ofText(ordinal));
    const failure = fault && failureOf(fault);
    const refusal =
      failure && serviceErrors[failure.code].stage === 'core' ? failure : this.#refusal(id, data);
    if (refusal) {
      return this.#out(errorFrame(refusal.code, id, refusal.message, refusal.retryAfterSeconds));
    }
    this.#usedIds.add(id);
    this.#inflight += 1;
    this.#rate.add(clock.now());
    const silence = faults.take('silence', ofText(ordinal))?.of;
    if (silence !== 'ack' && silence !== 'both') this.#out(ackFrame(id, clock.now()));
    if (failure) return this.#fail(id, failure);
    void this.#answer(id, data, ordinal, silence === 'result' || silence === 'both');
  }

  fetch({ id }: ResultFetchFrame): void {
    const result = this.#service.fetch(id);
    this.#out(result ? { ...result } : errorFrame('result_expired', id, 'no result is kept for this id'));
  }

  /** What the session used; the two counts are its connection's. */
  usage(errors: number, bytes: number): Usage {
    return {
      messages_processed: this.#processed,
      errors_encountered: errors,
      session_duration_sec: (this.#service.around.clock.now() - this.#started) / 1000,
      total_video_duration_sec: Math.round(this.#videoSeconds * 1000) / 1000,
      bytes_transferred: bytes,
    };
  }

  /** Why this text is not accepted, null when it is. */
  #refusal(id: string, data: string): Refusal | null {
    const { clock, limits } = this.#service.around;
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

  async #answer(id: string, data: string, ordinal: number, silent: boolean): Promise<void> {
    const { clock, faults, clips } = this.#service.around;
    const { digital_signer: signer, resolution } = this.#config;
    const started = performance.now();
    let clip: StoredClip;
    try {
      clip = await clips.clipOf({ text: data, signer, resolution }, (stage, durationMs) => {
        if (this.#debug) this.#out(progressFrame(id, stage, durationMs));
      });
    } catch (error) {
      if (error instanceof EncodeError) {
        return this.#fail(id, { code: 'encode_failed', message: error.message });
      }
      console.error(error);
      return this.#fail(id, { code: 'internal_error', message: 'the sandbox failed' });
    }
    const deliver = (): void => {
      const result = this.#service.issue(id, clip, started);
      if (!silent) this.#deliver(result, ordinal);
    };
    const late = faults.take('latency', ofText(ordinal));
    if (late) clock.after(late.ms, deliver);
    else deliver();
  }

  #deliver(result: ResultFrame, ordinal: number): void {
    const { faults } = this.#service.around;
    this.#inflight -= 1;
    this.#processed += 1;
    this.#videoSeconds += result.duration_seconds;
    if (faults.take('unknown_frame', ofText(ordinal)))
      this.#out({ type: 'sandbox.unknown', ref: result.ref });
    const broken = faults.take('malformed_frame', ofText(ordinal));
    if (!broken) this.#out({ ...result });
    else if (broken.shape === 'wrong_fields') this.#out({ ...result, url: 7, duration_seconds: 'long' });
    else this.#out(JSON.stringify(result).slice(0, -9));
  }

  #fail(id: string, { code, message, retryAfterSeconds }: Refusal): void {
    this.#inflight -= 1;
    if (serviceErrors[code].retryable) this.#usedIds.delete(id);
    this.#out(errorFrame(code, id, message, retryAfterSeconds));
  }
}
