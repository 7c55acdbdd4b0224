// One part of a text, as much as fits in one message: it becomes one video.
// - The first answer to any of its wire ids closes it, whichever try it answers; a closed part is never sent again.
// - Every resend has a fresh wire id: the service answers `duplicate_id` to one that it has seen (document 3, text).
// - A session that is lost while the part is under way does not count as a try. But a part with which session after session
//   is lost waits longer each time, so that the others pass it, and fails with the eighth.
// - The service keeps a result for 5 minutes (document 3, Limits): so long an acknowledged part can be fetched.
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
  /** Of a stream of its own; null where the session has one stream for all texts. */
  readonly manifests: StreamManifests | null;
}

/** Who asked for the part and hears what became of it: an utterance, or a renewal. */
export interface PartOwner {
  readonly ref: string;
  /** The service took the part; told once a try. */
  accepted(part: UtterancePart): void;
  answered(part: UtterancePart, video: PartVideo): void;
  /** Stream mode: the part is in a stream. */
  appended(part: UtterancePart, entry: StreamEntry): void;
  /** Gives the whole up for this reason. */
  fail(reason: unknown): void;
}

/** The error that the service would answer to a text that no cut makes short enough. */
export const tooLong = (maxBytes: number, sessionId: string | null): SignError => {
  const message = `the text, or what is left of it, does not fit in ${maxBytes} bytes`;
  return errorFromFrame({ type: 'error', code: 'text_too_long', message }, sessionId);
};

/** Which part of which text it is. */
export interface PartOf {
  readonly text: string;
  readonly index: number;
  readonly count: number;
}

export class UtterancePart implements PartOf {
  readonly owner: PartOwner;
  readonly text: string;
  readonly index: number;
  readonly count: number;
  /** `taken`: sent and acknowledged. In stream mode it stays that until it has started. */
  state: 'waiting' | 'sent' | 'taken' | 'closed' = 'waiting';
  /** What the next frame asks: to sign the text, or for the result of what was sent as `wireId`. */
  asks: 'text' | 'fetch' = 'text';
  /** Of the latest try. */
  wireId: string;
  /** The transport that carries the latest try, or carried it. */
  sentOver: 'v3' | 'rest' | null = null;
  /** The clock's time until which its result can be fetched. */
  fetchableUntil = -Infinity;
  /** The wire id of the try that was answered; null before. */
  answeredAs: string | null = null;
  /** The result was fetched once more, because its URL was of no use. */
  fetchedAgain = false;
  /** Times the text was sent and not merely refused for the sake of pace. */
  tries = 0;
  /** Times it was refused for the sake of pace. */
  refusals = 0;
  /** Sessions that were lost while it was under way. */
  losses = 0;
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

  /** Sent, and nothing that ends its try has come. */
  get underWay(): boolean {
    return this.state === 'sent' || this.state === 'taken';
  }

  /** It waits to be sent, and this many bytes are not enough. */
  isTooLong(maxBytes: number): boolean {
    return this.state === 'waiting' && this.asks === 'text' && byteLength(this.text) > maxBytes;
  }

  /** Acknowledged: the service has it. */
  taken(clock: Clock): void {
    this.state = 'taken';
    this.fetchableUntil = clock.now() + RESULT_LIFE_MS;
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
   * The connection that carried it is lost. What was acknowledged is fetched on the next one, what was not is sent again;
   * so is all of stream mode and of REST, where nothing can be fetched. False when this was one loss too many.
   */
  lost(mode: SessionMode, clock: Clock, random: () => number): boolean {
    this.losses += 1;
    if (this.losses >= MAX_LOSSES) return false;
    const notBefore = this.losses > 1 ? clock.now() + backoffMs(this.losses - 2, random) : -Infinity;
    const wasTaken = this.asks === 'fetch' || this.state === 'taken';
    if (this.asks === 'text') this.tries -= 1;
    if (mode === 'translate' && this.sentOver === 'v3' && wasTaken) this.fetch(notBefore);
    else this.resend(notBefore);
    return true;
  }

  /** Closed by this video, of the try with this wire id. */
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
