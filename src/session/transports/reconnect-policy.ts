// When a lost connection is followed by the next attempt (SEMANTICS, session severity and offline).
// - After the service's hint to the millisecond, else after a backoff that grows with every loss since the last success.
// - The eighth loss in a row is the end; while no proxy answers at all, not before a minute after the first loss,
//   in which the machine was awake.
// - While the platform is offline nothing is tried and nothing counts.
// - `online` tries at once, but never before a hint has passed.
import type { SignError } from '../../protocol/sign-error.ts';
import { afterAwake, type Clock } from '../async.ts';
import type { NetworkStatus } from '../network.ts';
import { delayMs, hintMs, MAX_LOSSES } from '../retry-policy.ts';

const UNREACHABLE_MS = 60_000;
/** The shortest wait after the eighth attempt. */
const LATE_WAIT_MS = 5_000;

export interface ReconnectOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly network: NetworkStatus;
  /** It is time for the next attempt. */
  readonly attempt: () => void;
}

export class ReconnectPolicy {
  readonly #options: ReconnectOptions;
  #losses = 0;
  /** Of these, the losses after which somebody answered. */
  #refusals = 0;
  /** A minute has passed since the first loss in a row. */
  #isLongLost = false;
  #stopCounting: () => void = () => {};
  /** No attempt is under way and one is to come. */
  #isWaiting = false;
  /** The clock's time until which the service asked to wait. */
  #hintUntil = -Infinity;
  #timer: unknown;

  constructor(options: ReconnectOptions) {
    this.#options = options;
  }

  /** The service asked to wait, and that time is not over. */
  get hinted(): boolean {
    return this.hintRestMs > 0;
  }

  get hintRestMs(): number {
    return Math.max(0, this.#hintUntil - this.#options.clock.now());
  }

  /** A first attempt is being made. */
  start(): void {
    this.#forget();
  }

  /** An attempt succeeded. */
  ready(): void {
    this.#forget();
  }

  #forget(): void {
    this.#losses = this.#refusals = 0;
    this.#isLongLost = false;
    this.#stopCounting();
  }

  /** Plans the next attempt. False when there were too many. */
  lost(error: SignError): boolean {
    const { clock, random, network } = this.#options;
    const now = clock.now();
    const isUnreached = error.code === 'proxy_unreachable';
    if (this.#losses === 0) {
      this.#forget();
      this.#stopCounting = afterAwake(clock, UNREACHABLE_MS, () => (this.#isLongLost = true));
    }
    if (!network.offline) this.#losses += 1;
    if (!network.offline && !isUnreached) this.#refusals += 1;
    this.#hintUntil = now + hintMs(error);
    const isLate = this.#losses >= MAX_LOSSES;
    const isOver = isLate && isUnreached && this.#isLongLost;
    if (isOver || this.#refusals >= MAX_LOSSES) {
      this.#stopCounting();
      return false;
    }
    this.#isWaiting = true;
    clock.clearTimeout(this.#timer);
    const waitMs = delayMs(error, Math.max(0, this.#losses - 1), random);
    this.#timer = clock.setTimeout(this.#due, Math.max(waitMs, isLate ? LATE_WAIT_MS : 0));
    return true;
  }

  /** Nothing more is to come: no timer is left. */
  stop(): void {
    this.#isWaiting = false;
    this.#stopCounting();
    this.#options.clock.clearTimeout(this.#timer);
  }

  /** The platform has come online. */
  online(): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#due();
  }

  readonly #due = (): void => {
    const { clock, network, attempt } = this.#options;
    if (!this.#isWaiting || network.offline) return;
    const rest = this.hintRestMs;
    this.#isWaiting = rest > 0;
    if (this.#isWaiting) this.#timer = clock.setTimeout(this.#due, rest);
    else attempt();
  };
}
