// `<sign-translate>`: signs any text of a page, one clip a text, in order. Joins the page (attributes, `for`), the line
// of texts and the timeline that plays them. Policy: nothing touches the network before the first text or `connect()`;
// every error is an event with a code, a rejected promise and a sentence in the box, and none of them stops the rest.
import type { PropertyDeclarations, PropertyValues } from 'lit';
import { defaultProxy } from '../internal/script-base.ts';
import { warnOnce } from '../internal/warn-once.ts';
import { readContent } from '../page/content.ts';
import { StackedTimeline } from '../playback/stacked-timeline.ts';
import { ownError } from '../protocol/own-errors.ts';
import { SignError } from '../protocol/sign-error.ts';
import { resolveSigner } from '../protocol/signers.ts';
import { errorText } from '../strings/error-text.ts';
import { oneOf, oneOfProperty } from './one-of.ts';
import { socketUrl, type SessionRoute } from './session-route.ts';
import type { SignOutcome } from './sign-call.ts';
import { readLanguage, readResolution, SignElement, type Face } from './sign-element.ts';
import { emit, type SignEventDetails } from './sign-events.ts';
import { SigningLine, type Summary } from './signing-line.ts';

export type Mode = 'translate' | 'stream';
export type Transport = 'auto' | 'v3' | 'rest';

const readMode = oneOf<Mode, 'translate'>('mode', ['translate', 'stream'], 'translate');
const readTransport = oneOf<Transport, 'auto'>('transport', ['auto', 'v3', 'rest'], 'auto');

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
 * @attr {boolean} controls - shows the control bar
 * @attr {'inline'|'bottom-right'|'bottom-left'|'top-right'|'top-left'} placement - default `inline`
 * @attr {string} lang - language of the element's own texts; default: the nearest `lang` of the page
 * @attr {'translate'|'stream'} mode - default `translate`
 * @attr {'auto'|'v3'|'rest'} transport - default `auto`
 * @attr {string} text - is signed when set
 * @attr {string} for - id or selector of the page content that `play()` signs
 * @attr {boolean} debug - asks the service for `sign-progress`
 *
 * @fires {CustomEvent} sign-statechange - `{ state }`
 * @fires {CustomEvent} sign-ready - `{ sessionId, config, limits }`
 * @fires {CustomEvent} sign-accepted - `{ ref, text }`: the service took the message
 * @fires {CustomEvent} sign-progress - `{ ref, stage, status, durationMs }`, only with `debug`
 * @fires {CustomEvent} sign-result - `{ ref, text, url, expiresAt, durationSeconds, pipelineMs }`
 * @fires {CustomEvent} sign-start - `{ ref, text }`: its first frame is on screen
 * @fires {CustomEvent} sign-end - `{ ref, text }`: its last frame has been shown
 * @fires {CustomEvent} sign-error - `{ error, ref? }`
 * @fires {CustomEvent} sign-summary - `{ sessionId, usage }`
 *
 * @slot idle - shown before the first text; default: an outline of a signer
 * @csspart box - the picture's box
 * @csspart video - each of the two videos
 * @csspart idle - holds the idle slot
 * @csspart message - what went wrong, or that signs are coming
 * @csspart controls - the control bar
 * @csspart button - every button
 * @cssprop [--sign-width=min(100%, 32rem)] - width of the element
 * @cssprop [--sign-aspect-ratio=16 / 9] - shape of the picture
 * @cssprop [--sign-backdrop=#dbe4ec] - colour behind the signer
 * @cssprop [--sign-radius=0.5rem] - corner radius
 * @cssprop [--sign-focus=Highlight] - colour of the focus ring
 * @cssprop [--sign-z-index=1000] - with a `placement`
 * @cssState idle - and one for each other state of `sign-statechange`
 */
export class SignTranslate extends SignElement {
  static override properties: PropertyDeclarations = {
    mode: oneOfProperty(readMode),
    transport: oneOfProperty(readTransport),
    text: {},
    for: {},
    debug: { type: Boolean },
  };

  declare mode: Mode;
  declare transport: Transport;
  /** Signed when set; setting the same value again does nothing. */
  declare text: string | null;
  /** Id, else selector, of the page content that `play()` signs when nothing else is there to play. */
  declare for: string | null;
  declare debug: boolean;

  protected override readonly surface = new StackedTimeline();
  #error: SignError | null = null;
  readonly #line = new SigningLine(this.surface, {
    emit: (name, detail) => this.#emit(name, detail),
    changed: () => this.requestUpdate(),
  });

  constructor() {
    super();
    this.mode = 'translate';
    this.transport = 'auto';
    this.text = null;
    this.for = null;
    this.debug = false;
    this.mirrorMediaEvents();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#line.active = true;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#line.active = false;
  }

  /**
   * Queues a text. Resolves with `{ ref, text, durationSeconds }` once its last frame was shown.
   * Rejects with a SignError, or with an AbortError after `signal`, `clear()`, `end()` or removal.
   * A rejection that nobody listens to stays silent.
   */
  sign(text: string, { signal }: { signal?: AbortSignal } = {}): Promise<SignOutcome> {
    return this.#queue(() => {
      if (!String(text ?? '').trim()) throw ownError('empty_text');
      return this.#line.sign(String(text), this.#route(), signal);
    });
  }

  /** Drops what is queued; the text on screen goes on. */
  clear(): void {
    this.#line.clear();
  }

  /** Signs the last text again. */
  override replay(): void {
    this.#line.replay();
  }

  /** Opens the session ahead of the first text. Rejects with a SignError when none can be had. */
  connect(): Promise<void> {
    return this.#queue(() => this.#line.connect(this.#route()));
  }

  /** Ends the session; resolves with its summary, null when none came. */
  end(): Promise<Summary | null> {
    return this.#line.end();
  }

  /** With `for` and nothing else to play, signs that part of the page. */
  override play(): Promise<void> {
    if (this.for && !this.#line.busy) this.#signPage(this.for);
    return super.play();
  }

  #signPage(target: string): void {
    const found = document.getElementById(target) ?? safeQuery(target);
    const items = found ? readContent(found) : [];
    if (!items.length) void this.sign('');
    for (const { text, src } of items) {
      void (src === null ? this.sign(text) : this.#queue(() => this.#line.show(text, src, this.#route())));
    }
  }

  /** What the next text is asked for with. */
  #route(): SessionRoute {
    if (readMode(this.mode) !== 'translate' || readTransport(this.transport) === 'rest') {
      throw ownError('invalid_request', 'this release signs with mode="translate" over V3 only');
    }
    const { signer, language } = resolveSigner(this.signer || undefined, readLanguage(this.language));
    return {
      url: socketUrl(this.proxy || defaultProxy()),
      mode: 'translate',
      config: {
        digital_signer: signer,
        language,
        resolution: readResolution(this.resolution),
        ...(this.debug && { debug: true }),
      },
    };
  }

  /** Runs what may refuse at once; a refusal is an event and a silent rejection like any other. */
  #queue<Value>(run: () => Promise<Value>): Promise<Value> {
    this.#error = null;
    let outcome: Promise<Value>;
    try {
      outcome = run();
    } catch (error) {
      outcome = Promise.reject(error as Error);
      if (error instanceof SignError) this.#emit('sign-error', { error });
    }
    outcome.catch(() => {});
    this.requestUpdate();
    return outcome;
  }

  #emit<Name extends keyof SignEventDetails>(name: Name, detail: SignEventDetails[Name]): void {
    if (name === 'sign-error') this.#onError((detail as SignEventDetails['sign-error']).error);
    if (name === 'sign-start') this.#error = null;
    if (name === 'sign-statechange') this.showState((detail as SignEventDetails['sign-statechange']).state);
    emit(this, name, detail);
  }

  #onError(error: SignError): void {
    if (error.severity === 'warning') return;
    this.#error = error;
    this.requestUpdate();
    if (error.severity === 'session')
      warnOnce(`error ${error.code}`, `<sign-translate>: ${error.code}: ${error.message}`);
  }

  protected override face(): Face {
    const { strings } = this;
    const line = this.#line;
    const error = this.#error && errorText(this.#error.code, strings);
    const held = this.media !== null && this.paused && !this.ended;
    const pending = line.waiting && line.showing === null && !held ? strings.preparing : null;
    const text = error ?? (line.state === 'reconnecting' ? strings.reconnecting : pending);
    const offer = this.for && !line.busy && !this.media ? strings.signPage : null;
    return {
      message: text === null ? null : { text, soft: !error },
      start: this.surface.blocked ? strings.play : offer,
      spoken: error ?? line.showing ?? '',
      replayable: line.replayable,
    };
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    if (changed.has('text') && this.text) void this.sign(this.text);
  }

  protected override teardown(): void {
    this.#line.reset();
    this.#error = null;
    this.requestUpdate();
  }
}

/** A selector that a page wrote may be anything. */
function safeQuery(selector: string): Element | null {
  try {
    return document.querySelector(selector);
  } catch {
    return null;
  }
}
