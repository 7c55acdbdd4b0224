// Sends waiting utterances to the session of their settings, and passes results and events on.
// - An utterance in stream mode is sent once all clips before it have been shown, because a stream does not wait. Streams by REST
//   before it count as clips when it goes into the ongoing stream of a session.
// - While the element is not connected to a document, nothing is sent.
import type { StreamManifests } from '../../protocol/find-url.ts';
import { ownError } from '../../protocol/own-errors.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import { deferred } from '../../session/async.ts';
import type { SessionSummary, SignResult, SessionState } from '../../session/session-types.ts';
import type { ServiceSession } from '../../session/service-session.ts';
import type { SignEventDetails } from '../sign-events.ts';
import type { ClipResult } from './player-switch.ts';
import { CurrentSession, sameSettings } from './current-session.ts';
import type { SessionSettings } from './session-settings.ts';
import type { TranslateUtterance } from './translate-utterance.ts';

interface UtteranceSenderEvents {
  emit<Name extends keyof SignEventDetails>(name: Name, detail: SignEventDetails[Name]): void;
  /** One part of an utterance has its video. */
  result(utterance: TranslateUtterance, result: ClipResult): void;
  /** An utterance cannot be signed. */
  failed(utterance: TranslateUtterance, reason: unknown): void;
  /** An utterance is in a stream, or the session has a new stream. */
  streamed(): void;
  /** The session of the ongoing stream is lost. */
  streamLost(): void;
  /** The stream player will be needed. */
  prepareStreams(): void;
  /** The session's state has changed. */
  stateChanged(): void;
}

export class UtteranceSender {
  readonly #utterances: () => readonly TranslateUtterance[];
  readonly #events: UtteranceSenderEvents;
  readonly #sessions: CurrentSession;
  #untilConnected: ReturnType<typeof deferred<void>> | null = deferred();
  #ongoing: StreamManifests | null = null;
  /** Errors that a session has reported: the error of a renewal also arrives with its clip. */
  readonly #reported = new WeakSet<SignError>();

  /** `utterances`: those that have not settled, in call order. */
  constructor(utterances: () => readonly TranslateUtterance[], events: UtteranceSenderEvents) {
    this.#utterances = utterances;
    this.#events = events;
    this.#sessions = new CurrentSession({
      opened: (session) => this.#onOpened(session),
      retrying: (error) => this.#events.emit('sign-error', { error }),
      failed: (settings, error) => this.#onUnopened(settings, error),
      isBusy: (session) =>
        this.#utterances().some((utterance) => utterance.session === session && !utterance.loaded),
    });
  }

  get state(): SessionState {
    return this.#sessions.current?.state ?? 'idle';
  }

  /** The ongoing stream of the current session; null where each utterance has its own, or clips. */
  get manifests(): StreamManifests | null {
    return this.#ongoing;
  }

  hasReported(error: SignError): boolean {
    return this.#reported.has(error);
  }

  /** Nothing is sent while it is false. */
  set active(active: boolean) {
    if (active === (this.#untilConnected === null)) return;
    this.#untilConnected?.resolve();
    this.#untilConnected = active ? null : deferred();
  }

  /** Sends waiting utterances to the session of their settings, as far as that is possible now. */
  sendWaiting(canStream: boolean): void {
    let clipsBefore = false;
    for (const utterance of this.#untilConnected ? [] : this.#utterances()) {
      if (!utterance.session && !utterance.loaded) {
        if (utterance.streamed) this.#events.prepareStreams();
        const session = this.#sessions.for(utterance.settings);
        if (!session || (utterance.streamed && (clipsBefore || !canStream))) return;
        this.#send(utterance, session);
      }
      // Without a session a prepared clip of it is looked for.
      const isOwn = this.#ongoing && utterance.position?.own;
      clipsBefore ||= !utterance.streamed || !utterance.session || !!isOwn;
    }
  }

  /** Connects the session of these settings, as soon as the element is connected. */
  connect(settings: SessionSettings): Promise<void> {
    return this.#sessions.connect(settings, this.#untilConnected?.promise);
  }

  /** The next utterance gets a new session. Returns a function that ends the current one. */
  retire(): () => Promise<SessionSummary | null> {
    this.#ongoing = null;
    return this.#sessions.retire();
  }

  reset(): void {
    this.#ongoing = null;
    this.#sessions.reset();
  }

  #send(utterance: TranslateUtterance, session: ServiceSession): void {
    utterance.session = session;
    session.sign(utterance).result.then(
      async ({ manifests }) => {
        if (utterance.streamed) return manifests && this.#setPosition(utterance, manifests, null, true);
        // Only the session that made it can renew a clip.
        await utterance.ready.promise;
        utterance.loaded = true;
        this.#events.stateChanged();
      },
      (error: unknown) => this.#events.failed(utterance, error),
    );
  }

  /** @param own the stream belongs to this utterance alone: it was signed by REST */
  #setPosition(
    utterance: TranslateUtterance,
    manifests: StreamManifests | null,
    acceptedAt: number | null,
    own: boolean,
  ): void {
    const url = manifests?.hls ?? null;
    if (url === null) return this.#events.failed(utterance, ownError('media_error', 'no HLS stream'));
    utterance.position = { url, own, acceptedAt, seenAt: performance.now() };
    this.#events.streamed();
  }

  #onOpened(session: ServiceSession): void {
    const { emit, stateChanged, prepareStreams, streamed } = this.#events;
    const forward = ['sign-ready', 'sign-accepted', 'sign-progress', 'sign-error', 'sign-summary'] as const;
    for (const name of forward) session.on(name, (detail) => emit(name, detail));
    session.on('sign-error', ({ error }) => void this.#reported.add(error));
    session.on('sign-result', (result) => this.#onResult(session, result));
    this.#ongoing = null;
    session.on('sign-ready', () => {
      if (session !== this.#sessions.current) return;
      this.#ongoing = session.manifests;
      if (session.manifests) prepareStreams();
      streamed();
    });
    session.on('sign-appended', ({ ref, acceptedAt, manifests }) => {
      const utterance = this.#find(ref);
      if (utterance) this.#setPosition(utterance, manifests ?? session.manifests, acceptedAt, !!manifests);
    });
    session.on('sign-dropped', ({ ref, reason }) => {
      const utterance = this.#find(ref);
      if (utterance) this.#events.failed(utterance, reason);
    });
    session.on('sign-statechange', ({ state }) => {
      // The stream ends with its session.
      if (session === this.#sessions.current && state !== 'ready') this.#ongoing = null;
      if (session === this.#sessions.current && state === 'reconnecting') this.#events.streamLost();
      stateChanged();
    });
    stateChanged();
  }

  #onUnopened(settings: SessionSettings, error: SignError): void {
    this.#events.emit('sign-error', { error });
    const unsent = this.#utterances().filter((utterance) => !utterance.session);
    for (const utterance of unsent) {
      if (sameSettings(utterance.settings, settings)) this.#events.failed(utterance, error);
    }
    this.#events.emit('sign-statechange', { state: 'failed' });
    // Utterances with other settings have waited for this session.
    this.#events.stateChanged();
  }

  #onResult(session: ServiceSession, { partIndex: part, partCount: parts, ...detail }: SignResult): void {
    const { ref, url, durationSeconds } = detail;
    const utterance = this.#find(ref);
    const renew = async (signal: AbortSignal): Promise<string> =>
      (await session.renew(ref, { partIndex: part, signal })).url;
    // Its media is loaded first: a slow event handler of the page must not delay the first frame.
    if (utterance) this.#events.result(utterance, { part, parts, url, durationSeconds, renew });
    else session.played(ref, part);
    this.#events.emit('sign-result', detail);
  }

  #find(ref: string): TranslateUtterance | undefined {
    return this.#utterances().find((utterance) => utterance.ref === ref);
  }
}
