// The session that serves an element: one at a time, opened for the settings of the next utterance.
// - Session code is loaded with the first utterance or `connect()`, so that a page that uses neither does not load it.
// - After a change of settings the old session first serves all of its own utterances, then ends; a new one serves the rest.
// - A session that has ended is never used again.
import { loadCode } from '../../internal/load-code.ts';
import { loadFailed, SignError } from '../../protocol/sign-error.ts';
import { abortError } from '../../session/async.ts';
import type { SessionSummary } from '../../session/session-types.ts';
import type { ServiceSession } from '../../session/service-session.ts';
import type { SessionSettings } from './session-settings.ts';

/** The most parts that are answered and not yet played; over it sending waits for playback (SEMANTICS, ahead). */
const MAX_UNPLAYED = 8;

interface CurrentSessionEvents {
  /** This session serves from now on. */
  opened(session: ServiceSession): void;
  /** The code of the session did not load, and is tried again. */
  retrying(warning: SignError): void;
  /** The session for these settings cannot be loaded. */
  failed(settings: SessionSettings, error: SignError): void;
  /** True while this session has utterances to serve. */
  isBusy(session: ServiceSession): boolean;
}

export class CurrentSession {
  readonly #events: CurrentSessionEvents;
  #current: ServiceSession | null = null;
  #settings: SessionSettings | null = null;
  /** The next utterance gets a new session. */
  #retired = false;
  /** Resolves with null when the session is no longer wanted. */
  #opening: Promise<ServiceSession | null> | null = null;
  /** Aborted when the session is retired. */
  #retirement = new AbortController();

  constructor(events: CurrentSessionEvents) {
    this.#events = events;
  }

  /** The latest session; null before the first. */
  get current(): ServiceSession | null {
    return this.#current;
  }

  /** The session for these settings; null while it is being opened or another one is busy. Call again after `opened`. */
  for(settings: SessionSettings): ServiceSession | null {
    if (this.#opening) return null;
    if (this.#current && !this.#retired) {
      if (this.#settings && sameSettings(this.#settings, settings)) return this.#current;
      if (this.#events.isBusy(this.#current)) return null;
    }
    this.#opening = this.#open(settings);
    this.#opening.catch(() => {});
    return null;
  }

  /**
   * Connects the session of these settings, once `active` resolves; does nothing while another one is busy. Rejects when it
   * is retired before that, even in the same task: otherwise it would open a session that nobody ends.
   */
  async connect(settings: SessionSettings, active: Promise<void> | undefined): Promise<void> {
    const { signal } = this.#retirement;
    await active;
    signal.throwIfAborted();
    const session = this.for(settings) ?? this.#opening;
    if (session === null) return;
    const opened = await session;
    signal.throwIfAborted();
    await opened?.connect();
  }

  /** The next utterance gets a new session. The returned function ends the current one; its summary is null when there is none. */
  retire(): () => Promise<SessionSummary | null> {
    const session = this.#current;
    this.#retirement.abort(abortError('ended'));
    this.#retirement = new AbortController();
    this.#opening = null;
    this.#retired = true;
    return async () => (await session?.end()) ?? null;
  }

  /** Ends it at once and forgets it. */
  reset(): void {
    void this.retire()();
    this.#current = this.#settings = null;
  }

  async #open(settings: SessionSettings): Promise<ServiceSession | null> {
    // Continues after `#opening` is set.
    await Promise.resolve();
    const opening = this.#opening;
    try {
      const session = await openSession(settings, this.#events.retrying);
      if (this.#opening !== opening) return null;
      if (!this.#retired) void this.#current?.end();
      this.#opening = null;
      this.#current = session;
      this.#settings = settings;
      this.#retired = false;
      this.#events.opened(session);
      return session;
    } catch (error) {
      if (this.#opening !== opening) return null;
      this.#opening = null;
      if (error instanceof SignError) this.#events.failed(settings, error);
      throw error;
    }
  }
}

export const sameSettings = (a: SessionSettings, b: SessionSettings): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** The address of the proxy's WebSocket. */
const socketUrl = (prefix: string): string => `${prefix.replace(/^http/, 'ws')}/ws/`;

/** @throws SignError `load_failed` when the script for it does not load. */
async function openSession(
  settings: SessionSettings,
  retrying: CurrentSessionEvents['retrying'],
): Promise<ServiceSession> {
  const { proxy, background, generateOptions, transport, mode, config, ticket } = settings;
  try {
    const options = { retrying: (cause: unknown) => retrying(loadFailed(cause).asWarning()) };
    const [{ ServiceSession: Session }, tickets, streams] = await Promise.all([
      loadCode(() => import('../../session/service-session.ts'), options),
      ticket ? loadCode(() => import('../../session/ticket.ts')) : null,
      mode === 'stream' ? loadCode(() => import('../../protocol/find-url.ts'), options) : null,
    ]);
    const ticketed = tickets?.withTicket(ticket!);
    const rest = transport === 'v3' ? undefined : { proxy, background, generateOptions };
    const url = socketUrl(proxy);
    return new Session({
      url,
      transport,
      mode,
      config,
      rest,
      maxUnplayed: MAX_UNPLAYED,
      findManifests: streams?.findManifests,
      ...ticketed,
    });
  } catch (cause) {
    throw loadFailed(cause);
  }
}
