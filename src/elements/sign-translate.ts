// `<sign-translate>`: signs any text of a page, in order, as clips or in a stream.
// - A text is signed with the config at the time of the call (SEMANTICS.md, One call of `sign(text)`, 2).
// - Nothing touches the network before the first text or `connect()`.
// - An error is an event, a rejected promise and a sentence in the box. It does not stop other texts.
import type { PropertyDeclarations, PropertyValues } from 'lit';
import { SignError } from '../protocol/sign-error.ts';
import type { SessionSummary } from '../session/session-types.ts';
import type { ControllerEvents } from './controller.ts';
import { ReadingElement } from './reading-element.ts';
import { oneOfProperty } from './attributes.ts';
import type { ViewState } from './controls.ts';
import type { SignEventDetails } from './sign-events.ts';
import {
  DEFAULT_IDLE_AFTER,
  readIdleAfter,
  readMode,
  readTransport,
  readSettings,
  type Mode,
  type SessionSettings,
  type Transport,
} from './translate/session-settings.ts';
import type { SignOutcome } from './translate/translate-utterance.ts';
import type { TranslateController } from './translate/translate-controller.ts';
export type { QueueEntry, SignEventDetails, SignStats } from './sign-events.ts';

/**
 * Signs text beside a page's content.
 *
 * @tag sign-translate
 * @summary A signer for any text of a page.
 *
 * @attr {string} proxy - URL prefix of the proxy; default: the prefix the script came from, else `/sign`
 * @attr {string} signer - `RAE`, `JAY`, `MAX` or what the account has; default `RAE` for BSL, `MAX` for ASL
 * @attr {'BSL'|'ASL'} language - default: follows the signer, else `BSL`
 * @attr {'480p'|'720p'|'1080p'} resolution - default `720p`
 * @attr {string} background - `transparent` or `#RRGGBB` in place of the signer's own; picture-in-picture shows it as it comes
 * @attr {boolean|string} controls - shows the control bar; words choose what is in it
 * @attr {'inline'|'bottom-right'|'bottom-left'|'top-right'|'top-left'} placement - default `inline`
 * @attr {boolean} open - with a placement: the panel is shown; it is by default, unless there is a `launcher`
 * @attr {boolean} launcher - with a placement: a button is shown and nothing else is loaded until it is opened
 * @attr {'site'|'none'} remember - where the visitor's choice of place and size is kept; default `site`
 * @attr {string} lang - language of the element's own texts; default: the nearest `lang` of the page
 * @attr {'translate'|'stream'} mode - default `translate`
 * @attr {'auto'|'v3'|'rest'} transport - default `auto`
 * @attr {string} text - is signed when set
 * @attr {string} for - id or selector of the page content that `play()` signs; several by commas, in the order of the page
 * @attr {'sentence'|'none'} highlight - what is marked in the page while it is signed; default `sentence`
 * @attr {'auto'|'none'} follow - whether the page scrolls to the sentence, until the reader scrolls; default `auto`
 * @attr {string} pick - `paragraphs`, `selection`, both or `none`: where a visitor may start the signing; default both
 * @attr {string} glossary - URL of a JSON object: written form to signed form
 * @attr {string} prepared - URL of the `signs.json` of a prepared edition; with `only` after it nothing else is signed
 * @attr {string} ticket - a ticket for a proxy that requires one, or a same-origin URL that answers one as text
 * @attr {number|'none'} idle-after - seconds after a text before the idle signer appears; default `1.5`
 * @attr {boolean} debug - asks the service for `sign-progress`
 * @fires {CustomEvent} sign-statechange - `{ state }`
 * @fires {CustomEvent} sign-ready - `{ sessionId, config, limits }`
 * @fires {CustomEvent} sign-accepted - `{ ref, text }`: the service took the message
 * @fires {CustomEvent} sign-progress - `{ ref, stage, status, durationMs }`, only with `debug`
 * @fires {CustomEvent} sign-result - `{ ref, text, url, expiresAt, durationSeconds, pipelineMs }`
 * @fires {CustomEvent} sign-start - `{ ref, text, estimated? }`: its first frame is on screen
 * @fires {CustomEvent} sign-end - `{ ref, text, estimated? }`: its last frame has been shown
 * @fires {CustomEvent} sign-error - `{ error, ref? }`
 * @fires {CustomEvent} sign-sentence - `{ ref, text, range }`: a sentence of the page is being signed
 * @fires {CustomEvent} sign-queuechange - `{ queue }`
 * @fires {CustomEvent} sign-report - `{ ref, text, sessionId, reason }`: a visitor says that it is signed wrong
 * @fires {CustomEvent} sign-summary - `{ sessionId, usage }`
 * @fires {CustomEvent} sign-stats - what was counted, as the property `stats`
 * @fires {CustomEvent} sign-open - the panel was opened
 * @fires {CustomEvent} sign-close - the panel was closed
 *
 * @slot idle - shown before the first text; default: an outline of a signer
 * @slot icon-play - in place of the icon for play, and one for each other icon: see docs/elements.md
 * @slot controls - buttons of the page, at the end of the control bar
 * @csspart box - the picture's box
 * @csspart video - each video, and the canvas over them that shows the keyed picture
 * @csspart idle - holds the idle slot
 * @csspart label - says on the picture that it is AI-generated
 * @csspart message - what went wrong, or that signs are coming
 * @csspart retry - the button beside the message, which tries again what failed
 * @csspart controls - the control bar
 * @csspart button - every button
 * @csspart start - the one button over the picture, while playback waits for the visitor
 * @csspart toggle - the button that plays and pauses
 * @csspart replay - the button that signs the last text again
 * @csspart speed - the choice of the speed
 * @csspart seek - the slider of the position, with the part `time` beside it
 * @csspart mute - the button for the sound, where there is any, with the slider `volume`
 * @csspart pip - the button for picture-in-picture
 * @csspart reset - the button for the normal speed
 * @csspart previous - the button that goes to the sentence before
 * @csspart next - the button that goes to the next sentence
 * @csspart stop - the button that ends the reading
 * @csspart caption - the button that shows the sentence as text, and that text
 * @csspart report - the button that says that a sentence is signed wrong
 * @csspart queue - the button that shows all sentences, and their list
 * @csspart pick - the button at a paragraph or a selection
 * @csspart rejoin - the button that goes back to the sentence being signed
 * @csspart fullscreen - the button for the whole screen
 * @csspart head - the bar of the panel, with the parts `move`, `title`, `smaller`, `larger`, `minimise`, `enlarge`, `close`
 * @csspart launcher - the button that opens the panel
 * @cssprop [--sign-width=min(100%, max(32rem, 512px))] - width of the element
 * @cssprop [--sign-aspect-ratio=16 / 9] - shape of the picture
 * @cssprop [--sign-backdrop=#dbe4ec] - colour behind the picture; with `background="transparent"` by default `#dbe4ecd9`
 * @cssprop [--sign-radius=0.5rem] - corner radius
 * @cssprop [--sign-focus=CanvasText] - colour of the focus ring
 * @cssprop [--sign-z-index=1000] - with a `placement`
 * @cssprop [--sign-fit=contain] - `cover`: the middle of the picture, with both hands, as in the panel on an upright phone
 * @cssprop [--sign-sticky=sticky] - `relative`: on an upright phone it does not stay on screen while a page is read
 * @cssState idle - and one for each other state of `sign-statechange`
 * @cssState plain - the picture keeps its own backplate in spite of `background`: unreadable, not plain, or keying too slow
 */
export class SignTranslate extends ReadingElement {
  static override properties: PropertyDeclarations = {
    mode: oneOfProperty(readMode),
    transport: oneOfProperty(readTransport),
    text: { noAccessor: true },
    idleAfter: oneOfProperty((value) => readIdleAfter(value as string) ?? 'none', {
      attribute: 'idle-after',
    }),
    generateOptions: { attribute: false },
    debug: { type: Boolean },
  };

  declare mode: Mode;
  declare transport: Transport;
  /** Seconds after a text before the idle signer appears, or `none`. */
  declare idleAfter: string | number;
  declare debug: boolean;
  /** With REST, merged into `content`, `output.delivery.config` and `context` of the request (document 2, Translation request). */
  declare generateOptions: Readonly<Record<string, unknown>> | null;

  #text: string | null = null;
  /** Calls whose error is in the box. */
  #failed: (() => Promise<unknown>)[] = [];
  /** Values of `text` that wait. */
  #texts: string[] = [];

  constructor() {
    super();
    this.mode = 'translate';
    this.transport = 'auto';
    this.idleAfter = DEFAULT_IDLE_AFTER;
    this.generateOptions = null;
    this.debug = false;
  }
  /** Signed when set; setting the same value again does nothing. */
  get text(): string | null {
    return this.#text;
  }
  set text(text: string | null) {
    const old = this.#text;
    if (text === old) return;
    this.#text = text;
    // It is signed after this task, when the attributes that are set together with it are known, or before the next call.
    if (text) this.#texts.push(text);
    this.requestUpdate('text', old);
  }

  /**
   * Queues a text. Resolves with `{ ref, text, durationSeconds }` once its last frame was shown. Rejects with a SignError, or with
   * an AbortError after `signal`, `clear()`, `end()` or removal. A rejection without a handler causes no `unhandledrejection`.
   */
  sign(text: string, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<SignOutcome> {
    this.#signTexts();
    return this.#queue(() => {
      if (!String(text ?? '').trim()) throw new SignError('empty_text', 'no text');
      const settings = readSettings(this);
      return this.use((controller) => controller.sign(String(text), settings, signal, this), signal);
    });
  }

  /** Drops what is queued; the text on screen is signed to its end. */
  clear(): void {
    this.#texts = [];
    this.dropEarlyCalls();
    this.controller?.clear();
  }

  /** Signs the last text again. */
  public override replay(): void {
    super.replay();
  }

  /** Opens the session before the first text. Rejects with a SignError when that fails. */
  connect(): Promise<void> {
    return this.#queue(() => {
      const settings = readSettings(this);
      return this.use((controller) => controller.connect(settings));
    });
  }

  /** Ends the session; resolves with its summary, null when none came. */
  async end(): Promise<SessionSummary | null> {
    this.#texts = [];
    this.dropEarlyCalls();
    return (await this.controller?.end()) ?? null;
  }

  /** With nothing left to play, signs the content that `for` names, else the last playlist again. */
  override play(): Promise<void> {
    if (this.for && !this.#isBusy) void this.startReading((reading) => reading.play());
    return (this.for && this.controller?.unpause()) || super.play();
  }

  /** True while a text has not been signed to its end. */
  get #isBusy(): boolean {
    return this.hasEarlyCalls || this.isStarting || Boolean(this.controller?.busy);
  }
  protected override readSettings(): SessionSettings {
    return readSettings(this);
  }

  /** Runs a function that may throw; the error becomes an event and a rejection. */
  #queue<Value>(run: () => Promise<Value>): Promise<Value> {
    this.lastError = null;
    this.#failed = [];
    let outcome: Promise<Value>;
    try {
      outcome = run();
    } catch (error) {
      outcome = Promise.reject(error as Error);
      if (error instanceof SignError) this.emit('sign-error', { error });
    }
    outcome.catch(({ name }: Error) => name === 'AbortError' || this.#failed.push(run));
    this.requestUpdate();
    return outcome;
  }

  protected override tryAgain(): void {
    const failed = this.#failed;
    if (failed.length === 0) return super.tryAgain();
    for (const run of failed) void this.#queue(run);
  }

  /** A value of `text` is a call, and calls load the controller. */
  protected override get needsController(): boolean {
    return false;
  }

  protected override async loadController(events: ControllerEvents): Promise<TranslateController> {
    const { TranslateController } = await this.loadSignCode();
    return new TranslateController(events, () => {
      const { proxy, signer, language, isConnected } = this;
      return { proxy, signer, language, isConnected, idleAfter: readIdleAfter(this.idleAfter) };
    });
  }

  protected override emit<Name extends keyof SignEventDetails>(
    name: Name,
    detail: SignEventDetails[Name],
  ): void {
    if (name === 'sign-start') {
      this.lastError = null;
      this.#failed = [];
    }
    super.emit(name, detail);
  }

  /** The error of a text stays in the box until another text is asked for or starts. */
  protected override endsError(): boolean {
    return false;
  }
  protected override warnsOf({ severity }: SignError): boolean {
    return severity === 'session';
  }

  protected override get fallbackSentence(): 'text' {
    return 'text';
  }

  protected override get viewState(): ViewState {
    const { controller, strings } = this;
    const view = super.viewState;
    const isPaused = this.media !== null && this.paused && !this.ended;
    const isReconnecting = controller?.state === 'reconnecting' && controller.busy;
    const reconnecting: ViewState['message'] = { text: strings.reconnecting, soft: true };
    // A pause that the service has asked for is shown with its seconds.
    const isNotice = view.message?.soft === false && !isPaused;
    const waits = isReconnecting && !isNotice ? reconnecting : isPaused ? null : view.message;
    const message = this.lastError ? view.message : waits;
    const offer = this.for && !this.#isBusy && !(this.media && this.controls) ? strings.signPage : null;
    return {
      ...view,
      message,
      start: view.start ?? offer,
      spoken: message?.spoken ?? message?.text ?? controller?.showing ?? '',
    };
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    this.#signTexts();
  }

  #signTexts(): void {
    for (const text of this.#texts.splice(0)) void this.sign(text);
  }
}
