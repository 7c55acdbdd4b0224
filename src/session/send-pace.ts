// How fast frames may leave (document 3, Limits: max_messages_per_minute). Policy: never more than the limit in any 60
// seconds, measured as a sliding window; a pacing error pauses everything until its hint has passed. Both outlive a
// service session, because the limits are the account's. Texts and result.fetch count alike.
import type { Clock } from './clock.ts';

const MINUTE_MS = 60_000;

export class SendPace {
  readonly #clock: Clock;
  #sentAt: number[] = [];
  #pausedUntil = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  pause(delayMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + delayMs);
  }

  sent(): void {
    this.#sentAt.push(this.#clock.now());
  }

  /** Milliseconds until the next frame may leave, 0 when it may now. */
  wait(messagesPerMinute: number): number {
    const now = this.#clock.now();
    this.#sentAt = this.#sentAt.filter((at) => at > now - MINUTE_MS);
    const oldest = this.#sentAt.at(-messagesPerMinute) ?? -Infinity;
    return Math.max(0, this.#pausedUntil - now, oldest + MINUTE_MS - now);
  }
}
