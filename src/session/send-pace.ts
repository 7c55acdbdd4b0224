// Decides how fast messages may be sent (document 3, Limits: max_messages_per_minute).
// - Never more than the limit in any 60 seconds, as the service counts. A message counts until 60 s after its answer, because a
//   slow message arrives later than it was sent. A `result.fetch` counts 3 s longer: a late result of its text is taken for its
//   answer, and then it may still be under way.
// - A pacing error pauses all sending until its hint has passed.
// - The count and the pause outlast a service session, because the limits belong to the account. Texts and result.fetch count
//   alike.
import type { Clock } from './async.ts';

const MINUTE_MS = 60_000;
const FETCH_MS = 3_000;

interface Message {
  readonly asks: 'text' | 'fetch';
}

export class SendPace {
  readonly #clock: Clock;
  /** The time at which each sent message was known to have arrived; null before that. */
  readonly #arrivals = new Map<Message, number | null>();
  #pausedUntil = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  pause(delayMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + delayMs);
  }

  sent(message: Message): void {
    this.#arrivals.set(message, null);
  }

  /** The message was answered or never will be, so it has arrived. Later answers change nothing. */
  arrived(message: Message): void {
    if (this.#arrivals.get(message) !== null) return;
    this.#arrivals.set(message, this.#clock.now() + (message.asks === 'fetch' ? FETCH_MS : 0));
  }

  /** The connection is closed: every sent message has arrived by now, or never will. */
  disconnected(): void {
    for (const message of this.#arrivals.keys()) this.arrived(message);
  }

  /** Milliseconds from this time of the clock until the next message may be sent; 0 when it may be sent then. */
  wait(messagesPerMinute: number, now: number): number {
    for (const [message, at] of this.#arrivals) {
      if (at !== null && at + MINUTE_MS <= now) this.#arrivals.delete(message);
    }
    const times = [...this.#arrivals.values()].map((at) => at ?? now).sort((a, b) => a - b);
    const oldest = times.at(-messagesPerMinute) ?? -Infinity;
    return Math.max(0, this.#pausedUntil - now, oldest + MINUTE_MS - now);
  }
}
