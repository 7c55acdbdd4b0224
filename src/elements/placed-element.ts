// The panel of an element with a `placement` and the bar of one with `controls`: loads the code of both, and decides which part
// takes the focus.
// - Without `launcher` a panel is open from the start. The attribute `open` appears only when the property is set. Until the panel
//   is loaded, the element takes no room and is invisible. Calls and attributes of a closed panel wait; they load no code.
// - Room for the bar is kept while it loads.
// - Without a bar the element's box is a Tab stop, whose keys play and pause. With a bar it is not: the bar has buttons for that.
// - It writes no `tabindex` on itself, because hydration of a server-rendered page would find an attribute that the server did
//   not write. A `tabindex` that the page has set is respected.
import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { loadCode } from '../internal/load-code.ts';
import { nearestLang } from '../page/nearest-lang.ts';
import type { ClosedPanel, PanelDeps } from '../panel/closed-panel.ts';
import type { Panel } from '../panel/panel.ts';
import type { PanelHost } from '../panel/panel-playback.ts';
import type { Strings } from '../strings/en.ts';
import {
  controlsProperty,
  oneOfProperty,
  readPlacement,
  readRemember,
  type Placement,
  type Remember,
} from './attributes.ts';
import type { BarState, ControlBar } from './control-bar.ts';
import { toggleFullscreen } from './controls.ts';
import { MediaElement } from './media-element.ts';

const AGAIN_MS = 10_000;

interface MakesPanel {
  makePanel(host: PanelHost, deps: PanelDeps, closed: ClosedPanel | null): Panel | ClosedPanel;
}

export abstract class PlacedElement extends MediaElement {
  static override properties: PropertyDeclarations = {
    placement: {
      noAccessor: true,
      reflect: true,
      converter: { toAttribute: (value) => (value === 'inline' ? null : value) },
    },
    open: { type: Boolean, noAccessor: true },
    launcher: { type: Boolean },
    remember: oneOfProperty(readRemember),
    controls: controlsProperty,
  };

  /** With a `placement`: only a button is shown and nothing else is loaded until the panel is opened. */
  declare launcher: boolean;
  /** Where the visitor's choices of place and size are kept. */
  declare remember: Remember;
  /** False for none, true for the usual ones, or words that choose some. */
  declare controls: boolean | string;

  /** Interface texts in the language of the element. */
  declare protected strings: Strings;

  #open: boolean | undefined;
  #placement: Placement | undefined;
  #panel: Panel | ClosedPanel | null = null;
  /** What is loaded or loading: 0 nothing, 1 the launcher, 2 the panel. */
  #panelCode = 0;
  #bar: ControlBar | undefined;
  #isLoadingBar = false;

  constructor() {
    super();
    this.launcher = false;
    this.remember = 'site';
    this.controls = false;
  }

  protected abstract replay(): void;

  /** With a `placement`: true while the panel is shown; by default it is, unless there is a `launcher`. */
  get open(): boolean {
    return this.#open ?? (this.placement !== 'inline' && !this.launcher);
  }
  set open(open: boolean) {
    this.#open = open;
    this.toggleAttribute('open', !!open);
    this.requestUpdate();
  }

  /** Opens the panel of an element with a `placement`. */
  show(): void {
    this.open = true;
  }

  /** Closes it. */
  hide(): void {
    this.open = false;
  }

  /** Where its panel is; frameworks set undefined, null or an empty string for none, which is `inline`. */
  get placement(): Placement {
    return readPlacement(this.#placement);
  }
  set placement(placement: Placement) {
    this.#placement = placement;
    this.requestUpdate('placement');
  }

  /** True for a panel that is not open: it loads nothing. */
  protected get isClosed(): boolean {
    return this.placement !== 'inline' && !this.open;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#panel?.moved();
  }

  /** Removes the panel; the next update adds it again. */
  protected detachPanel(): void {
    this.#panel?.detach();
  }

  /** The element's own part of the bar; by default the button that signs the last text again. */
  protected get ownControls(): BarState['own'] {
    return undefined;
  }

  /** Plays or pauses, as the button shows; after the end it plays again. */
  protected toggle(): void {
    // When it is refused, the button stays.
    if (this.paused) this.play().catch(() => {});
    else this.pause();
  }

  /** The element is in another document, where its bar is made anew. */
  protected dropBar(): void {
    this.#bar = undefined;
  }

  protected controlsView(replayable: boolean): TemplateResult {
    const { strings } = this;
    const toggle = (): void => this.toggle();
    const replay = (): void => this.replay();
    return html`<div part="controls" class="controls ${this.#bar ? '' : 'coming'}" lang=${strings.lang}>
      ${this.#bar?.view({ strings, replayable, own: this.ownControls, toggle, replay })}
    </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#panel?.update();
    this.#loadPanel();
    if (this.controls && !this.#bar && !this.#isLoadingBar && !this.isClosed) this.#loadBar();
    const isTabStop = !this.#firstButton && !this.hasAttribute('tabindex');
    this.box.tabIndex = isTabStop ? 0 : -1;
    if (!isTabStop && this.shadowRoot!.activeElement === this.box) this.focus({ preventScroll: true });
  }

  /** The picture's box, once it is drawn. */
  protected get box(): HTMLElement {
    return this.renderRoot.querySelector('.box')!;
  }

  get #firstButton(): HTMLElement | null {
    return this.renderRoot.querySelector('.launcher,[part~=toggle]');
  }

  /** With a bar its first button takes the focus, also when it comes later; a closed panel has its launcher. */
  override focus(options?: FocusOptions): void {
    // It may not have been drawn yet.
    this.performUpdate();
    if (this.hasAttribute('tabindex')) super.focus(options);
    else (this.#firstButton ?? this.box).focus(options);
  }

  /** Updates the element when code has loaded: a closed panel may have no other update. */
  #updateLater(): void {
    setTimeout(() => this.requestUpdate(), AGAIN_MS);
  }

  /** A failed load is tried again at the next update. */
  #loadBar(): void {
    this.#isLoadingBar = true;
    loadCode(() => import('./control-bar.ts'))
      .then(({ ControlBar }) => {
        this.#bar = new ControlBar(this);
        this.requestUpdate();
      })
      .catch(() => this.#updateLater())
      .finally(() => (this.#isLoadingBar = false));
  }

  /** A failed load is tried again at the next update. */
  #loadPanel(): void {
    const had = this.#panelCode;
    const code = this.placement === 'inline' ? 0 : this.launcher && this.isClosed ? 1 : 2;
    if (code <= had) return;
    this.#panelCode = code;
    const deps = {
      lang: () => nearestLang(this),
      texts: () => this.strings.panel,
      toggleFullscreen: () => void toggleFullscreen(this),
    };
    loadCode<MakesPanel>(() =>
      code === 1 ? import('../panel/closed-panel.ts') : import('../panel/panel.ts'),
    ).then(
      ({ makePanel }) => {
        // The panel was opened while the code of the launcher was loading.
        if (code !== this.#panelCode) return;
        this.#panel = makePanel(this, deps, this.#panel as ClosedPanel | null);
        this.requestUpdate();
      },
      () => {
        if (code === this.#panelCode) this.#panelCode = had;
        this.#updateLater();
      },
    );
  }
}
