// What an error means for the text that it names and for the session, and when a lost connection is tried again: the one place
// that decides. Severity, `retryable` and the wait hint come from protocol/service-errors.ts and sign-error.ts, or from the
// frame itself, which wins.
//
// For a text (document 3, Errors, Client behaviour; SEMANTICS, retryable error):
//
// | severity | code            | retryable | action                                                              |
// |----------|-----------------|-----------|---------------------------------------------------------------------|
// | session  | session_expired | any       | end-session; the service did not look at the text: it is sent again |
// | session  | any other       | yes       | end-session; the text is sent again on the next one                 |
// | session  | any other       | no        | end-session, and the text that is named fails                       |
// | other    | pacing (two)    | any       | pace: all sending pauses, then the same text again; never counts    |
// | other    | any other       | yes       | retry: up to three tries in all, then fail                          |
// | other    | of document 3   | no        | fail                                                                |
// | message  | unknown         | no        | fail                                                                |
// | warning  | unknown         | no        | none: the message has not failed, so its answer is awaited          |
//
// For a session that is gone, or never came (SEMANTICS, session severity and drop):
//
// | code            | when               | retryable | action                                                       |
// |-----------------|--------------------|-----------|--------------------------------------------------------------|
// | session_expired | nothing to sign    | any       | end, quietly                                                 |
// | session_expired | something to sign  | any       | reconnect                                                    |
// | origin_refused  | any                | any       | fail: this proxy does not serve this page                    |
// | any other       | after ready        | any       | reconnect: the start was accepted once and will be again     |
// | any other       | before ready       | yes       | reconnect                                                    |
// | any other       | before ready       | no        | fail: the same session.start would be refused again          |
//
// - After eight sessions in a row that an error of the service has ended, nothing is tried again. Where the service was not
//   reached, or the connection broke, tries go on for at least a minute after the first loss or after `online`, because a proxy or
//   a service may restart; the sleep of the machine does not count. A text fails when eight sessions were lost with it.
// - Waits: `retry_after_seconds` to the millisecond; without it full jitter, 0.5 s doubling to 30 s.
// - While the platform is offline nothing is tried and nothing counts. `online` tries at once, but never before a hint has passed.
import { isPacing, serviceErrors } from '../protocol/service-errors.ts';
import { isOwnErrorCode, type OwnErrorCode } from '../protocol/own-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { LONGEST_TIMEOUT_MS, afterAwake, type Clock } from './async.ts';
import type { NetworkStatus } from './network.ts';

/** Tries of one part in all, the first included. */
export const MAX_TRIES = 3;

/** Sessions that may be lost in a row, or with the same part under way. */
export const MAX_LOSSES = 8;

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

export type TextAction =
  | { readonly kind: 'end-session'; readonly failsText: boolean }
  | { readonly kind: 'pace'; readonly delayMs: number }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'fail' };

/** What has been tried so far: `tries` that counted, `refusals` because of the pace. */
interface Attempts {
  readonly tries: number;
  readonly refusals: number;
}

export function actionForText(
  error: SignError,
  { tries, refusals }: Attempts,
  random: () => number,
): TextAction {
  if (error.severity === 'session') {
    return { kind: 'end-session', failsText: !error.retryable && error.code !== 'session_expired' };
  }
  if (isPacing(error.code)) return { kind: 'pace', delayMs: delayMs(error, refusals, random) };
  if (error.retryable && tries < MAX_TRIES)
    return { kind: 'retry', delayMs: delayMs(error, tries - 1, random) };
  return { kind: 'fail' };
}

/** A warning that asks for nothing (the last row of the table). */
export const isOnlyReported = ({ severity, retryable, code }: SignError): boolean =>
  severity === 'warning' && !retryable && !Object.hasOwn(serviceErrors, code);

export type SessionAction = 'reconnect' | 'end' | 'fail';

/** `wasReady`: session.ready had come; `wanted`: somebody waits for a session. */
export function actionForSession(
  { code, retryable }: SignError,
  wasReady: boolean,
  wanted: boolean,
): SessionAction {
  if (code === 'session_expired') return wanted ? 'reconnect' : 'end';
  return retryable || (wasReady && code !== 'origin_refused') ? 'reconnect' : 'fail';
}

/** The error's hint, else a backoff; `earlier` counts the failures before this one. */
export function delayMs(error: SignError, earlier: number, random: () => number): number {
  return error.retryAfterSeconds === null ? backoffMs(earlier, random) : hintMs(error);
}

/** The error's hint, 0 without one. */
const hintMs = ({ retryAfterSeconds }: SignError): number =>
  Math.min((retryAfterSeconds ?? 0) * 1000, LONGEST_TIMEOUT_MS);

/** Full jitter: a random wait from 0 to a ceiling that doubles with each earlier failure. */
export function backoffMs(earlier: number, random: () => number): number {
  return random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** earlier);
}

const transient: ReadonlySet<string> = new Set<OwnErrorCode>([
  'no_answer',
  'upstream_unreachable',
  'protocol_error',
]);

/**
 * True when the same look-up may be made again. Unlike a translation, a look at a session or at the addresses of the idle
 * signer costs nothing, so it is repeated also where the error is final for a text.
 */
export const isTransient = ({ code, retryable }: SignError): boolean => retryable || transient.has(code);

/** False for a code of ours and for a limit, which may be that of the proxy: the service was not reached. */
const isOfService = (code: string): boolean =>
  !isOwnErrorCode(code) && !isPacing(code) && code !== 'overloaded';

const LONG_LOST_MS = 60_000;
/** The shortest wait after the eighth attempt. */
const LATE_WAIT_MS = 5_000;

interface ReconnectOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly network: NetworkStatus;
  /** It is time for the next attempt. */
  readonly attempt: () => void;
}

/** Plans the next attempt at a connection (SEMANTICS, session severity and offline). */
export class ReconnectPolicy {
  readonly #options: ReconnectOptions;
  #losses = 0;
  /** How many of these were ended by an error of the service. */
  #refusals = 0;
  /** A minute has passed since the first loss in a row, and since the platform came online. */
  #isLongLost = false;
  #stopCounting: () => void = () => {};
  /** The next attempt is planned; none is under way. */
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

  /** Notes how long this error asks to wait, whether or not an attempt follows. */
  noteHint(error: SignError): void {
    this.#hintUntil = this.#options.clock.now() + hintMs(error);
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

  #countMinute(): void {
    this.#stopCounting();
    this.#isLongLost = false;
    this.#stopCounting = afterAwake(this.#options.clock, LONG_LOST_MS, () => (this.#isLongLost = true));
  }

  /** Plans the next attempt. False when there were too many. */
  lost(error: SignError): boolean {
    const { clock, random, network } = this.#options;
    if (this.#losses === 0) {
      this.#forget();
      this.#countMinute();
    }
    if (!network.offline) this.#losses += 1;
    if (!network.offline && isOfService(error.code)) this.#refusals += 1;
    const isLate = this.#losses >= MAX_LOSSES;
    if (this.#refusals >= MAX_LOSSES || (isLate && this.#isLongLost)) {
      this.#stopCounting();
      return false;
    }
    this.#isWaiting = true;
    clock.clearTimeout(this.#timer);
    const waitMs = delayMs(error, Math.max(0, this.#losses - 1), random);
    this.#timer = clock.setTimeout(this.#due, Math.max(waitMs, isLate ? LATE_WAIT_MS : 0));
    return true;
  }

  /** Ends it: no timer is left. */
  stop(): void {
    this.#isWaiting = false;
    this.#forget();
    this.#options.clock.clearTimeout(this.#timer);
  }

  /** The platform has come online. */
  online(): void {
    if (this.#losses > 0) this.#countMinute();
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
