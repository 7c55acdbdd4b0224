// One piece of text that wants one video: as much as fits in a message. Policy: a piece is closed by the first answer
// to any of its wire ids, whichever try it answers, or by its owner; a closed piece is never sent again. Every resend
// has a fresh wire id, because the service answers `duplicate_id` to one it has seen (document 3, text).
import type { ResultFrame } from '../protocol/server-frames.ts';
import type { SignResult } from './session-events.ts';
import { newWireId } from './wire-id.ts';

/** Who asked for the piece and hears what became of it: a call of sign(), or a renewal. */
export interface PieceOwner {
  readonly ref: string;
  /** The service took the piece; told once a try. */
  accepted(piece: Piece): void;
  answered(piece: Piece, frame: ResultFrame): void;
  /** Gives the whole up for this reason. */
  fail(reason: unknown): void;
}

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
  state: 'waiting' | 'sent' | 'closed' = 'waiting';
  /** What the next frame asks: to sign the text, or for the result of what was sent as `wireId`. */
  asks: 'text' | 'fetch' = 'text';
  /** Of the latest try. */
  wireId: string;
  /** The wire id that the result came under; null as long as there is none. */
  answeredAs: string | null = null;
  /** Times the text was sent and not merely refused for the sake of pace. */
  tries = 0;
  /** Times it was refused for the sake of pace. */
  refusals = 0;
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
