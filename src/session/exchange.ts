// Sends pieces over the session that is open and reads what comes back. Policy: at most max_inflight unanswered frames,
// at the pace of send-pace.ts; answers come in any order and belong to a piece by their `ref` (document 3, rule 3);
// what an error means is retry-policy.ts. Silence: the result is asked for if the text was acknowledged; anything but a
// result, and a text never acknowledged, is sent again; three tries, then `no_answer`. When nothing else was heard
// meanwhile either, the socket is dead, whatever it says of itself: the session is lost, and the next one is asked.
// Stream mode: text.ack is the answer and frees the slot; one text at a time, because texts are signed as they arrive.
import type { ClientFrame, SessionMode } from '../protocol/client-frames.ts';
import type {
  AckFrame,
  ErrorFrame,
  Limits,
  ParsedFrame,
  ProgressFrame,
  ResultFrame,
} from '../protocol/server-frames.ts';
import { errorFromFrame } from '../protocol/service-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { ownError } from '../protocol/sign-error.ts';
import type { Clock } from './clock.ts';
import { type Flight, InFlight } from './in-flight.ts';
import type { Piece } from './piece.ts';
import { decide, MAX_TRIES } from './retry-policy.ts';
import { SendPace } from './send-pace.ts';
import type { Emit } from './session-events.ts';

/** The session that is open. */
export interface Line {
  readonly sessionId: string;
  readonly limits: Limits;
  send(frame: ClientFrame): void;
  /** Anything at all came from the service after this time of the clock. */
  heardSince(time: number): boolean;
}

export interface ExchangeOptions {
  readonly mode: SessionMode;
  readonly clock: Clock;
  readonly random: () => number;
  readonly emit: Emit;
  /** An error ended the session. */
  readonly lose: (error: SignError) => void;
  /** Something was answered or given up, so another piece may be next. */
  readonly moved: () => void;
}

export class Exchange {
  readonly inFlight: InFlight;
  /** Null while no session is open. */
  line: Line | null = null;
  readonly #options: ExchangeOptions;
  readonly #pace: SendPace;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#pace = new SendPace(options.clock);
    this.inFlight = new InFlight(options.clock, (flight) => this.#silent(flight));
  }

  /** The session is gone or going, and with it every answer. */
  detach(): void {
    this.line = null;
    this.inFlight.clear();
  }

  /** The socket is gone, and with it every frame that was on its way. */
  hungUp(): void {
    this.#pace.hungUp();
  }

  /** Milliseconds until a piece may be sent; Infinity while nothing but an answer or a session makes room. */
  wait(): number {
    if (!this.line) return Infinity;
    const slots = this.#options.mode === 'stream' ? 1 : this.line.limits.max_inflight;
    if (this.inFlight.unanswered >= slots) return Infinity;
    return this.#pace.wait(this.line.limits.max_messages_per_minute);
  }

  send(piece: Piece): void {
    const { asks, wireId: id } = piece;
    piece.state = 'sent';
    if (asks === 'text') piece.tries += 1;
    this.inFlight.sent(piece, this.#pace.sent());
    this.line?.send(asks === 'text' ? { type: 'text', id, data: piece.text } : { type: 'result.fetch', id });
  }

  heard(frame: AckFrame | ResultFrame | ProgressFrame | ErrorFrame): void {
    if (!this.line) return this.#heardLate(frame);
    if (frame.type === 'error') return this.#refused(frame, this.line.sessionId);
    const flight = this.inFlight.get(frame.ref);
    if (!flight) return;
    const { piece } = flight;
    this.#pace.arrived(flight.departure);
    switch (frame.type) {
      case 'text.ack':
        this.#acknowledged(flight, frame);
        break;
      case 'text.progress':
        if (piece.open) this.#progress(piece, frame);
        break;
      case 'result':
        this.inFlight.answered(flight);
        if (piece.open) piece.answer(frame);
        this.#options.moved();
    }
  }

  /** An answer that cannot be read fails the piece it names; of any other frame the answer may still come. */
  malformed({ type, ref, problem }: Extract<ParsedFrame, { kind: 'malformed' }>): void {
    const requestId = this.line?.sessionId ?? null;
    const error = ownError('protocol_error', `${type ?? 'frame'}: ${problem}`, { requestId });
    const isAnswer = type === 'result' || type === 'error';
    const flight = isAnswer && ref !== null ? this.inFlight.get(ref) : undefined;
    if (!flight?.piece.open) return this.#options.emit('sign-error', { error: error.asWarning() });
    this.inFlight.answered(flight);
    this.#fail(flight.piece, error);
    this.#options.moved();
  }

  /** A session on its way out has nothing to say of texts any more, but the pace it asks for is the account's. */
  #heardLate(frame: AckFrame | ResultFrame | ProgressFrame | ErrorFrame): void {
    if (frame.type !== 'error') return;
    const verdict = decide(errorFromFrame(frame, null), { tries: 0, refusals: 0 }, this.#options.random);
    if (verdict.kind === 'pace') this.#pace.pause(verdict.delayMs);
  }

  #acknowledged(flight: Flight, { timestamp }: AckFrame): void {
    const { piece, wireId } = flight;
    this.inFlight.acknowledged(flight);
    const isTaken = piece.state === 'sent' && flight.asks === 'text' && piece.wireId === wireId;
    if (isTaken) piece.state = 'taken';
    if (piece.open) piece.owner.accepted(piece);
    if (this.#options.mode === 'translate') return;
    this.inFlight.answered(flight);
    const at = Date.parse(timestamp ?? '');
    if (isTaken && piece.open) piece.owner.appended(piece, Number.isNaN(at) ? null : at);
    this.#options.moved();
  }

  #progress(piece: Piece, { stage, status, duration_ms }: ProgressFrame): void {
    const detail = { ref: piece.owner.ref, stage, status: status ?? null, durationMs: duration_ms ?? null };
    this.#options.emit('sign-progress', detail);
  }

  #refused(frame: ErrorFrame, sessionId: string): void {
    const { clock, emit, lose, moved, random } = this.#options;
    const error = errorFromFrame(frame, sessionId);
    const flight = this.inFlight.get(frame.ref ?? '');
    const verdict = decide(error, flight?.piece ?? { tries: 0, refusals: 0 }, random);
    if (flight) this.#pace.arrived(flight.departure);
    if (verdict.kind === 'end-session') {
      if (verdict.surfaces && flight && isCurrent(flight)) {
        this.#fail(flight.piece, error.asSeverity('message'));
      }
      return lose(error);
    }
    if (verdict.kind === 'pace') this.#pace.pause(verdict.delayMs);
    if (!flight) {
      emit('sign-error', { error });
      return moved();
    }
    this.inFlight.answered(flight);
    const { piece } = flight;
    if (isCurrent(flight)) {
      const now = clock.now();
      if (verdict.kind === 'pace') this.#repeat(flight, error, now);
      else if (flight.asks === 'fetch') this.#unanswered(piece);
      else if (verdict.kind === 'retry') this.#resend(piece, error, now + verdict.delayMs);
      else this.#fail(piece, error);
    }
    moved();
  }

  #silent(flight: Flight): void {
    const { clock, lose, moved } = this.#options;
    const { line } = this;
    this.#pace.arrived(flight.departure);
    if (isCurrent(flight)) {
      if (flight.acknowledged) flight.piece.fetch(clock.now());
      else this.#unanswered(flight.piece);
    }
    // A listener may have ended the session.
    if (!line || line !== this.line || line.heardSince(flight.since)) return moved();
    const requestId = line.sessionId;
    lose(ownError('session_failed', 'nothing is heard of the service any more', { requestId }));
  }

  /** This try brought no result: another one, at once, or the end. */
  #unanswered(piece: Piece): void {
    const error = ownError('no_answer', undefined, { requestId: this.line?.sessionId ?? null });
    const now = this.#options.clock.now();
    if (piece.tries === 0) piece.resend(now);
    else if (piece.tries < MAX_TRIES) this.#resend(piece, error, now);
    else this.#fail(piece, error);
  }

  /** Refused for the sake of pace: the same again once sending goes on. */
  #repeat({ piece, asks }: Flight, error: SignError, now: number): void {
    piece.refusals += 1;
    if (asks === 'text') piece.tries -= 1;
    piece[asks === 'text' ? 'resend' : 'fetch'](now);
    this.#warn(piece, error);
  }

  #resend(piece: Piece, error: SignError, notBefore: number): void {
    piece.resend(notBefore);
    this.#warn(piece, error);
  }

  #warn(piece: Piece, error: SignError): void {
    this.#options.emit('sign-error', { error: error.asWarning(), ref: piece.owner.ref });
  }

  #fail(piece: Piece, error: SignError): void {
    piece.owner.fail(error);
    this.#options.emit('sign-error', { error, ref: piece.owner.ref });
  }
}

/** False of an earlier try, which says nothing about the one under way, and of a piece that nobody waits for. */
const isCurrent = ({ piece, wireId, asks }: Flight): boolean =>
  piece.underWay && piece.wireId === wireId && piece.asks === asks;
