// One part of a text: as much as fits in one message. It becomes one video.
// - The first answer to any of its wire ids closes it; a closed part is never sent again.
// - Every resend has a fresh wire id, because the service answers `duplicate_id` to a known one (document 3, text).
// - A session that is lost while the part is under way does not count as a try. A part with which several sessions were lost
//   waits longer each time, so that others are sent before it, and fails with the eighth.
// - An acknowledged part can be fetched for 5 minutes, while the service keeps its result (document 3, Limits).
import { newWireId } from '../internal/wire-id.ts';
import type { SessionMode } from '../protocol/client-frames.ts';
import type { StreamManifests } from '../protocol/find-url.ts';
import { errorFromFrame } from '../protocol/service-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';
import type { Clock } from './async.ts';
import { backoffMs, MAX_LOSSES } from './retry-policy.ts';
import type { SignResult } from './session-types.ts';
import { byteLength } from './split-text.ts';

const RESULT_LIFE_MS = 300_000;

/** The video of a part, as the service described it. */
export interface PartVideo {
  readonly url: string;
  readonly expiresAt: string | null;
  readonly durationSeconds: number | null;
  readonly pipelineMs: SignResult['pipelineMs'];
}

/** When a part entered a stream, and which. */
export interface StreamEntry {
  /** Milliseconds since 1970 by the service's clock; null when it did not say. */
  readonly at: number | null;
  /** The manifests of the text's own stream; null when the session has one stream for all texts. */
  readonly manifests: StreamManifests | null;
}

/** The utterance or the renewal that asked for the part. */
export interface PartOwner {
  readonly ref: string;
  /** The service took the part; called once for each try. */
  accepted(part: UtterancePart): void;
  answered(part: UtterancePart, video: PartVideo): void;
  /** Stream mode: the part is in a stream. */
  appended(part: UtterancePart, entry: StreamEntry): void;
  /** Fails as a whole. */
  fail(reason: unknown): void;
}

/** The service's error for a text that is too long even after it was cut. */
export const tooLong = (maxBytes: number, sessionId: string | null): SignError => {
  const message = `the text does not fit in ${maxBytes} bytes`;
  return errorFromFrame({ type: 'error', code: 'text_too_long', message }, sessionId);
};

/** Which part of which text it is. */
interface PartOf {
  readonly text: string;
  readonly index: number;
  readonly count: number;
}

export class UtterancePart implements PartOf {
  readonly owner: PartOwner;
  readonly text: string;
  readonly index: number;
  readonly count: number;
  /** `acknowledged`: the service has it. In stream mode it stays that until it has started. */
  state: 'waiting' | 'sent' | 'acknowledged' | 'closed' = 'waiting';
  /** What the next frame asks for: to sign the text, or the result of `wireId`. */
  asks: 'text' | 'fetch' = 'text';
  /** Id of the latest try. */
  wireId: string;
  /** The transport that carries the latest try, or carried it. */
  sentOver: 'v3' | 'rest' | null = null;
  /** The clock's time until which its result can be fetched. */
  fetchableUntil = -Infinity;
  /** The wire id of the try that was answered; null before. */
  answeredAs: string | null = null;
  /** The result was fetched again, because its URL did not work. */
  fetchedAgain = false;
  /** How often the text was sent, without refusals because of the pace. */
  tries = 0;
  /** How often it was refused because of the pace. */
  refusals = 0;
  /** Sessions that were lost while it was under way. */
  #losses = 0;
  /** The clock's time before which it is not sent. */
  notBefore = -Infinity;

  constructor(owner: PartOwner, { text, index, count }: PartOf, wireId = newWireId()) {
    this.owner = owner;
    this.text = text;
    this.index = index;
    this.count = count;
    this.wireId = wireId;
  }

  get open(): boolean {
    return this.state !== 'closed';
  }

  /** Sent, and its try has not ended. */
  get underWay(): boolean {
    return this.state === 'sent' || this.state === 'acknowledged';
  }

  /** It waits to be sent and has more bytes than this. */
  isTooLong(maxBytes: number): boolean {
    return this.state === 'waiting' && this.asks === 'text' && byteLength(this.text) > maxBytes;
  }

  /** The service has it. */
  acknowledged(clock: Clock): void {
    this.state = 'acknowledged';
    this.fetchableUntil = clock.now() + RESULT_LIFE_MS;
  }

  /** Its text is to be sent again. */
  resend(notBefore: number): void {
    this.state = 'waiting';
    this.asks = 'text';
    this.wireId = newWireId();
    this.notBefore = notBefore;
  }

  /** Its result is to be fetched. */
  fetch(notBefore: number): void {
    this.state = 'waiting';
    this.asks = 'fetch';
    this.notBefore = notBefore;
  }

  /**
   * Its connection is lost. What V3 acknowledged is fetched on the next connection; what was not acknowledged is sent again, and
   * so is every part in stream mode over V3, where nothing can be fetched. False when it was lost too often.
   */
  lost(mode: SessionMode, clock: Clock, random: () => number): boolean {
    this.#losses += 1;
    if (this.#losses >= MAX_LOSSES) return false;
    const notBefore = this.#losses > 1 ? clock.now() + backoffMs(this.#losses - 2, random) : -Infinity;
    const wasAcknowledged = this.asks === 'fetch' || this.state === 'acknowledged';
    if (this.asks === 'text') this.tries -= 1;
    if (mode === 'translate' && this.sentOver === 'v3' && wasAcknowledged) this.fetch(notBefore);
    else this.resend(notBefore);
    return true;
  }

  /** This video, an answer to the try with this wire id, closes it. */
  answer(wireId: string, video: PartVideo, clock: Clock): void {
    this.state = 'closed';
    this.answeredAs = wireId;
    this.fetchableUntil = clock.now() + RESULT_LIFE_MS;
    this.owner.answered(this, video);
  }

  toResult(video: PartVideo): SignResult {
    return { ref: this.owner.ref, text: this.text, ...video, partIndex: this.index, partCount: this.count };
  }
}
