// What goes to the service and what comes back: each waiting text is handed to the session of its route, results and
// events are handed on. Policy: a streamed text is sent once what comes before it as clips has been shown, because its
// stream waits for nobody; while the element is on no page nothing is sent.
import type { StreamManifests } from '../../protocol/find-url.ts';
import { ownError, type SignError } from '../../protocol/sign-error.ts';
import { deferred } from '../../session/promises.ts';
import type { SessionSummary, SignResult } from '../../session/session-events.ts';
import type { SessionState } from '../../session/states.ts';
import type { ServiceSession } from '../../session/service-session.ts';
import type { SignEventDetails } from '../sign-events.ts';
import type { ClipResult } from './clip-signing.ts';
import { CurrentSession } from './current-session.ts';
import { sameRoute, type SessionRoute } from './session-route.ts';
import type { SignCall } from './sign-call.ts';

export interface SendingEvents {
  emit<Name extends keyof SignEventDetails>(name: Name, detail: SignEventDetails[Name]): void;
  /** One piece of a text has its video. */
  result(call: SignCall, result: ClipResult): void;
  /** A text cannot be signed; `told` when the session has said so by an event. */
  failed(call: SignCall, reason: unknown): void;
  /** A text is in a stream, or a session has one: what is next may be there. */
  streamed(): void;
  /** Streams will be needed. */
  prepareStreams(): void;
  /** The session's state has changed. */
  moved(): void;
}

export class Sending {
  readonly #calls: () => readonly SignCall[];
  readonly #events: SendingEvents;
  readonly #service: CurrentSession;
  #placed: ReturnType<typeof deferred<void>> | null = deferred();
  #ongoing: StreamManifests | null = null;
  /** Errors that a session told: those of a renewal come back with the clip that it was for. */
  readonly #told = new WeakSet<SignError>();

  /** `calls`: the texts that have not settled, in call order. */
  constructor(calls: () => readonly SignCall[], events: SendingEvents) {
    this.#calls = calls;
    this.#events = events;
    this.#service = new CurrentSession({
      opened: (session) => this.#onOpened(session),
      failed: (route, error) => this.#onUnopened(route, error),
      isBusy: (session) => this.#calls().some((call) => call.session === session && !call.served),
    });
  }

  get state(): SessionState {
    return this.#service.current?.state ?? 'idle';
  }

  /** The stream of the service's session now in force; null where each text has its own, or clips. */
  get manifests(): StreamManifests | null {
    return this.#ongoing;
  }

  hasTold(error: SignError): boolean {
    return this.#told.has(error);
  }

  /** While false nothing is sent. */
  set active(active: boolean) {
    if (active === (this.#placed === null)) return;
    this.#placed?.resolve();
    this.#placed = active ? null : deferred();
  }

  /** Hands waiting texts to the session of their route, as far as that one may have them. */
  feed(canStream: boolean): void {
    let clipsBefore = false;
    for (const call of this.#placed ? [] : this.#calls()) {
      if (!call.session && !call.served) {
        if (call.streamed) this.#events.prepareStreams();
        const session = this.#service.for(call.route);
        if (!session || (call.streamed && (clipsBefore || !canStream))) return;
        this.#send(call, session);
      }
      clipsBefore ||= !call.streamed;
    }
  }

  /** Has the session of a route connect, as soon as the element is on a page. */
  async connect(route: SessionRoute): Promise<void> {
    await this.#placed?.promise;
    await this.#service.connect(route);
  }

  /** The next text gets a new session. Returns what ends the one now in force. */
  retire(): () => Promise<SessionSummary | null> {
    this.#ongoing = null;
    return this.#service.retire();
  }

  reset(): void {
    this.#ongoing = null;
    this.#service.reset();
  }

  #send(call: SignCall, session: ServiceSession): void {
    call.session = session;
    const { result } = session.sign(call.text, { ref: call.ref, signal: call.stop.signal });
    result.then(
      async ({ manifests }) => {
        if (call.streamed) return manifests ? this.#place(call, manifests, null) : undefined;
        // Only the session that made it can renew a clip.
        await Promise.allSettled(call.clips.map(({ bytes }) => bytes.load()));
        call.served = true;
        this.#events.moved();
      },
      (error: unknown) => this.#events.failed(call, error),
    );
  }

  /** A stream that is not the one for all is this text's own, and the session has gone over to REST. */
  #place(call: SignCall, manifests: StreamManifests | null, acceptedAt: number | null): void {
    const url = manifests?.hls ?? null;
    if (url === null) return this.#events.failed(call, ownError('media_error', 'there is no HLS manifest'));
    const own = url !== this.#ongoing?.hls;
    if (own) this.#ongoing = null;
    call.place = { url, own, acceptedAt };
    this.#events.streamed();
  }

  #onOpened(session: ServiceSession): void {
    const { emit, moved, prepareStreams, streamed } = this.#events;
    const forward = ['sign-ready', 'sign-accepted', 'sign-progress', 'sign-error', 'sign-summary'] as const;
    for (const name of forward) session.on(name, (detail) => emit(name, detail));
    session.on('sign-error', ({ error }) => void this.#told.add(error));
    session.on('sign-result', (result) => this.#onResult(session, result));
    this.#ongoing = null;
    session.on('sign-ready', () => {
      if (session !== this.#service.current) return;
      this.#ongoing = session.manifests;
      if (session.manifests) prepareStreams();
      streamed();
    });
    session.on('sign-appended', ({ ref, acceptedAt }) => {
      const call = this.#find(ref);
      if (call) this.#place(call, session.manifests, acceptedAt);
    });
    session.on('sign-dropped', ({ ref, reason }) => {
      const call = this.#find(ref);
      if (call) this.#events.failed(call, reason);
    });
    session.on('sign-statechange', ({ state }) => {
      // Its stream is over with it.
      if (state === 'ended' && session === this.#service.current) this.#ongoing = null;
      moved();
    });
    moved();
  }

  #onUnopened(route: SessionRoute, error: SignError): void {
    this.#events.emit('sign-error', { error });
    for (const call of this.#calls().filter((each) => !each.session && sameRoute(each.route, route))) {
      this.#events.failed(call, error);
    }
  }

  #onResult(session: ServiceSession, { piece, pieces, ...detail }: SignResult): void {
    const { ref, url, durationSeconds } = detail;
    const call = this.#find(ref);
    const renew = async (signal: AbortSignal): Promise<string> =>
      (await session.renew(ref, { piece, signal })).url;
    // Its media first: what a page does when it is told must not hold up the first frame.
    if (call) this.#events.result(call, { piece, pieces, url, durationSeconds, renew });
    else session.played(ref, piece);
    this.#events.emit('sign-result', detail);
  }

  #find(ref: string): SignCall | undefined {
    return this.#calls().find((call) => call.ref === ref);
  }
}
