// The session that serves an element: one at a time, opened for a route. Policy: the session of an earlier route first
// serves all of its own texts, then ends, and a new one serves the rest; a session that was ended is never used again.
import { SignError } from '../../protocol/sign-error.ts';
import { abortError } from '../../session/promises.ts';
import type { SessionSummary } from '../../session/session-events.ts';
import type { ServiceSession } from '../../session/service-session.ts';
import { openSession } from './open-session.ts';
import { sameRoute, type SessionRoute } from './session-route.ts';

export interface CurrentSessionEvents {
  /** This one is there and serves from now on. */
  opened(session: ServiceSession): void;
  /** None can be had for this route. */
  failed(route: SessionRoute, error: SignError): void;
  /** True while this session has texts of its own to serve. */
  isBusy(session: ServiceSession): boolean;
}

export class CurrentSession {
  readonly #events: CurrentSessionEvents;
  #current: ServiceSession | null = null;
  #route: SessionRoute | null = null;
  /** On its way out: the next text gets a new one. */
  #retired = false;
  /** Null in the end when nobody wants it any more. */
  #opening: Promise<ServiceSession | null> | null = null;

  constructor(events: CurrentSessionEvents) {
    this.#events = events;
  }

  /** The latest; null before the first. */
  get current(): ServiceSession | null {
    return this.#current;
  }

  /** The session for a route; null while it is being opened or another one is busy. `opened` tells when to ask again. */
  for(route: SessionRoute): ServiceSession | null {
    if (this.#opening) return null;
    if (this.#current && !this.#retired) {
      if (this.#route && sameRoute(this.#route, route)) return this.#current;
      if (this.#events.isBusy(this.#current)) return null;
    }
    this.#opening = this.#open(route);
    this.#opening.catch(() => {});
    return null;
  }

  /** Has the session of a route connect; does nothing while another one is busy. */
  async connect(route: SessionRoute): Promise<void> {
    const session = this.for(route) ?? this.#opening;
    if (session === null) return;
    const opened = await session;
    if (opened === null) throw abortError('the session was ended');
    await opened.connect();
  }

  /** The next text gets a new one. Returns what ends the one now in force: its summary, null when there is none. */
  retire(): () => Promise<SessionSummary | null> {
    const session = this.#current;
    this.#opening = null;
    this.#retired = true;
    return async () => (await session?.end()) ?? null;
  }

  /** Ends it at once and forgets it. */
  reset(): void {
    void this.retire()();
    this.#current = this.#route = null;
  }

  async #open(route: SessionRoute): Promise<ServiceSession | null> {
    // Later, so that `#opening` is set by then.
    await Promise.resolve();
    const opening = this.#opening;
    try {
      const session = await openSession(route);
      if (this.#opening !== opening) return null;
      if (!this.#retired) void this.#current?.end();
      this.#opening = null;
      this.#current = session;
      this.#route = route;
      this.#retired = false;
      this.#events.opened(session);
      return session;
    } catch (error) {
      if (this.#opening !== opening) return null;
      this.#opening = null;
      if (error instanceof SignError) this.#events.failed(route, error);
      throw error;
    }
  }
}
