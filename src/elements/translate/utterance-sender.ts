// Sends waiting utterances to the session of their settings, and passes results and events on.
// - An utterance in stream mode is sent once all clips before it have been shown, because a stream does not wait.
// - While the element is not connected to a document, nothing is sent.
import type { StreamManifests } from '../../protocol/find-url.ts';
import { ownError, type SignError } from '../../protocol/sign-error.ts';
import { deferred } from '../../session/promises.ts';
import type { SessionSummary, SignResult } from '../../session/session-events.ts';
import type { SessionState } from '../../session/states.ts';
import type { ServiceSession } from '../../session/service-session.ts';
import type { SignEventDetails } from '../sign-events.ts';
import type { ClipResult } from './clip-presenter.ts';
import { CurrentSession } from './current-session.ts';
import { sameSettings, type SessionSettings } from './session-settings.ts';
import type { UtterancePlayback } from './utterance-playback.ts';

export interface UtteranceSenderEvents {
  emit<Name extends keyof SignEventDetails>(name: Name, detail: SignEventDetails[Name]): void;
  /** One part of an utterance has its video. */
  result(playback: UtterancePlayback, result: ClipResult): void;
  /** An utterance cannot be signed. */
  failed(playback: UtterancePlayback, reason: unknown): void;
  /** An utterance is in a stream, or the session has a new stream. */
  streamed(): void;
  /** The stream player will be needed. */
  prepareStreams(): void;
  /** The session's state has changed. */
  stateChanged(): void;
}

export class UtteranceSender {
  readonly #playbacks: () => readonly UtterancePlayback[];
  readonly #events: UtteranceSenderEvents;
  readonly #sessions: CurrentSession;
  #untilConnected: ReturnType<typeof deferred<void>> | null = deferred();
  #ongoing: StreamManifests | null = null;
  /** Errors that a session has reported: the error of a renewal also arrives with its clip. */
  readonly #reported = new WeakSet<SignError>();

  /** `playbacks`: those that have not settled, in call order. */
  constructor(playbacks: () => readonly UtterancePlayback[], events: UtteranceSenderEvents) {
    this.#playbacks = playbacks;
    this.#events = events;
    this.#sessions = new CurrentSession({
      opened: (session) => this.#onOpened(session),
      failed: (settings, error) => this.#onUnopened(settings, error),
      isBusy: (session) =>
        this.#playbacks().some((playback) => playback.session === session && !playback.loaded),
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

  /** While false nothing is sent. */
  set active(active: boolean) {
    if (active === (this.#untilConnected === null)) return;
    this.#untilConnected?.resolve();
    this.#untilConnected = active ? null : deferred();
  }

  /** Sends waiting utterances to the session of their settings, as far as that is possible now. */
  sendWaiting(canStream: boolean): void {
    let clipsBefore = false;
    for (const playback of this.#untilConnected ? [] : this.#playbacks()) {
      if (!playback.session && !playback.loaded) {
        if (playback.streamed) this.#events.prepareStreams();
        const session = this.#sessions.for(playback.settings);
        if (!session || (playback.streamed && (clipsBefore || !canStream))) return;
        this.#send(playback, session);
      }
      clipsBefore ||= !playback.streamed;
    }
  }

  /** Connects the session of these settings, as soon as the element is connected. */
  async connect(settings: SessionSettings): Promise<void> {
    await this.#untilConnected?.promise;
    await this.#sessions.connect(settings);
  }

  /** The next utterance gets a new session. Returns what ends the current one. */
  retire(): () => Promise<SessionSummary | null> {
    this.#ongoing = null;
    return this.#sessions.retire();
  }

  reset(): void {
    this.#ongoing = null;
    this.#sessions.reset();
  }

  #send(playback: UtterancePlayback, session: ServiceSession): void {
    playback.session = session;
    const { result } = session.sign(playback.text, {
      ref: playback.ref,
      signal: playback.abortController.signal,
    });
    result.then(
      async ({ manifests }) => {
        if (playback.streamed) return manifests ? this.#setPosition(playback, manifests, null) : undefined;
        // Only the session that made it can renew a clip.
        await Promise.allSettled(playback.clips.map(({ bytes }) => bytes.load()));
        playback.loaded = true;
        this.#events.stateChanged();
      },
      (error: unknown) => this.#events.failed(playback, error),
    );
  }

  /** A stream other than the ongoing one belongs to this utterance, and the session has changed to REST. */
  #setPosition(
    playback: UtterancePlayback,
    manifests: StreamManifests | null,
    acceptedAt: number | null,
  ): void {
    const url = manifests?.hls ?? null;
    if (url === null)
      return this.#events.failed(playback, ownError('media_error', 'there is no HLS manifest'));
    const own = url !== this.#ongoing?.hls;
    if (own) this.#ongoing = null;
    playback.position = { url, own, acceptedAt };
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
    session.on('sign-appended', ({ ref, acceptedAt }) => {
      const playback = this.#find(ref);
      if (playback) this.#setPosition(playback, session.manifests, acceptedAt);
    });
    session.on('sign-dropped', ({ ref, reason }) => {
      const playback = this.#find(ref);
      if (playback) this.#events.failed(playback, reason);
    });
    session.on('sign-statechange', ({ state }) => {
      // Its stream ends with it.
      if (state === 'ended' && session === this.#sessions.current) this.#ongoing = null;
      stateChanged();
    });
    stateChanged();
  }

  #onUnopened(settings: SessionSettings, error: SignError): void {
    this.#events.emit('sign-error', { error });
    const unsent = this.#playbacks().filter((playback) => !playback.session);
    for (const playback of unsent) {
      if (sameSettings(playback.settings, settings)) this.#events.failed(playback, error);
    }
  }

  #onResult(session: ServiceSession, { piece: part, pieces: parts, ...detail }: SignResult): void {
    const { ref, url, durationSeconds } = detail;
    const playback = this.#find(ref);
    const renew = async (signal: AbortSignal): Promise<string> =>
      (await session.renew(ref, { piece: part, signal })).url;
    // Its media first: a slow event handler of the page must not delay the first frame.
    if (playback) this.#events.result(playback, { part, parts, url, durationSeconds, renew });
    else session.played(ref, part);
    this.#events.emit('sign-result', detail);
  }

  #find(ref: string): UtterancePlayback | undefined {
    return this.#playbacks().find((playback) => playback.ref === ref);
  }
}
