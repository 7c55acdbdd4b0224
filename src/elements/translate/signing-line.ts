// The row of texts of one element: the only place where a session's results (sending.ts) meet what shows them
// (pictures.ts). Policy: texts are shown in call order, whatever order results come in; each is signed once; a text that
// fails or is aborted leaves a gap that closes, and nothing of the others is lost. A text keeps the route it was asked for
// with. An error is told once, by the session or by the line.
import type { PlaylistPlayer } from '../../playback/clips/playlist-player.ts';
import { ownError, type SignError } from '../../protocol/sign-error.ts';
import { abortError } from '../../session/promises.ts';
import type { SessionSummary } from '../../session/session-events.ts';
import { newWireId } from '../../session/utterance-part.ts';
import type { SignEventDetails, SignState } from '../sign-events.ts';
import { Pictures } from './pictures.ts';
import { Sending } from './sending.ts';
import type { SessionRoute } from './session-route.ts';
import { SignCall, type SignOutcome } from './sign-call.ts';
import type { Player } from '../../playback/player.ts';

export interface SigningLineEvents {
  emit<Name extends keyof SignEventDetails>(name: Name, detail: SignEventDetails[Name]): void;
  /** There is one more picture; its stage goes on top of those before. */
  added(picture: Player): void;
  /** Anything that is shown may have changed. */
  changed(): void;
}

const dropped = (): DOMException => abortError('this text is not signed any more');

export class SigningLine {
  readonly #events: SigningLineEvents;
  readonly #sending: Sending;
  readonly #pictures: Pictures;
  /** Not yet settled, in call order. */
  #calls: SignCall[] = [];
  /** The text on screen. */
  #showing: SignCall | null = null;
  #last: SignCall | null = null;
  #state: SignState = 'idle';

  constructor(timeline: PlaylistPlayer, events: SigningLineEvents) {
    this.#events = events;
    this.#sending = new Sending(() => this.#calls, {
      emit: events.emit,
      result: (call, result) => {
        this.#pictures.take(call, result);
        this.#deliver();
      },
      failed: (call, reason) => this.#drop([call], reason),
      streamed: () => this.#deliver(),
      prepareStreams: () => this.#pictures.prepareStreams(),
      moved: () => this.#advance(),
    });
    this.#pictures = new Pictures(timeline, {
      started: (call, estimated) => this.#onStart(call, estimated),
      ended: (call, estimated) => this.#onEnd(call, estimated),
      failed: (call, error) => this.#onFailed([call], error, call.ref),
      streamsLost: (error) => this.#onStreamsLost(error),
      streamsReady: () => this.#advance(),
      added: events.added,
      changed: events.changed,
    });
  }

  /** What the page sees and steers. */
  get player(): Player {
    return this.#pictures.front;
  }

  get state(): SignState {
    return this.#state;
  }

  /** The text being signed, null between texts. */
  get showing(): string | null {
    return this.#showing?.text ?? null;
  }

  /** True while a text waits to be signed. */
  get waiting(): boolean {
    return this.#calls.some((call) => !call.started);
  }

  /** True while there is a text that has not been signed to its end. */
  get busy(): boolean {
    return this.#calls.length > 0 || this.#showing !== null;
  }

  /** True once there is a text that `replay()` can show. */
  get replayable(): boolean {
    return this.#last !== null && this.#pictures.canReplay(this.#last);
  }

  /** While false nothing is sent: an element that is not on the page has nobody to sign for. */
  set active(active: boolean) {
    this.#sending.active = active;
    this.#advance();
  }

  play(): Promise<void> {
    return this.#pictures.play();
  }

  pause(): void {
    this.#pictures.pause();
  }

  /** Queues a text; the promise is that of the element's `sign()`. */
  sign(text: string, route: SessionRoute, signal?: AbortSignal): Promise<SignOutcome> {
    const call = new SignCall(newWireId(), text, route, route.mode === 'stream');
    if (signal?.aborted) {
      call.reject(dropped());
      return call.outcome;
    }
    const abort = (): void => this.#drop([call], dropped());
    signal?.addEventListener('abort', abort, { once: true, signal: call.stop.signal });
    this.#calls.push(call);
    this.#advance();
    return call.outcome;
  }

  /** Queues a video that a page has of a text, which wins over the service (`data-sign-src`). */
  show(text: string, url: string, route: SessionRoute): Promise<SignOutcome> {
    const call = new SignCall(newWireId(), text, route, false);
    call.served = true;
    const renew = (): Promise<string> =>
      Promise.reject(ownError('media_refused', 'the page’s own video is not there'));
    this.#calls.push(call);
    this.#pictures.take(call, { piece: 0, pieces: 1, url, renew, durationSeconds: null });
    this.#deliver();
    return call.outcome;
  }

  /** Drops what waits; the text on screen goes on. */
  clear(): void {
    const waiting = this.#calls.filter((call) => !call.started);
    this.#drop(waiting, dropped());
  }

  replay(): void {
    if (this.#last && this.replayable) this.#pictures.replay(this.#last);
  }

  /** Opens the session ahead of the first text, as soon as the element is on a page. */
  connect(route: SessionRoute): Promise<void> {
    return this.#sending.connect(route);
  }

  /** Lets the text on screen finish, unless it is or gets paused; rejects what waits; ends the session. */
  async end(): Promise<SessionSummary | null> {
    const endSession = this.#sending.retire();
    this.clear();
    const playing = this.#calls.find((call) => call.started);
    if (playing && !this.player.paused) {
      await Promise.race([playing.outcome.catch(() => {}), pauseOf(this.player, playing.stop.signal)]);
    }
    return endSession();
  }

  /** Ends everything at once; the line can be used again and then starts idle. */
  reset(): void {
    // Its stream is not to be opened once more while texts are dropped.
    this.#sending.retire();
    const calls = this.#calls;
    this.#calls = [];
    this.#showing = this.#last = null;
    this.#pictures.reset();
    this.#drop(calls, dropped());
    this.#sending.reset();
    this.#updateState();
  }

  /** Sends and shows what can be, and tells the state. */
  #advance(): void {
    this.#sending.feed(this.#pictures.canStream);
    this.#deliver();
    this.#updateState();
  }

  #deliver(): void {
    this.#pictures.deliver(this.#calls, this.#sending.manifests);
    this.#events.changed();
  }

  #onStart(call: SignCall, estimated: boolean): void {
    call.started = true;
    if (call.streamed && !call.settled) call.session?.started(call.ref);
    this.#showing = this.#last = call;
    this.#updateState();
    this.#events.emit('sign-start', { ref: call.ref, text: call.text, ...(estimated && { estimated }) });
  }

  #onEnd(call: SignCall, estimated: boolean): void {
    if (this.#showing === call) this.#showing = null;
    this.#calls = this.#calls.filter((other) => other !== call);
    this.#updateState();
    this.#events.emit('sign-end', { ref: call.ref, text: call.text, ...(estimated && { estimated }) });
    if (!call.settled) call.resolve();
    this.#advance();
  }

  #onFailed(calls: readonly SignCall[], error: SignError, ref?: string): void {
    if (!this.#sending.hasTold(error)) this.#events.emit('sign-error', { error, ...(ref && { ref }) });
    this.#drop(calls, error);
  }

  /** A new session brings a new stream. */
  #onStreamsLost(error: SignError): void {
    const endSession = this.#sending.retire();
    this.#onFailed(
      this.#calls.filter((call) => call.streamed),
      error,
    );
    void endSession();
  }

  /** Takes texts out of the line, wherever they are. */
  #drop(calls: readonly SignCall[], reason: unknown): void {
    const open = calls.filter((call) => !call.settled);
    this.#calls = this.#calls.filter((call) => !open.includes(call));
    // A replay that fails is of a text that has settled before.
    if (this.#showing && calls.includes(this.#showing)) this.#showing = null;
    if (this.#last && calls.includes(this.#last)) this.#last = null;
    // The last first: a place in the session that comes free must not go to one that is dropped too.
    for (const call of open.toReversed()) call.stop.abort();
    for (const call of open) {
      call.reject(reason);
      this.#pictures.drop(call);
    }
    this.#advance();
  }

  /** True while the text that comes next has a picture to go on with. */
  get #joining(): boolean {
    const next = this.#calls[0];
    return this.#state === 'signing' && next !== undefined && (next.delivered > 0 || next.place !== null);
  }

  #updateState(): void {
    const session = this.#sending.state;
    const calm = session !== 'failed' && session !== 'reconnecting' && session !== 'finalizing';
    // A join between two texts is still signing: the next one's picture is there already.
    const signing = this.#showing !== null || this.#joining;
    const state = calm && signing ? 'signing' : session;
    if (state !== this.#state) {
      this.#state = state;
      this.#events.emit('sign-statechange', { state });
    }
    this.#events.changed();
  }
}

/** Resolves when the visitor pauses the picture; not after the signal aborts. */
function pauseOf(picture: Player, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    picture.addEventListener('pause', () => resolve(), { once: true, signal });
  });
}
