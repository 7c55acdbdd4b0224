// What an element with a `placement` has: `open`, `launcher`, `remember`, and its panel, whose code is loaded when it is placed.
// - Without `launcher` it is open from the start. The attribute `open` appears only when `open` is set. Until the panel is loaded,
//   the element takes no room and is not seen.
// - Calls and attributes of a closed panel wait; nothing else is loaded for it.
import type { PropertyDeclarations, PropertyValues } from 'lit';
import { loadCode } from '../internal/load-code.ts';
import { nearestLang } from '../page/nearest-lang.ts';
import type { ClosedPanel, PanelDeps } from '../panel/closed-panel.ts';
import type { Panel } from '../panel/panel.ts';
import type { PanelHost } from '../panel/panel-playback.ts';
import { oneOfProperty, readPlacement, readRemember, type Placement, type Remember } from './attributes.ts';
import { toggleFullscreen } from './controls.ts';
import type { Strings } from '../strings/en.ts';
import { MediaElement } from './media-element.ts';

interface MakesPanel {
  makePanel(host: PanelHost, deps: PanelDeps, closed: ClosedPanel | null): Panel | ClosedPanel;
}

export abstract class PlacedElement extends MediaElement {
  static override properties: PropertyDeclarations = {
    placement: {
      reflect: true,
      converter: {
        fromAttribute: readPlacement,
        toAttribute: (value) => (value === 'inline' ? null : value),
      },
    },
    open: { type: Boolean, noAccessor: true },
    launcher: { type: Boolean },
    remember: oneOfProperty(readRemember),
  };

  declare placement: Placement;
  /** With a `placement`: only a button is shown and nothing else is loaded until the panel is opened. */
  declare launcher: boolean;
  /** Where the visitor's choices of place and size are kept. */
  declare remember: Remember;

  /** Interface texts in the language of the element. */
  declare protected strings: Strings;

  #open: boolean | undefined;
  #panel: Panel | ClosedPanel | null = null;
  /** What is loaded or loading: 0 nothing, 1 the launcher, 2 the panel. */
  #panelCode = 0;

  constructor() {
    super();
    this.placement = 'inline';
    this.launcher = false;
    this.remember = 'site';
  }

  /** With a `placement`: true while the panel is shown; by default it is, unless there is a `launcher`. */
  get open(): boolean {
    return this.#open ?? (this.placement !== 'inline' && !this.launcher);
  }
  set open(open: boolean) {
    this.#open = open;
    this.toggleAttribute('open', Boolean(open));
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

  /** True for a panel that is not open: it loads nothing. */
  protected get isClosed(): boolean {
    return this.placement !== 'inline' && !this.open;
  }

  /** Takes the panel off; the next update puts it back. */
  protected detachPanel(): void {
    this.#panel?.detach();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#panel?.update();
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
      },
    );
  }
}
