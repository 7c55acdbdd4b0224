// When `transport="auto"` leaves V3 for REST and when it tries V3 again (SEMANTICS, transport="auto").
// - The table decides about leaving. Time that is spent offline or inside a hint does not count towards the 10 s.
// - V3 is tried again only while REST has nothing to do: first 30 s after the change of transport; then each wait is twice the one
//   before, up to 5 minutes. Each wait is up to half shorter at random, so that the pages of a site do not ask at the same time. A
//   wait ends when the browser comes online, or when REST has reached the proxy again.
//
// | V3                 | error                                                     | to REST                         |
// |--------------------|-----------------------------------------------------------|---------------------------------|
// | any                | any, while the browser is offline                         | no                              |
// | any                | any, inside a `retry_after_seconds`                       | after it, if V3 has failed      |
// | has failed         | retryable, or no V3 is spoken there (`protocol_error`)    | at once                         |
// | has failed         | this page may open no socket at all (it has a `cause`)    | at once: HTTP may be allowed    |
// | has failed         | a code of the service that is not about the config: V3    | at once                         |
// |                    | is a beta, and an account may not have it                 |                                 |
// | has failed         | any other: an origin or a config that is refused          | never: REST would refuse it too |
// | had no session yet | the proxy answers that it has no socket for this page     | at once                         |
// | had no session yet | any other: a socket that is dropped is no refusal         | after 10 s without a session    |
// | had a session      | any: the next one may come in a moment                    | after 10 s without a session    |
import { isOwnErrorCode } from '../../protocol/own-errors.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import type { Clock } from '../async.ts';

const SESSION_TIMEOUT_MS = 10_000;

const noSocketCodes: ReadonlySet<string> = new Set([
  'upstream_unreachable',
  'too_many_sockets',
  'rate_limited',
  'overloaded',
]);
const configCodes: ReadonlySet<string> = new Set(['invalid_session_start', 'unknown_field']);

interface Failure {
  readonly error: SignError;
  /** No other attempt is made. */
  readonly hasFailed: boolean;
  /** A session came since the first attempt. */
  readonly hadSession: boolean;
  readonly offline: boolean;
}

/** True when this failure of V3 is a reason to change to REST before the 10 s are over: at once, or after its hint. */
export function leavesV3({ error, hasFailed, hadSession, offline }: Failure): boolean {
  if (hasFailed) {
    // With a cause no socket could be made (v3-socket.ts); without one, no proxy answered.
    const isNotMade = error.code === 'proxy_unreachable' && error.cause !== undefined;
    const isOfV3 = !isOwnErrorCode(error.code) && !configCodes.has(error.code);
    return error.retryable || error.code === 'protocol_error' || isNotMade || isOfV3;
  }
  const isHinted = (error.retryAfterSeconds ?? 0) > 0;
  return !hadSession && !offline && !isHinted && noSocketCodes.has(error.code);
}

/** Counts 10 s; the count can be stopped and continued. */
export class SessionTimeout {
  readonly #clock: Clock;
  readonly #over: () => void;
  #leftMs = SESSION_TIMEOUT_MS;
  #since: number | null = null;
  #timer: unknown;

  constructor(clock: Clock, over: () => void) {
    this.#clock = clock;
    this.#over = over;
  }

  /** `seeks`: a session is awaited; `counts`: the browser is online and no hint is in force. */
  watch(seeks: boolean, counts: boolean): void {
    if (this.#since !== null && !(seeks && counts)) {
      this.#clock.clearTimeout(this.#timer);
      this.#leftMs -= this.#clock.now() - this.#since;
      this.#since = null;
    }
    if (!seeks) this.#leftMs = SESSION_TIMEOUT_MS;
    else if (counts && this.#since === null) {
      this.#since = this.#clock.now();
      this.#timer = this.#clock.setTimeout(() => {
        this.#since = null;
        this.#leftMs = SESSION_TIMEOUT_MS;
        this.#over();
      }, this.#leftMs);
    }
  }
}

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 300_000;

interface V3ProbeOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** It is time to ask for a session; failed() or stop() ends it. */
  readonly ask: () => void;
}

/** Plans when V3 is tried again while REST is in force. */
export class V3Probe {
  underWay = false;
  readonly #options: V3ProbeOptions;
  #waitMs = FIRST_WAIT_MS;
  /** When the next try is due, on the clock; Infinity while none is planned. */
  #dueAt = Infinity;
  #timer: unknown;

  constructor(options: V3ProbeOptions) {
    this.#options = options;
  }

  start(): void {
    this.#waitMs = FIRST_WAIT_MS;
    this.#plan();
  }

  /** Plans the next try if V3 may be asked now; the wait is at least `hintMs`. */
  watch(mayAsk: boolean, hintMs: number): void {
    const { clock, ask } = this.#options;
    clock.clearTimeout(this.#timer);
    if (!mayAsk || this.underWay || this.#dueAt === Infinity) return;
    const delayMs = Math.max(0, this.#dueAt - clock.now(), hintMs);
    this.#timer = clock.setTimeout(() => {
      this.underWay = true;
      ask();
    }, delayMs);
  }

  /** A try that is planned is made as soon as V3 may be asked. */
  makeDue(): void {
    this.#dueAt -= LONGEST_WAIT_MS;
  }

  /** No session came. */
  failed(): void {
    this.underWay = false;
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
    this.#plan();
  }

  stop(): void {
    this.underWay = false;
    this.#dueAt = Infinity;
    this.#options.clock.clearTimeout(this.#timer);
  }

  #plan(): void {
    const { clock, random } = this.#options;
    this.#dueAt = clock.now() + this.#waitMs * (1 - random() / 2);
  }
}
