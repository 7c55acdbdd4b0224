// The controller of `<sign-live-player>`, loaded with its first session or manifest: looks the session up, plays its stream.
// - When media does not arrive, the session is looked up. Playback fails when the state of the session says so, or after
//   eight streams of a started session without a painted frame. The composite is shown as soon as the session has it.
// - A session that has ended is played to its last frame. An error is one event, a warning where playback goes on.
// - Code and media that did not load, and refused media of a session, are tried again after 10 s and on `online`; the error is
//   shown until there is a picture.
import type { TemplateResult } from 'lit';
import { loadCode } from '../internal/load-code.ts';
import { untilOnlineOr } from '../internal/until-online.ts';
import { plainEvent } from '../internal/plain-event.ts';
import type { LivePlayer } from '../playback/live/live-player.ts';
import type { SignStats } from '../playback/counts.ts';
import type { StreamAddresses } from '../playback/live/engine.ts';
import type { LiveSession } from '../protocol/live-session.ts';
import { ownError } from '../protocol/own-errors.ts';
import { loadFailed, SignError } from '../protocol/sign-error.ts';
import type { Strings } from '../strings/en.ts';
import { hasStreams, liveControls, messageOf, stateOf, type LiveCondition } from './live-view.ts';
import { VideoSync, videoById } from './video-sync.ts';
import { LiveLookup } from './live-lookup.ts';
import { LiveStream, addressesFor, isSameSubject, targetLatencyOf, type LiveOptions } from './live-stream.ts';
import type { Controller, ControllerEvents } from './controller.ts';
import { resolveProxy } from './attributes.ts';
import type { ViewState } from './controls.ts';
import { errorMessage } from '../strings/errors.ts';

const [MOST_LOST, AGAIN_MS] = [8, 10_000];
/** How often the delay in the control bar is updated, and `sign-stats` is fired. */
const UPDATE_MS = 1_000;

export class LiveController implements Controller {
  readonly errorMessage = errorMessage;
  readonly preparing = false;
  readonly replayable = false;
  readonly #host: HTMLElement;
  readonly #events: ControllerEvents;
  readonly #readOptions: () => LiveOptions | null;
  readonly #stream: LiveStream;
  #options: LiveOptions | null = null;
  #lookup: LiveLookup | null = null;
  /** Aborted when another session or manifest is played. */
  #run = new AbortController();
  #session: LiveSession | null = null;
  #fault: SignError | null = null;
  #unreachable = false;
  /** True while a stream must be shown and none is being played. */
  #needsStream = false;
  /** True after a pause by the page or the visitor: the next stream starts paused. */
  #isHeld = false;
  /** Number of streams that were lost before a painted frame, since the last painted one. */
  #lost = 0;
  #videoSync: VideoSync | null = null;
  #ticking: ReturnType<typeof setInterval> | undefined;

  /** @param options what the page asks for now; null while it is not on a page */
  constructor(host: HTMLElement, events: ControllerEvents, options: () => LiveOptions | null) {
    this.#host = host;
    this.#events = events;
    this.#readOptions = options;
    this.#stream = new LiveStream({
      renew: () => this.#renew(),
      isOver: () => this.#session?.status === 'ended',
      over: () => void this.#lookup?.lookUp().catch(() => {}),
      lost: (error) => this.#onLost(error),
      changed: () => this.#update(),
    });
    this.player.addEventListener('play', () => (this.#isHeld = false));
    this.player.retrying = (cause) => events.emit('sign-error', { error: loadFailed(cause).asWarning() });
    // Media-chrome's controls need these besides the events of a media element.
    for (const type of ['streamtypechange', 'targetlivewindowchange'])
      this.player.addEventListener(type, () => host.dispatchEvent(plainEvent(type)));
  }

  get stats(): SignStats {
    return { ...this.player.counts };
  }

  get player(): LivePlayer {
    return this.#stream.player;
  }

  /** The session as last looked up; null for a `src`. */
  get session(): LiveSession | null {
    return this.#session;
  }

  /** A composite has no backplate to remove. */
  get paintsBackground(): boolean {
    return this.#options?.view === 'composite' && Boolean(this.#session?.manifests.pip);
  }

  viewState(strings: Strings): ViewState {
    const message = messageOf(this.#condition, strings);
    return {
      message,
      start: this.player.blocked ? strings.play : null,
      spoken: message && !message.soft ? message.text : '',
      replayable: false,
    };
  }

  controls(strings: Strings): TemplateResult {
    const { paused, latency, livePosition, currentTime } = this.player;
    const goLive = (): void => {
      // The button disappears when it is pressed; the focus stays in the element.
      this.#host.focus({ preventScroll: true });
      this.player.goLive();
    };
    const late = this.#videoSync?.leads ? NaN : livePosition - currentTime;
    const lag = this.#videoSync?.lag ?? null;
    return liveControls({ strings, paused, latency, late, lag, goLive });
  }

  /** Plays what the page asks for; when only `view` or `protocol` has changed, at the current position. */
  update(): void {
    const options = this.#readOptions();
    if (!options) return;
    const before = this.#options;
    this.#options = options;
    this.player.targetLatency = targetLatencyOf(options);
    this.#ticking ??= setInterval(() => {
      this.#events.invalidate();
      if (this.#stream.painted) this.#events.emit('sign-stats', this.stats);
    }, UPDATE_MS);
    if (before?.syncWith !== options.syncWith) this.#syncWith(options.syncWith);
    if (!before || !isSameSubject(before, options)) this.#begin(options);
    else if (before.view !== options.view || before.protocol !== options.protocol) this.#change();
  }

  /** Plays on; after a final failure it tries again. */
  play(): Promise<void> {
    this.#isHeld = false;
    if (this.#fault && this.#options) this.#begin(this.#options);
    return this.player.play();
  }

  pause(): void {
    this.#isHeld = true;
    this.player.pause();
  }

  /** Plays a stream with an end from its beginning. */
  replay(): void {
    if (this.player.ended) this.player.tryToPlay();
  }

  /** Releases everything; `update` starts again. */
  reset(): void {
    this.#options = null;
    this.#isHeld = false;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#syncWith(null);
    this.#end();
    this.#update();
  }

  #syncWith(id: string | null): void {
    this.#videoSync?.end();
    this.#videoSync = id ? new VideoSync(this.player, () => videoById(this.#host, id)) : null;
  }

  #end(): void {
    this.#run.abort();
    this.#run = new AbortController();
    this.#lookup?.stop();
    this.#lookup = this.#session = this.#fault = null;
    this.#needsStream = this.#unreachable = false;
    this.#lost = 0;
    this.#stream.drop();
  }

  #begin(options: LiveOptions, fault: SignError | null = null): void {
    this.#end();
    this.#fault = fault;
    this.#needsStream = Boolean(options.session || options.src);
    const { signal } = this.#run;
    if (this.#isHeld) this.player.pause();
    if (options.session) {
      this.#lookUp(options, signal).catch((error: unknown) => {
        if (!signal.aborted) this.#fail(error instanceof SignError ? error : loadFailed(error));
      });
    } else this.#showWanted();
    this.#update();
  }

  async #lookUp({ proxy, session }: LiveOptions, signal: AbortSignal): Promise<void> {
    const prefix = resolveProxy(proxy);
    const retrying = (error: SignError): void => {
      this.#unreachable = true;
      this.#update();
      this.#events.emit('sign-error', { error });
    };
    const { createSignClient } = await loadCode(() => import('../session/rest/rest-client.ts'), {
      signal,
      retrying: (cause) => retrying(loadFailed(cause).asWarning()),
    });
    this.#lookup = new LiveLookup({
      client: createSignClient({ proxy: prefix }),
      id: session ?? '',
      events: { seen: (session) => this.#onSeen(session), retrying, failed: (error) => this.#fail(error) },
    });
    this.#lookup.start();
  }

  #onSeen(session: LiveSession): void {
    const [before, wasComposite] = [this.#session, this.paintsBackground];
    this.#session = session;
    // A stream that was opened before the session started may be in a long wait between two tries, so it is opened anew.
    const isLate = before?.startedAt === null && session.startedAt !== null && !this.#stream.painted;
    if (isLate || (this.paintsBackground && !wasComposite)) this.#needsStream = true;
    this.#unreachable = false;
    if (session.status === 'ended') {
      this.#lookup?.stop();
      [this.#needsStream, this.#fault] = [false, null];
      if (session.error !== null) this.#report(ownError('session_failed', session.error));
      if (!this.#stream.painted) this.#stream.drop();
    } else if (!hasStreams(session)) {
      this.#fail(ownError('media_error', 'the session’s output is no stream that a page can play'));
    } else this.#showWanted();
    this.#update();
  }

  /** Changes view or protocol of the current stream. */
  #change(): void {
    if (this.#fault && this.#options) return this.#begin(this.#options);
    this.#needsStream = this.#session?.status !== 'ended';
    this.#showWanted();
  }

  /** Shows the stream as soon as its address is known. */
  #showWanted(): void {
    if (!this.#needsStream) return;
    try {
      const found = this.#options && addressesFor(this.#options, this.#session);
      // The session names no stream yet; the next look-up calls this again.
      if (!found) return;
      this.#needsStream = false;
      this.#stream.show(found, this.#lookup !== null);
    } catch (error) {
      this.#fail(error as SignError);
    }
  }

  async #renew(): Promise<StreamAddresses | null> {
    const session = await this.#lookup?.lookUp();
    if (session?.status !== 'active' || !this.#options) return null;
    return addressesFor(this.#options, session)?.addresses ?? null;
  }

  #onLost(error: SignError): void {
    if (!this.#lookup) return this.#fail(error);
    const { status, startedAt = null } = this.#session ?? {};
    if (status === 'ended') return this.#stream.drop();
    if (startedAt !== null && ++this.#lost >= MOST_LOST) return this.#fail(error);
    // The next look-up shows a stream again.
    this.#needsStream = true;
    this.#events.emit('sign-error', { error: error.asWarning() });
  }

  /** Nothing is tried again until the page asks for it, unless code or media may come later. The error is spoken once. */
  #fail(error: SignError): void {
    // After the last frame, `not_found` means that the service has deleted the ended session.
    if (error.code === 'not_found' && this.#session && this.#stream.over)
      return this.#onSeen({ ...this.#session, status: 'ended' });
    this.#lookup?.stop();
    [this.#needsStream, this.#fault] = [false, error];
    this.#stream.drop();
    const again = (): void => this.#begin(this.#options!, error);
    // The service still names what its media host refuses.
    if (error.retryable || error.cause === 'network' || (this.#session && error.code === 'media_refused'))
      untilOnlineOr(AGAIN_MS, this.#run.signal).then(again, () => {});
    this.#report(error);
  }

  #report(error: SignError): void {
    this.#fault = error;
    this.#update();
    this.#events.emit('sign-error', { error });
  }

  get #condition(): LiveCondition {
    const { painted, recovering, over } = this.#stream;
    return {
      wanted: Boolean(this.#options?.session || this.#options?.src),
      session: this.#session,
      fault: this.#fault,
      ...{ painted, recovering, over },
      unreachable: this.#unreachable,
      paused: this.player.paused,
    };
  }

  #update(): void {
    const plays = this.#stream.painted && !this.#stream.recovering;
    if (plays && this.#session?.status !== 'ended') [this.#lost, this.#fault] = [0, null];
    if (this.#lookup) this.#lookup.calm = plays && !this.#stream.over && this.#session?.status === 'active';
    this.#events.state(stateOf(this.#condition));
  }
}
