// The row of texts of one element: the only place where a session's results meet the timeline that plays them.
// Policy: texts play in call order, whatever order results come in; each is signed once; a text that fails or is
// aborted leaves a gap that closes, and nothing of the others is lost. A text keeps the route it was asked for with: the
// session of an earlier route first serves all of its own, then ends, and a new one serves the rest. At most 8 results
// wait to be played; then sending waits for playback. An error is told once, by the session or by the line.
import type { Clip, ClipTimeline } from '../playback/clip-timeline.ts';
import { ClipBytes } from '../playback/clip-bytes.ts';
import { ownError } from '../protocol/own-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';
import type { SessionEventMap, SignResult } from '../session/session-events.ts';
import { SignSession } from '../session/sign-session.ts';
import { newWireId } from '../session/wire-id.ts';
import { sameRoute, type SessionRoute } from './session-route.ts';
import { SignCall, type SignOutcome } from './sign-call.ts';
import type { SignEventDetails, SignState } from './sign-events.ts';

const MAX_UNPLAYED = 8;

export interface SigningLineEvents {
  emit<Name extends keyof SignEventDetails>(name: Name, detail: SignEventDetails[Name]): void;
  /** Anything that is shown may have changed. */
  changed(): void;
}

export type Summary = SessionEventMap['sign-summary'];

const abortError = (): DOMException => new DOMException('this text is not signed any more', 'AbortError');

export class SigningLine {
  readonly #timeline: ClipTimeline;
  readonly #events: SigningLineEvents;
  /** Not yet settled, in call order. */
  #calls: SignCall[] = [];
  #session: SignSession | null = null;
  #route: SessionRoute | null = null;
  #active = false;
  /** The session is on its way out: the next text gets a new one. */
  #retired = false;
  /** The text on screen. */
  #showing: SignCall | null = null;
  #last: SignCall | null = null;
  #state: SignState = 'idle';
  /** Errors that the session told: those of a renewal come back with the clip that it was for. */
  readonly #told = new WeakSet<SignError>();

  constructor(timeline: ClipTimeline, events: SigningLineEvents) {
    this.#timeline = timeline;
    this.#events = events;
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
    return this.#last !== null;
  }

  /** While false nothing is sent: an element that is not on the page has nobody to sign for. */
  set active(active: boolean) {
    this.#active = active;
    if (active) this.#feed();
  }

  /** Queues a text; the promise is that of the element's `sign()`. */
  sign(text: string, route: SessionRoute, signal?: AbortSignal): Promise<SignOutcome> {
    const call = new SignCall(newWireId(), text, route);
    const abort = (): void => this.#drop([call], abortError());
    if (signal?.aborted) {
      call.reject(abortError());
      return call.outcome;
    }
    signal?.addEventListener('abort', abort, { once: true, signal: call.stop.signal });
    this.#calls.push(call);
    this.#feed();
    return call.outcome;
  }

  /** Queues a video that a page has of a text, which wins over the service (`data-sign-src`). */
  show(text: string, url: string, route: SessionRoute): Promise<SignOutcome> {
    const call = new SignCall(newWireId(), text, route);
    call.served = true;
    const renew = (): Promise<string> =>
      Promise.reject(ownError('media_refused', 'the page’s own video is not there'));
    this.#calls.push(call);
    this.#take(call, 0, 1, { url, renew }, null);
    return call.outcome;
  }

  /** Drops what waits; the text on screen goes on. */
  clear(): void {
    this.#drop(
      this.#calls.filter((call) => !call.started),
      abortError(),
    );
  }

  replay(): void {
    if (this.#last) this.#timeline.playFrom(this.#last.clips);
  }

  async connect(route: SessionRoute): Promise<void> {
    const session = this.#sessionFor(route);
    if (session) await session.connect();
  }

  /** Lets the text on screen finish (unless it is paused), rejects what waits, ends the session. */
  async end(): Promise<Summary | null> {
    const session = this.#session;
    this.#retired = true;
    this.clear();
    const playing = this.#timeline.paused ? undefined : this.#calls.find((call) => call.started);
    await playing?.outcome.catch(() => {});
    return (await session?.end()) ?? null;
  }

  /** Ends everything at once; the line can be used again and then starts idle. */
  reset(): void {
    const session = this.#session;
    const calls = this.#calls;
    this.#calls = [];
    this.#session = this.#route = this.#showing = this.#last = null;
    this.#retired = false;
    this.#timeline.reset();
    this.#drop(calls, abortError());
    void session?.end();
    this.#updateState();
  }

  /** Hands waiting texts to the session of their route, as far as that one may have them. */
  #feed(): void {
    for (const call of this.#active ? this.#calls : []) {
      if (call.session || call.served) continue;
      const session = this.#sessionFor(call.route);
      if (!session) break;
      call.session = session;
      const { result } = session.sign(call.text, { ref: call.ref, signal: call.stop.signal });
      result.then(
        async () => {
          // Only the session that made it can renew a clip.
          await Promise.allSettled(call.clips.map(({ bytes }) => bytes.load()));
          call.served = true;
          this.#feed();
        },
        (error: unknown) => this.#drop([call], error),
      );
    }
    this.#updateExpected();
  }

  /** The session for a route; null while one of another route still has texts to serve. */
  #sessionFor(route: SessionRoute): SignSession | null {
    if (this.#session && !this.#retired) {
      if (this.#route && sameRoute(this.#route, route)) return this.#session;
      if (this.#calls.some((call) => call.session === this.#session && !call.served)) return null;
      void this.#session.end();
    }
    this.#route = route;
    this.#retired = false;
    this.#session = this.#open(route);
    return this.#session;
  }

  #open(route: SessionRoute): SignSession {
    const session = new SignSession({ ...route, maxUnplayed: MAX_UNPLAYED });
    const forward = ['sign-ready', 'sign-accepted', 'sign-progress', 'sign-error', 'sign-summary'] as const;
    for (const name of forward) session.on(name, (detail) => this.#events.emit(name, detail));
    session.on('sign-error', ({ error }) => void this.#told.add(error));
    session.on('sign-result', (result) => this.#onResult(session, result));
    session.on('sign-statechange', () => this.#updateState());
    return session;
  }

  #onResult(session: SignSession, { piece, pieces, ...detail }: SignResult): void {
    this.#events.emit('sign-result', detail);
    const call = this.#calls.find(({ ref }) => ref === detail.ref);
    if (!call) return session.played(detail.ref, piece);
    const renew = async (signal: AbortSignal): Promise<string> =>
      (await session.renew(call.ref, { piece, signal })).url;
    this.#take(call, piece, pieces, { url: detail.url, renew }, detail.durationSeconds);
  }

  /** Fetches a clip at once and has it played when its turn comes. */
  #take(
    call: SignCall,
    piece: number,
    pieces: number,
    source: { url: string; renew: (signal: AbortSignal) => Promise<string> },
    duration: number | null,
  ): void {
    const last = piece === pieces - 1;
    const clip: Clip = {
      bytes: new ClipBytes(source),
      duration,
      started: () => piece === 0 && this.#onStart(call),
      ended: () => {
        if (!call.settled) call.session?.played(call.ref, piece);
        if (last) this.#onEnd(call);
      },
      failed: (error: SignError) => {
        if (!this.#told.has(error)) this.#events.emit('sign-error', { error, ref: call.ref });
        this.#drop([call], error);
      },
    };
    call.pieces = pieces;
    call.clips[piece] = clip;
    void clip.bytes.load();
    this.#deliver();
  }

  /** Gives the timeline what is next in order and here. */
  #deliver(): void {
    for (const call of this.#calls) {
      for (let clip = call.clips[call.delivered]; clip; clip = call.clips[call.delivered]) {
        call.delivered += 1;
        this.#timeline.append(clip);
      }
      if (!call.complete) break;
    }
    this.#updateExpected();
  }

  #onStart(call: SignCall): void {
    call.started = true;
    this.#showing = this.#last = call;
    this.#updateState();
    this.#events.emit('sign-start', { ref: call.ref, text: call.text });
  }

  #onEnd(call: SignCall): void {
    if (this.#showing === call) this.#showing = null;
    this.#calls = this.#calls.filter((other) => other !== call);
    this.#updateState();
    this.#events.emit('sign-end', { ref: call.ref, text: call.text });
    if (!call.settled) call.resolve();
    this.#updateExpected();
  }

  /** Takes texts out of the line, wherever they are. */
  #drop(calls: readonly SignCall[], reason: unknown): void {
    const open = calls.filter((call) => !call.settled);
    this.#calls = this.#calls.filter((call) => !open.includes(call));
    // A replay that fails is of a text that has settled before.
    if (this.#showing && calls.includes(this.#showing)) this.#showing = null;
    if (this.#last && calls.includes(this.#last)) this.#last = null;
    // The last first: a place in the session that comes free must not go to one that is dropped too,
    for (const call of open.toReversed()) call.stop.abort();
    for (const call of open) {
      call.reject(reason);
      // and a clip that leaves the screen must not be followed by another of the same text.
      call.clips.forEach((_, piece) => call.session?.played(call.ref, piece));
      for (const clip of Object.values(call.clips).reverse()) {
        clip.bytes.release();
        this.#timeline.remove(clip);
      }
    }
    this.#deliver();
    this.#feed();
    this.#updateState();
  }

  /** True while the text that comes next has a clip to go on with. */
  get #joining(): boolean {
    return this.#state === 'signing' && (this.#calls[0]?.delivered ?? 0) > 0;
  }

  #updateExpected(): void {
    this.#timeline.moreExpected = this.#calls.some((call) => !call.complete);
    this.#events.changed();
  }

  #updateState(): void {
    const session = this.#session?.state ?? 'idle';
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
