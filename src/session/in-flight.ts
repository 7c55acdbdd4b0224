// Frames that were sent and the watch over their answers. Policy (SEMANTICS, silent service): 10 s to the text.ack of a
// text or to the answer of a result.fetch, which comes from a cache; 60 s from the text.ack to the result. A silent
// frame no longer counts as unanswered, but its id stays known, so that a late answer still finds its piece.
import type { Clock } from './clock.ts';
import type { Piece } from './piece.ts';

const ACK_MS = 10_000;
const RESULT_MS = 60_000;

/** Answered and silent frames that are remembered for late answers. */
const REMEMBERED = 256;

export interface Flight {
  readonly piece: Piece;
  readonly wireId: string;
  readonly asks: 'text' | 'fetch';
  acknowledged: boolean;
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

  sent(piece: Piece): void {
    const flight: Flight = { piece, wireId: piece.wireId, asks: piece.asks, acknowledged: false };
    // Deleted first, so that the newest stands last.
    this.#byWireId.delete(flight.wireId);
    this.#byWireId.set(flight.wireId, flight);
    this.#watch(flight, ACK_MS);
    this.#forgetOld();
  }

  acknowledged(flight: Flight): void {
    if (flight.asks === 'fetch' || flight.acknowledged || !this.#watchdogs.has(flight)) return;
    flight.acknowledged = true;
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

  #watch(flight: Flight, delayMs: number): void {
    const timer = this.#clock.setTimeout(() => {
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
