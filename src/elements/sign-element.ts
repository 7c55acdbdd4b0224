// What all elements share: attributes, the box with its message and buttons, keys, interface language, connecting and leaving.
// - Connecting sets up again what disconnecting has ended. Teardown waits two frames, so that a moved element keeps playing.
// - Leaving the page tears down at once; a page restored from the back/forward cache starts idle.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { addStyles } from '../internal/add-styles.ts';
import { defaultProxy } from '../internal/script-base.ts';
import { version } from '../internal/safe-define.ts';
import { nearestLang } from '../page/nearest-lang.ts';
import type { Language } from '../protocol/signers.ts';
import { en } from '../strings/en.ts';
import { listeners, stringsFor } from '../strings/strings.ts';
import {
  oneOfProperty,
  readBackground,
  readLanguage,
  readResolution,
  type Resolution,
} from './attributes.ts';
import { PlacedElement } from './placed-element.ts';
import { generatedLabel, messageView, signerOutline, startIcon, type ViewState } from './controls.ts';
import { Background } from './background.ts';
import type { Player } from '../playback/player.ts';
import { outlastReset, signElementStyles } from './sign-element.styles.ts';
import { keepInside, type SignState } from './sign-events.ts';

export abstract class SignElement extends PlacedElement {
  static readonly version = version;
  static override styles = signElementStyles;
  static override properties: PropertyDeclarations = {
    proxy: {},
    signer: {},
    language: oneOfProperty(readLanguage),
    resolution: oneOfProperty(readResolution),
    background: oneOfProperty(readBackground),
    strings: { state: true },
  };

  /** Prefix of the proxy's routes. */
  declare proxy: string;
  declare signer: string | undefined;
  declare language: Language | undefined;
  declare resolution: Resolution;
  /** `transparent`, `#RRGGBB`, or null for the signer's own backplate; junk reads as null. */
  declare background: string | null;
  protected abstract get viewState(): ViewState;
  /** Tries again what has failed. */
  protected abstract tryAgain(): void;
  /** Ends everything that is pending; the element can be used again. */
  protected abstract teardown(): void;

  /** Pages of unit tests have no internals, or internals that throw (happy-dom 21, jsdom 24). */
  readonly #internals: Partial<ElementInternals> = this.attachInternals?.() ?? {};
  readonly #boxes: HTMLElement[] = [];
  /** Made when the element is put on a page: a server, which makes elements too, has none. */
  #langObserver: MutationObserver | undefined;
  #backgroundLayer: Background | null = null;
  #leaving: (() => void) | null = null;
  #state: SignState = 'idle';
  /** The window of the document that it is in. */
  #window: Window | null = null;

  constructor() {
    super();
    this.proxy = defaultProxy();
    this.resolution = '720p';
    this.background = null;
    this.strings = en;
    this.showState('idle');
    this.addEventListener('keydown', (event) => this.#onKey(event));
    this.addEventListener('fullscreenchange', () => this.requestUpdate());
  }

  /**
   * True while the videos in the box must be keyed; read at each update. A subclass returns false when the media already has
   * the background, or no backplate to remove.
   */
  protected get keyed(): boolean {
    return readBackground(this.background) !== null;
  }

  /** Keys that the element handles, so that controls of media-chrome around it ignore them. */
  get keysUsed(): readonly string[] {
    return [' ', 'k', 'r'];
  }

  /** Puts a player into the box, on top of the others. */
  protected add(player: Player): void {
    player.box.className = 'videos';
    this.#boxes.push(player.box);
    this.mirror(player);
    this.requestUpdate();
  }

  /**
   * Replaces what a server has rendered, unless the page has loaded Lit's hydration, which continues with it. The style sheets
   * that Lit shares belong to this script's document; another document (a frame, a picture-in-picture window) refuses them.
   */
  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    if (!('litElementHydrateSupport' in globalThis)) this.shadowRoot?.replaceChildren();
    try {
      super.createRenderRoot();
    } catch {
      this.adoptedCallback();
    }
    return this.shadowRoot!;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    outlastReset(this);
    this.loadStrings();
    listeners.add(this.loadStrings);
    this.#langObserver ??= new MutationObserver(() => this.loadStrings());
    for (const node of [this, this.ownerDocument.documentElement])
      this.#langObserver.observe(node, { attributeFilter: ['lang'] });
    if (this.#leaving) {
      this.#leaving();
      this.#leaving = null;
      this.player.resume();
    } else {
      this.#window = this.ownerDocument.defaultView;
      this.#window?.addEventListener('pagehide', this.#onPageHide);
      this.requestUpdate();
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#langObserver?.disconnect();
    listeners.delete(this.loadStrings);
    this.#leaving = afterTwoFrames(() => this.#leave());
  }

  /** Loaded media and style sheets do not move to another document, so the element is idle there. */
  adoptedCallback(): void {
    if (this.shadowRoot) addStyles(this.shadowRoot, signElementStyles.cssText);
    this.#leave();
    this.dropBar();
  }

  #leave(): void {
    this.#leaving?.();
    this.#leaving = null;
    this.#window?.removeEventListener('pagehide', this.#onPageHide);
    this.#end();
  }

  readonly #onPageHide = (): void => this.#end();

  #end(): void {
    this.#showBackground(null);
    this.detachPanel();
    this.teardown();
  }

  /** Loads the interface texts of the language in force here. */
  protected readonly loadStrings = (): void => {
    const lang = nearestLang(this);
    void stringsFor(lang).then((strings) => {
      // The language may have changed meanwhile, and the texts of the new one may have been loaded first.
      if (lang === nearestLang(this)) this.strings = strings;
    });
  };

  /** Mirrors the state for CSS: `:state(signing)`. */
  protected showState(state: SignState): void {
    const { states } = this.#internals;
    states?.delete(this.#state);
    this.#state = state;
    try {
      states?.add(state);
    } catch {
      // Chromium before 125 refuses a state without dashes: there a page has only the event.
    }
  }

  #showBackground(background: string | null): void {
    if (background === null && !this.#backgroundLayer) return;
    this.#backgroundLayer ??= new Background(this.box, this.#internals.states);
    this.#backgroundLayer.update(background, this.keyed);
  }

  /** The button disappears when it is pressed; the focus stays in the element. */
  #onStart(): void {
    this.focus({ preventScroll: true });
    this.play().catch(() => {});
  }

  #onRetry(): void {
    this.focus({ preventScroll: true });
    this.tryAgain();
  }

  #onKey(event: KeyboardEvent): void {
    // Content in the idle slot handles its own keys.
    if (event.target !== this || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    // A button, a checkbox and a list use Space themselves.
    const [on] = event.composedPath();
    if (key === 'k' || (key === ' ' && (on === this || on === this.box))) this.toggle();
    else if (key === 'r') this.replay();
    else {
      // The event is not cancelled, so that a dialog around the element closes too.
      if (key === 'escape') this.player.rest();
      return;
    }
    event.preventDefault();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const ariaLabel = this.strings.label;
    const none = { role: null, ariaLabel: null };
    const isTabStop = this.box.tabIndex === 0;
    // With this role a screen reader passes on the keys that it would otherwise use itself.
    Object.assign(this.box, isTabStop ? { role: 'application', ariaLabel } : none);
    try {
      Object.assign(this.#internals, isTabStop ? none : { role: 'group', ariaLabel });
    } catch {
      // A page of unit tests, which no assistive technology reads.
    }
    this.#showBackground(this.isConnected || this.#leaving ? readBackground(this.background) : null);
  }

  protected override render(): TemplateResult {
    const { message, start, spoken, replayable } = this.viewState;
    return html`
      <div part="box" class="box" lang=${this.strings.lang}>
        ${this.#boxes}
        ${
          this.media
            ? nothing
            : html`<div part="idle" class="idle">
                <slot name="idle" @sign-statechange=${keepInside} @sign-error=${keepInside}
                  >${signerOutline}</slot
                >
              </div>`
        }
        ${this.media ? generatedLabel(this.strings) : nothing}
        <div class="over">
          ${
            start === null
              ? nothing
              : html`<button type="button" part="button start" class="start" @click=${() => this.#onStart()}>
                  ${startIcon} ${start}
                </button>`
          }
          ${message ? messageView(message, this.strings, () => this.#onRetry()) : nothing}
        </div>
      </div>
      ${this.controls ? this.controlsView(replayable) : nothing}
      <div class="spoken" role="status" lang=${this.strings.lang}>${spoken}</div>
    `;
  }
}

/**
 * Calls back after two frames, in which a moved element is back on its page; after 250 ms on a hidden page, which has no frames.
 * The returned function cancels it.
 */
function afterTwoFrames(callback: () => void): () => void {
  let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(fire)));
  const timer = setTimeout(fire, 250);
  function cancel(): void {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  }
  function fire(): void {
    cancel();
    callback();
  }
  return cancel;
}
