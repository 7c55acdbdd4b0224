// Looks a live session up again and again through the proxy (document 2, `GET /v2/live/sessions/{id}`).
// - It is looked up every 30 s while its video plays; else after 1, 2, 4 and then every 8 s. Each wait is up to a quarter shorter
//   at random, so that the pages of one event do not ask at the same moment.
// - A failed try is repeated after the service's `Retry-After`, else after a backoff of up to 8 s; and at once on `online`. A
//   refusal ends the look-ups, unless the video plays: one server of the service may have lost the session, or not have it yet.
// - A page that has been hidden for a minute asks no more until it is visible.
// - An id that the proxy would not pass on is refused without a request.
import type { LiveSession } from '../protocol/live-session.ts';
import { isPathSegment } from '../protocol/path-segment.ts';
import { ownError } from '../protocol/own-errors.ts';
import { SignError } from '../protocol/sign-error.ts';
import { type Clock, systemClock } from '../session/async.ts';
import type { SignClient } from '../session/rest/rest-client.ts';
import { delayMs, isTransient } from '../session/retry-policy.ts';

const CALM_MS = 30_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 8_000;
const JITTER = 0.25;
/** From this number of failures in a row on, the wait is at most 8 s. */
const LONGEST_BACKOFF = 4;
const HIDDEN_MS = 60_000;

interface LookupEvents {
  /** A look-up has answered with this session. */
  seen(session: LiveSession): void;
  /** A try failed and will be made again. */
  retrying(warning: SignError): void;
  /** It will not be looked up any more. */
  failed(error: SignError): void;
}

/** The members of `document` that are used; a test gives its own. */
interface PageLike {
  readonly hidden: boolean;
  addEventListener(type: 'visibilitychange', listen: () => void, options: { signal: AbortSignal }): void;
}

interface LookupOptions {
  readonly client: Pick<SignClient, 'liveSession'>;
  readonly id: string;
  readonly events: LookupEvents;
  readonly page?: PageLike;
  readonly clock?: Clock;
  readonly random?: () => number;
}

export class LiveLookup {
  readonly #client: LookupOptions['client'];
  readonly #id: string;
  readonly #events: LookupEvents;
  readonly #page: PageLike;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #ending = new AbortController();
  #timer: unknown;
  #calm = false;
  /** Look-ups since `calm` has changed. */
  #lookUps = 0;
  #failures = 0;
  #hiddenAt: number | null = null;
  /** A look-up was due while the page was hidden. */
  #asleep = false;
  #lookingUp: Promise<LiveSession> | null = null;

  constructor(options: LookupOptions) {
    this.#client = options.client;
    this.#id = options.id;
    this.#events = options.events;
    this.#page = options.page ?? document;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  start(): void {
    if (!isPathSegment(this.#id)) {
      this.stop();
      return this.#events.failed(ownError('invalid_request', `session="${this.#id}" is no session id`));
    }
    this.#onVisibility();
    const { signal } = this.#ending;
    this.#page.addEventListener('visibilitychange', () => this.#onVisibility(), { signal });
    // Node has no such events.
    globalThis.addEventListener?.('online', () => this.#failures > 0 && this.#due(), { signal });
    this.#due();
  }

  /** Ends the look-ups; no event follows. */
  stop(): void {
    this.#ending.abort();
    this.#clock.clearTimeout(this.#timer);
  }

  /** True while no change of the session is expected soon: its video plays. */
  set calm(calm: boolean) {
    if (calm === this.#calm) return;
    this.#calm = calm;
    this.#lookUps = 0;
    if (!this.#lookingUp && !this.#asleep) this.#plan(this.#pause());
  }

  /** Looks the session up now; calls at the same time share one request. Rejects as the client does. */
  lookUp(): Promise<LiveSession> {
    return (this.#lookingUp ??= this.#ask().finally(() => (this.#lookingUp = null)));
  }

  async #ask(): Promise<LiveSession> {
    const { signal } = this.#ending;
    this.#clock.clearTimeout(this.#timer);
    try {
      const retrying = (warning: SignError): void => this.#events.retrying(warning);
      const session = await this.#client.liveSession(this.#id, { signal, retrying });
      signal.throwIfAborted();
      this.#failures = 0;
      this.#events.seen(session);
      this.#plan(this.#pause());
      return session;
    } catch (error) {
      if (!signal.aborted) this.#onFailed(error);
      throw error;
    }
  }

  #onFailed(error: unknown): void {
    const failed = asOwn(error);
    const isRefused = !isTransient(failed);
    if (isRefused && !this.#calm) {
      this.stop();
      return this.#events.failed(failed);
    }
    const waitMs = delayMs(failed, Math.min(this.#failures, LONGEST_BACKOFF), this.#random);
    this.#plan(isRefused ? this.#pause() : waitMs);
    this.#failures += 1;
    this.#events.retrying(failed.asWarning());
  }

  #pause(): number {
    const wait = this.#calm ? CALM_MS : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#lookUps++);
    return wait * (1 - JITTER * this.#random());
  }

  #plan(afterMs: number): void {
    this.#clock.clearTimeout(this.#timer);
    if (this.#ending.signal.aborted) return;
    this.#timer = this.#clock.setTimeout(() => this.#due(), afterMs);
  }

  #due(): void {
    this.#asleep = this.#hiddenAt !== null && this.#clock.now() - this.#hiddenAt >= HIDDEN_MS;
    // An event has reported the error already.
    if (!this.#asleep) this.lookUp().catch(() => {});
  }

  #onVisibility(): void {
    this.#hiddenAt = this.#page.hidden ? (this.#hiddenAt ?? this.#clock.now()) : null;
    if (this.#asleep) this.#due();
  }
}

/** The service's code for an unknown id becomes our own, so that a page sees one code for it. */
function asOwn(error: unknown): SignError {
  if (!(error instanceof SignError)) return ownError('protocol_error', undefined, { cause: error });
  const { code, message, requestId } = error;
  return code === 'NOT_FOUND' ? ownError('not_found', message, { requestId, cause: error }) : error;
}
