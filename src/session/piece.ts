// One piece of text that wants one video: as much as fits in a message. Policy: a piece is closed by the first answer
// to any of its wire ids, whichever try it answers, or by its owner; a closed piece is never sent again. Every resend
// has a fresh wire id, because the service answers `duplicate_id` to one it has seen (document 3, text). A session that
// is lost with a piece under way is no try of the piece; but a piece that takes session after session with it waits
// longer each time, so that the others get past it, and is given up with the eighth.
import type { SessionMode } from '../protocol/client-frames.ts';
import type { ResultFrame } from '../protocol/server-frames.ts';
import { errorFromFrame } from '../protocol/service-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';
import type { Clock } from './clock.ts';
import { backoffMs, MAX_LOSSES } from './retry-policy.ts';
import type { SignResult } from './session-events.ts';
import { byteLength } from './split-text.ts';
import { newWireId } from './wire-id.ts';

/** Who asked for the piece and hears what became of it: a call of sign(), or a renewal. */
export interface PieceOwner {
  readonly ref: string;
  /** Sees to it that what waits to be sent fits in this many bytes, or fails. */
  fit(maxBytes: number, sessionId: string): void;
  /** The service took the piece; told once a try. */
  accepted(piece: Piece): void;
  answered(piece: Piece, frame: ResultFrame): void;
  /** Stream mode: the piece is in the stream, where the service took it at this time by its own clock. */
  appended(piece: Piece, at: number | null): void;
  /** Gives the whole up for this reason. */
  fail(reason: unknown): void;
}

/** The error that the service would answer to a text that no cut makes short enough. */
export const tooLong = (maxBytes: number, sessionId: string): SignError => {
  const message = `the text, or what is left of it, does not fit in ${maxBytes} bytes`;
  return errorFromFrame({ type: 'error', code: 'text_too_long', message }, sessionId);
};

/** Which piece of which text it is. */
export interface PieceOf {
  readonly text: string;
  readonly index: number;
  readonly count: number;
}

export class Piece implements PieceOf {
  readonly owner: PieceOwner;
  readonly text: string;
  readonly index: number;
  readonly count: number;
  /** `taken`: sent and acknowledged. In stream mode it stays that until it has started. */
  state: 'waiting' | 'sent' | 'taken' | 'closed' = 'waiting';
  /** What the next frame asks: to sign the text, or for the result of what was sent as `wireId`. */
  asks: 'text' | 'fetch' = 'text';
  /** Of the latest try. */
  wireId: string;
  /** The wire id that the result came under; null as long as there is none. */
  answeredAs: string | null = null;
  /** That result was fetched once more, for its URL was of no use. */
  fetchedAgain = false;
  /** Times the text was sent and not merely refused for the sake of pace. */
  tries = 0;
  /** Times it was refused for the sake of pace. */
  refusals = 0;
  /** Sessions that were lost while it was under way. */
  losses = 0;
  /** The clock's time before which it is not sent. */
  notBefore = -Infinity;

  constructor(owner: PieceOwner, { text, index, count }: PieceOf, wireId = newWireId()) {
    this.owner = owner;
    this.text = text;
    this.index = index;
    this.count = count;
    this.wireId = wireId;
  }

  get open(): boolean {
    return this.state !== 'closed';
  }

  /** Sent, and nothing that ends its try has come. */
  get underWay(): boolean {
    return this.state === 'sent' || this.state === 'taken';
  }

  /** It waits to be sent, and this many bytes are not enough. */
  isTooLong(maxBytes: number): boolean {
    return this.state === 'waiting' && this.asks === 'text' && byteLength(this.text) > maxBytes;
  }

  /** Waits to send its text once more. */
  resend(notBefore: number): void {
    this.state = 'waiting';
    this.asks = 'text';
    this.wireId = newWireId();
    this.notBefore = notBefore;
  }

  /** Waits to ask for the result of what was sent. */
  fetch(notBefore: number): void {
    this.state = 'waiting';
    this.asks = 'fetch';
    this.notBefore = notBefore;
  }

  /**
   * The session is lost: what was acknowledged is asked for on the next one, what was not is sent again, and so is all
   * of stream mode, where nothing can be asked for (document 3, result.fetch). False when this was one loss too many.
   */
  lost(mode: SessionMode, clock: Clock, random: () => number): boolean {
    if (!this.underWay) return true;
    this.losses += 1;
    if (this.losses >= MAX_LOSSES) return false;
    const notBefore = this.losses > 1 ? clock.now() + backoffMs(this.losses - 2, random) : -Infinity;
    const fetches = mode === 'translate' && (this.asks === 'fetch' || this.state === 'taken');
    if (this.asks === 'text') this.tries -= 1;
    this[fetches ? 'fetch' : 'resend'](notBefore);
    return true;
  }

  /** Closed by this result, of whichever try. */
  answer(frame: ResultFrame): void {
    this.state = 'closed';
    this.answeredAs = frame.ref;
    this.owner.answered(this, frame);
  }

  toResult(frame: ResultFrame): SignResult {
    return {
      ref: this.owner.ref,
      text: this.text,
      url: frame.url,
      expiresAt: frame.url_expires_at ?? null,
      durationSeconds: frame.duration_seconds ?? null,
      pipelineMs: frame.pipeline_ms ?? null,
      piece: this.index,
      pieces: this.count,
    };
  }
}
