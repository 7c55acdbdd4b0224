// An element whose controller is loaded at its first use; before that only the code of the attributes and of the box is loaded.
// - Settings and calls before that are kept and passed on in call order.
// - While a call or an attribute waits for the code, the state is `connecting`.
// - A chunk that does not load is tried again (load-code.ts): calls wait, and each failed try is a warning. Then the calls reject
//   with `load_failed`; the tries begin anew at the next use, after 10 s, on `online`, and when the page is shown again.
// - What a teardown has ended starts again when the element is put back, or the page is restored from the back/forward cache.
// - An error is an event, a warning on the console and a sentence in the box.
import type { PropertyValues } from 'lit';
import { hideInheritedMembers, loadCode } from '../internal/load-code.ts';
import { warnOnce } from '../internal/page-settings.ts';
import { loadFailed, SignError } from '../protocol/sign-error.ts';
import type { ErrorStrings } from '../strings/errors.ts';
import { Player } from '../playback/player.ts';
import type { SignStats } from '../playback/counts.ts';
import type { Controller, ControllerEvents } from './controller.ts';
import type { Message, ViewState } from './controls.ts';
import { SignElement } from './sign-element.ts';
import { emit, type SignEventDetails, type SignState } from './sign-events.ts';
import type { WaitNotice } from './wait-notice.ts';

const RETRY_MS = 10_000;
/** Seconds. A wait as long as this is shown to the visitor. */
const LONG_WAIT = 5;

/** Null when this page can show an element; XML cannot (Lit's templates). The table of errors is not loaded with the page. */
const pageError = (): SignError | null =>
  /xml$/.test(document.contentType)
    ? new SignError('media_error', 'no signer in XHTML', { severity: 'session' })
    : null;

/** A call that waits for the controller. */
interface EarlyCall<Loaded> {
  run(controller: Loaded): void;
  reject(reason: unknown): void;
}

export abstract class LazyElement<Loaded extends Controller> extends SignElement {
  protected controller: Loaded | null = null;
  /** A player without media: it keeps the settings of the page. */
  readonly #early = new Player();
  #calls: EarlyCall<Loaded>[] = [];
  #isLoading = false;
  /** Loading failed; an update of the element does not try it again. */
  #hasFailed = false;
  #error: SignError | null = null;
  #state: SignState = 'idle';
  #wait: WaitNotice | null = null;

  constructor() {
    super();
    this.mirror(this.#early);
    this.takeEarlyProperties();
  }

  /** True when the controller is needed; read at each update. */
  protected abstract get needsController(): boolean;
  protected abstract loadController(events: ControllerEvents): Promise<Loaded>;

  /** Called when the element is on a page that is shown, for the first time or again. */
  protected onShown(): void {
    this.requestUpdate();
  }

  protected override get player(): Player {
    return this.controller?.player ?? this.#early;
  }

  /** What was counted since the element was created; null before its first use. */
  get stats(): SignStats | null {
    return this.controller?.stats ?? null;
  }

  protected override get keyed(): boolean {
    return super.keyed && !this.controller?.paintsBackground;
  }

  /** True while calls wait for the controller. */
  protected get hasEarlyCalls(): boolean {
    return this.#calls.length > 0;
  }

  /** True while the visitor waits for signing. */
  protected get isPreparing(): boolean {
    return this.controller ? this.controller.preparing : this.hasEarlyCalls;
  }

  get #isAwaited(): boolean {
    return this.needsController || this.hasEarlyCalls;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('pageshow', this.#onShown);
    window.addEventListener('online', this.#onOnline);
    this.#onShown();
    const error = pageError();
    if (error) this.emit('sign-error', { error });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('pageshow', this.#onShown);
    window.removeEventListener('online', this.#onOnline);
  }

  readonly #onShown = (): void => {
    this.#retry();
    this.onShown();
  };

  #retry(): void {
    this.#hasFailed = false;
    if (this.hasEarlyCalls) this.#load();
  }

  readonly #onOnline = (): void => {
    this.loadStrings();
    this.requestUpdate();
    this.#retry();
  };

  override play(): Promise<void> {
    return (this.controller ?? this.#early).play();
  }

  override pause(): void {
    (this.controller ?? this.#early).pause();
  }

  protected override replay(): void {
    this.controller?.replay();
  }

  protected override tryAgain(): void {
    this.#hasFailed = false;
    this.lastError = null;
    this.requestUpdate();
    this.play().catch(() => {});
  }

  protected override teardown(): void {
    this.rejectEarlyCalls();
    this.#early.reset();
    this.controller?.reset();
    this.#wait?.close();
    this.lastError = null;
    this.requestUpdate();
  }

  /**
   * Calls the controller, at once or as soon as it is loaded; calls keep their order. Rejects with a SignError when it
   * cannot be loaded, and with an AbortError when the signal aborts or the element is torn down before that.
   */
  protected use<Value>(run: (controller: Loaded) => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    hideInheritedMembers();
    const error = pageError();
    if (error) return Promise.reject(error);
    if (this.controller) return run(this.controller);
    return new Promise((resolve, reject) => {
      const call: EarlyCall<Loaded> = { run: (controller) => resolve(run(controller)), reject };
      const abort = (): void => this.rejectEarlyCalls((other) => other === call);
      this.#calls.push(call);
      this.requestUpdate();
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      this.#load();
    });
  }

  /** Rejects waiting calls, by default all of them. */
  protected rejectEarlyCalls(isGivenUp: (call: EarlyCall<Loaded>) => boolean = () => true): void {
    const givenUp = this.#calls.filter(isGivenUp);
    if (givenUp.length === 0) return;
    this.#calls = this.#calls.filter((call) => !givenUp.includes(call));
    for (const { reject } of givenUp) reject(new DOMException('not signed', 'AbortError'));
    if (!this.controller && !this.hasEarlyCalls) this.#onState('idle');
    this.requestUpdate();
  }

  #load(): void {
    if (this.#isLoading || this.controller || this.isClosed) return;
    // Nobody may ever open this page, and its texts would be billed. It gets a frame once it is opened.
    if ((document as { prerendering?: boolean }).prerendering)
      return void requestAnimationFrame(() => this.#load());
    this.#isLoading = true;
    if (this.#isAwaited && !this.lastError) this.#onState('connecting');
    const events: ControllerEvents = {
      state: (state) => this.#onState(state),
      emit: (name, detail) => this.emit(name, detail),
      added: (player) => this.add(player),
      invalidate: () => this.requestUpdate(),
    };
    loadCode(() => this.loadController(events), { retrying: this.retrying }).then(
      (controller) => this.#onLoaded(controller),
      (cause: unknown) => this.#onLoadFailed(cause),
    );
  }

  /** Code did not load, and is tried again. */
  protected readonly retrying = (cause: unknown): void => {
    if (this.#isAwaited) this.#onState('reconnecting');
    this.emit('sign-error', { error: loadFailed(cause).asWarning() });
  };

  #onLoaded(controller: Loaded): void {
    controller.player.continueFrom(this.#early);
    this.add(controller.player);
    if (!this.#isAwaited) this.#onState('idle');
    this.controller = controller;
    for (const { run } of this.#calls.splice(0)) run(controller);
    this.requestUpdate();
  }

  #onLoadFailed(cause: unknown): void {
    this.#isLoading = false;
    this.#hasFailed = true;
    setTimeout(this.#onOnline, RETRY_MS);
    const error = loadFailed(cause);
    this.#onState('failed');
    this.emit('sign-error', { error });
    for (const { reject } of this.#calls.splice(0)) reject(error);
  }

  #onState(state: SignState): void {
    if (this.endsError(state)) this.lastError = null;
    this.requestUpdate();
    if (state === this.#state) return;
    this.#state = state;
    this.showState(state);
    emit(this, 'sign-statechange', { state });
  }

  /** True when the last error is no longer shown in this state. */
  protected endsError(state: SignState): boolean {
    return state !== 'failed';
  }

  /** The error whose sentence is in the box. */
  protected get lastError(): SignError | null {
    return this.#error;
  }
  protected set lastError(error: SignError | null) {
    if (error === this.#error) return;
    this.#error = error;
    this.requestUpdate();
  }

  protected emit<Name extends keyof SignEventDetails>(name: Name, detail: SignEventDetails[Name]): void {
    const { error } = detail as Partial<SignEventDetails['sign-error']>;
    if (error && error.severity !== 'warning') {
      this.lastError = error;
      // The sentence of an error is in the controller's code: it is shown once that is loaded.
      if (error.code !== 'load_failed') this.#load();
    }
    const seconds = error?.retryAfterSeconds ?? 0;
    if (seconds >= LONG_WAIT)
      loadCode(() => import('./wait-notice.ts')).then(
        ({ WaitNotice }) => (this.#wait = new WaitNotice(seconds, () => this.requestUpdate())),
        () => {}, // Signing continues without the notice.
      );
    if (error && this.warnsOf(error))
      warnOnce(`error ${error.code}`, `<${this.localName}>: ${error.code}: ${error.message}`);
    emit(this, name, detail);
  }

  /** True for an error that is reported on the console as well. */
  protected warnsOf({ severity }: SignError): boolean {
    return severity !== 'warning';
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (this.controller) this.controller.update();
    else if (this.#isAwaited && !this.#hasFailed) this.#load();
  }

  /** Names the sentence for an error that has none of its own. */
  protected get fallbackSentence(): keyof ErrorStrings {
    return 'media';
  }

  #errorMessage(error: SignError): Message | null {
    const { controller, strings } = this;
    if (controller) return controller.errorMessage(error, strings, this.fallbackSentence);
    return error.code === 'load_failed' ? { text: strings.errorLoad, soft: false, retry: true } : null;
  }

  protected override get viewState(): ViewState {
    const { controller, strings } = this;
    const error = this.lastError && this.#errorMessage(this.lastError);
    const coming: Message = { text: strings.preparing, soft: true };
    const message = error ?? (this.isPreparing ? (this.#wait?.message(strings) ?? coming) : null);
    return {
      message,
      start: this.player.blocked ? strings.play : null,
      spoken: message?.spoken ?? message?.text ?? '',
      replayable: controller?.replayable ?? false,
    };
  }
}
