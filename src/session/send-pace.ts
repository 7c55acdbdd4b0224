// How fast frames may leave (document 3, Limits: max_messages_per_minute). Policy: never more than the limit in any 60
// seconds as the service counts them: a frame counts from when it is known to have arrived, and until then always, for one
// that was long on its way arrives closer to the next than it left. A pacing error pauses everything until its hint has
// passed. Both outlive a service session, because the limits are the account's. Texts and result.fetch count alike.
import type { Clock } from './clock.ts';

const MINUTE_MS = 60_000;

/** A frame that has left. */
export interface Departure {
  /** The clock's time at which it was known to have arrived, null before that. */
  arrivedAt: number | null;
}

export class SendPace {
  readonly #clock: Clock;
  #departures: Departure[] = [];
  #pausedUntil = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  pause(delayMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + delayMs);
  }

  sent(): Departure {
    const departure = { arrivedAt: null };
    this.#departures.push(departure);
    return departure;
  }

  /** Whatever is on its way has arrived by now, or never will. */
  hungUp(): void {
    for (const departure of this.#departures) this.arrived(departure);
  }

  /** The frame was answered, or will not be: it has arrived by now. Later answers change nothing. */
  arrived(departure: Departure): void {
    departure.arrivedAt ??= this.#clock.now();
  }

  /** Milliseconds until the next frame may leave, 0 when it may now. */
  wait(messagesPerMinute: number): number {
    const now = this.#clock.now();
    const countsFrom = ({ arrivedAt }: Departure): number => arrivedAt ?? now;
    this.#departures = this.#departures.filter((each) => countsFrom(each) + MINUTE_MS > now);
    const times = this.#departures.map(countsFrom).sort((a, b) => a - b);
    const oldest = times.at(-messagesPerMinute) ?? -Infinity;
    return Math.max(0, this.#pausedUntil - now, oldest + MINUTE_MS - now);
  }
}
