// Frames that were sent and the watch over their answers. Policy (SEMANTICS, silent service): 10 s to the text.ack of a
// text or to the answer of a result.fetch, which comes from a cache; 60 s from the text.ack to the result. A timer that
// comes over 5 s late says that the machine slept, not that the service is silent: once, the time begins anew, for the
// answers that came meanwhile are heard after the timers. A silent frame no longer counts as unanswered, but its id stays
// known, so that a late answer still finds its piece.
import type { Clock } from './clock.ts';
import type { Piece } from './piece.ts';
import type { Departure } from './send-pace.ts';

const ACK_MS = 10_000;
const RESULT_MS = 60_000;
const LATE_MS = 5_000;

/** Answered and silent frames that are remembered for late answers. */
const REMEMBERED = 256;

export interface Flight {
  readonly piece: Piece;
  readonly wireId: string;
  readonly asks: 'text' | 'fetch';
  readonly departure: Departure;
  acknowledged: boolean;
  /** The clock's time when the watch over the next answer began. */
  since: number;
}

export class InFlight {
  readonly #clock: Clock;
  readonly #silent: (flight: Flight) => void;
  readonly #byWireId = new Map<string, Flight>();
  readonly #watchdogs = new Map<Flight, unknown>();

  /** `silent` hears of each frame whose time is up. */
  constructor(clock: Clock, silent: (flight: Flight) => void) {
    this.#clock = clock;
    this.#silent = silent;
  }

  /** How many frames are unanswered. */
  get unanswered(): number {
    return this.#watchdogs.size;
  }

  /** How many of them speak of a piece that is closed. */
  get unwanted(): number {
    return [...this.#watchdogs.keys()].filter(({ piece }) => !piece.open).length;
  }

  isUnanswered(wireId: string): boolean {
    const flight = this.#byWireId.get(wireId);
    return flight !== undefined && this.#watchdogs.has(flight);
  }

  get(wireId: string): Flight | undefined {
    return this.#byWireId.get(wireId);
  }

  sent(piece: Piece, departure: Departure): void {
    const { wireId, asks } = piece;
    const flight = { piece, wireId, asks, departure, acknowledged: false, since: this.#clock.now() };
    // Deleted first, so that the newest stands last.
    this.#byWireId.delete(flight.wireId);
    this.#byWireId.set(flight.wireId, flight);
    this.#watch(flight, ACK_MS);
    this.#forgetOld();
  }

  acknowledged(flight: Flight): void {
    if (flight.asks === 'fetch' || flight.acknowledged || !this.#watchdogs.has(flight)) return;
    flight.acknowledged = true;
    flight.since = this.#clock.now();
    this.#unwatch(flight);
    this.#watch(flight, RESULT_MS);
  }

  answered(flight: Flight): void {
    this.#unwatch(flight);
  }

  clear(): void {
    for (const flight of [...this.#watchdogs.keys()]) this.#unwatch(flight);
    this.#byWireId.clear();
  }

  #watch(flight: Flight, delayMs: number, again = true): void {
    const due = this.#clock.now() + delayMs;
    const timer = this.#clock.setTimeout(() => {
      if (again && this.#clock.now() > due + LATE_MS) return this.#watch(flight, delayMs, false);
      this.#watchdogs.delete(flight);
      this.#silent(flight);
    }, delayMs);
    this.#watchdogs.set(flight, timer);
  }

  #unwatch(flight: Flight): void {
    this.#clock.clearTimeout(this.#watchdogs.get(flight));
    this.#watchdogs.delete(flight);
  }

  #forgetOld(): void {
    for (const [wireId, flight] of this.#byWireId) {
      if (this.#byWireId.size <= REMEMBERED) return;
      if (!this.#watchdogs.has(flight)) this.#byWireId.delete(wireId);
    }
  }
}
