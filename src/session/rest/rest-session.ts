// A session by REST (document 2, `POST /v2/generate`): texts go in, results and events come out, as with SignSession. Policy
// (SEMANTICS, REST transport): there is nothing to connect to, so it is `ready` from the first text or connect() until
// end(), and ready again with the next text; a text that fails fails alone. No `sign-ready`, no `sign-summary`, and no
// `sign-appended`: in stream mode each text has a stream of its own, which comes with its result.
import type { StreamManifests } from '../../protocol/find-url.ts';
import { abortError } from '../abort.ts';
import { deferred } from '../deferred.ts';
import { Emitter } from '../emitter.ts';
import type { RestWishes } from './rest-body.ts';
import { createSignClient, type SignClientOptions } from './rest-client.ts';
import { RestQueue } from './rest-queue.ts';
import type { Listen, SessionEventMap, SignResult } from '../session-events.ts';
import type { RenewOptions, SignOptions } from '../session-options.ts';
import type { SessionState } from '../states.ts';
import type { TextCall, TextResult, TextSession } from '../text-session.ts';

export interface RestSessionOptions extends SignClientOptions, RestWishes {
  /** Pieces that may be unanswered or not yet played() (in stream mode: started()) at one time. Default Infinity. */
  readonly maxUnplayed?: number | undefined;
}

export class RestSession implements TextSession {
  readonly #events = new Emitter<SessionEventMap>();
  readonly #queue: RestQueue;
  #state: SessionState = 'idle';

  /** @throws SignError `invalid_request` when `proxy` is no absolute http(s) address. */
  constructor(options: RestSessionOptions) {
    const { mode, config, background, generateOptions = null } = options;
    // As they are now: a page may go on to change its own objects, and what is sent is JSON.
    const fixed = JSON.parse(JSON.stringify({ config, generateOptions })) as Pick<RestWishes, 'config'>;
    this.#queue = new RestQueue({
      client: createSignClient(options),
      wishes: { mode, background, ...fixed },
      maxUnplayed: options.maxUnplayed ?? Infinity,
      emit: (name, detail) => name !== 'sign-appended' && this.#events.emit(name, detail),
    });
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Stream mode: the stream of the text that was answered last. */
  get manifests(): StreamManifests | null {
    return this.#queue.manifests;
  }

  readonly on: Listen = (name, listener, options) => this.#events.on(name, listener, options);

  /** In stream mode the result resolves with the manifests of this text's own stream, and has no url. */
  sign(text: string, { signal, ref }: SignOptions = {}): TextCall {
    const call = this.#queue.add(text, ref, signal);
    this.#move('ready');
    const result = deferred<TextResult>();
    call.result.promise.then(
      (value) => result.resolve({ ...value, manifests: this.#queue.streamOf(call) }),
      result.reject,
    );
    return { ref: call.ref, accepted: call.accepts.promise, result: result.promise };
  }

  /**
   * Signs a piece that has a result once more.
   * @returns rejects with `invalid_request` when the ref is not one of the last 64 or its piece has no result.
   */
  renew(ref: string, { piece = 0, signal }: RenewOptions = {}): Promise<SignResult> {
    const result = this.#queue.renew(ref, piece, signal);
    result.catch(() => {});
    return result;
  }

  played(ref: string, piece = 0): void {
    this.#queue.played(ref, piece);
  }

  started(ref: string): void {
    this.#queue.started(ref);
  }

  clear(): void {
    this.#queue.clear();
  }

  connect(): Promise<void> {
    this.#move('ready');
    return Promise.resolve();
  }

  /** What waits or is under way rejects with an AbortError. Resolves with null: REST has no summary. */
  end(): Promise<null> {
    this.#queue.drop(abortError('the session was ended'));
    if (this.#state === 'ready') this.#move('ended');
    return Promise.resolve(null);
  }

  #move(state: SessionState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#events.emit('sign-statechange', { state });
  }
}
