// The frames that were sent over a socket, and the watch over their answers (SEMANTICS, silent service).
// - 10 s to the text.ack of a text, or to the answer of a result.fetch, which comes from a cache; 60 s from ack to result.
// - A timer that fires over 5 s late means that the machine slept, not that the service is silent. The time then begins anew,
//   once, because answers that arrived during the sleep are read after the timers have fired.
// - While the platform is offline no frame counts as silent. A frame whose time ended meanwhile gets another second when the
//   platform is online again, because a browser may keep a socket open while its network is gone.
// - A silent frame no longer counts as unanswered, but 256 ids stay known, so that a late answer still finds its part.
import type { Clock } from '../async.ts';
import type { NetworkStatus } from '../network.ts';
import type { UtterancePart } from '../utterance-part.ts';
import type { PendingRequest } from './transport.ts';

const ACK_MS = 10_000;
const RESULT_MS = 60_000;
const LATE_MS = 5_000;
const OFFLINE_MS = 1_000;
const REMEMBERED = 256;

export interface SentFrame extends PendingRequest {
  acknowledged: boolean;
  /** The clock's time when the watch over the next answer began. */
  since: number;
}

export class PendingRequests {
  readonly #clock: Clock;
  readonly #network: Pick<NetworkStatus, 'offline'>;
  readonly #silent: (frame: SentFrame) => void;
  readonly #byWireId = new Map<string, SentFrame>();
  readonly #watchdogs = new Map<SentFrame, unknown>();

  /** `silent` is called for each frame that was not answered in time. */
  constructor(clock: Clock, network: Pick<NetworkStatus, 'offline'>, silent: (frame: SentFrame) => void) {
    this.#clock = clock;
    this.#network = network;
    this.#silent = silent;
  }

  get unanswered(): readonly SentFrame[] {
    return [...this.#watchdogs.keys()];
  }

  get(wireId: string): SentFrame | undefined {
    return this.#byWireId.get(wireId);
  }

  sent(part: UtterancePart): SentFrame {
    const { wireId, asks } = part;
    const frame = { part, wireId, asks, acknowledged: false, since: this.#clock.now() };
    // Deleted first, because a Map keeps the place of a key that it has already; the newest must be last.
    this.#byWireId.delete(wireId);
    this.#byWireId.set(wireId, frame);
    this.#watch(frame, ACK_MS);
    this.#forgetOld();
    return frame;
  }

  acknowledged(frame: SentFrame): void {
    if (frame.asks === 'fetch' || frame.acknowledged || !this.#watchdogs.has(frame)) return;
    frame.acknowledged = true;
    frame.since = this.#clock.now();
    this.answered(frame);
    this.#watch(frame, RESULT_MS);
  }

  answered(frame: SentFrame): void {
    this.#clock.clearTimeout(this.#watchdogs.get(frame));
    this.#watchdogs.delete(frame);
  }

  clear(): void {
    for (const frame of this.unanswered) this.answered(frame);
    this.#byWireId.clear();
  }

  #watch(frame: SentFrame, delayMs: number, again = true): void {
    const due = this.#clock.now() + delayMs;
    const timer = this.#clock.setTimeout(() => {
      if (this.#network.offline) {
        frame.since = this.#clock.now();
        return this.#watch(frame, OFFLINE_MS);
      }
      if (again && this.#clock.now() > due + LATE_MS) return this.#watch(frame, delayMs, false);
      this.#watchdogs.delete(frame);
      this.#silent(frame);
    }, delayMs);
    this.#watchdogs.set(frame, timer);
  }

  #forgetOld(): void {
    for (const [wireId, frame] of this.#byWireId) {
      if (this.#byWireId.size <= REMEMBERED) return;
      if (!this.#watchdogs.has(frame)) this.#byWireId.delete(wireId);
    }
  }
}
