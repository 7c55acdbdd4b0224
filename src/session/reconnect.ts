// When a lost session is followed by the next (SEMANTICS, session severity). Policy: after the service's hint to the
// millisecond, else after a backoff that grows with every loss since the last session.ready; the eighth in a row is the
// end. While the platform is offline nothing is tried and nothing counts; `online` tries at once, though never before a
// hint has passed. A session that gets ready all the same (a proxy on this very machine) shows that offline is not true.
import type { SignError } from '../protocol/sign-error.ts';
import type { Clock } from './clock.ts';
import { delayMs, hintMs, MAX_LOSSES } from './retry-policy.ts';

/** What is used of a window or a worker: its two events and, where there is one, what it says to begin with. */
export interface NetworkLike {
  addEventListener(type: 'online' | 'offline', listener: () => void): void;
  removeEventListener(type: 'online' | 'offline', listener: () => void): void;
  readonly navigator?: { readonly onLine?: boolean } | undefined;
}

/** The platform's own, undefined where it has none (Node). */
export const systemNetwork = (): NetworkLike | undefined =>
  'addEventListener' in globalThis ? (globalThis as NetworkLike) : undefined;

export interface ReconnectOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly network: NetworkLike | undefined;
  /** It is time for the next attempt. */
  readonly open: () => void;
}

export class Reconnect {
  readonly #options: ReconnectOptions;
  #losses = 0;
  #offline = false;
  /** No attempt is under way and one is to come. */
  #waiting = false;
  /** The clock's time until which the service asked to wait. */
  #hintUntil = -Infinity;
  #timer: unknown;

  constructor(options: ReconnectOptions) {
    this.#options = options;
  }

  /** A first attempt is being made: from now on the network is listened to. */
  start(): void {
    const { network } = this.#options;
    this.#losses = 0;
    this.#offline = network?.navigator?.onLine === false;
    network?.addEventListener('online', this.#online);
    network?.addEventListener('offline', this.#wentOffline);
  }

  ready(): void {
    this.#losses = 0;
    this.#offline = false;
  }

  /** Plans the next attempt. False when there were too many. */
  lost(error: SignError): boolean {
    const { clock, random } = this.#options;
    if (!this.#offline) this.#losses += 1;
    if (this.#losses >= MAX_LOSSES) return false;
    this.#waiting = true;
    this.#hintUntil = clock.now() + hintMs(error);
    this.#timer = clock.setTimeout(this.#due, delayMs(error, Math.max(0, this.#losses - 1), random));
    return true;
  }

  /** Nothing more is to come: no timer and no listener is left. */
  stop(): void {
    const { clock, network } = this.#options;
    this.#waiting = false;
    clock.clearTimeout(this.#timer);
    network?.removeEventListener('online', this.#online);
    network?.removeEventListener('offline', this.#wentOffline);
  }

  readonly #due = (): void => {
    const { clock, open } = this.#options;
    if (!this.#waiting || this.#offline) return;
    const rest = this.#hintUntil - clock.now();
    this.#waiting = rest > 0;
    if (this.#waiting) this.#timer = clock.setTimeout(this.#due, rest);
    else open();
  };

  readonly #wentOffline = (): void => {
    this.#offline = true;
  };

  readonly #online = (): void => {
    this.#offline = false;
    this.#options.clock.clearTimeout(this.#timer);
    this.#due();
  };
}
