// The button of a closed panel with a `launcher`. Until it is pressed for the first time nothing else of the panel is loaded.
// - While the panel is loading the button stays, and says that it is busy.
// - The button follows the language of the page.
import { leaveHolder, showLauncher, wasLeftOpen, type Launcher } from './launcher.ts';
import type { PanelHost } from './panel-playback.ts';
import type { PanelStrings } from './panel-strings.ts';

export interface PanelDeps {
  /** BCP 47 tag of the interface. */
  lang(): string;
  /** The page's own texts in place of ours. */
  texts(): Readonly<Partial<PanelStrings>> | undefined;
  toggleFullscreen(): void;
}

export class ClosedPanel {
  readonly #host: PanelHost;
  readonly #deps: PanelDeps;
  #launcher: Launcher | null = null;
  #lang = '';
  #wasPressed = false;

  constructor(host: PanelHost, deps: PanelDeps) {
    this.#host = host;
    this.#deps = deps;
    // The classic script has shown a button of its own before the element was defined.
    for (const button of host.shadowRoot!.querySelectorAll('.launcher')) button.remove();
    if (host.launcher && host.remember !== 'none' && wasLeftOpen(host)) host.open = true;
  }

  /** Called after each update of the element, as long as the panel is not shown. */
  update(): void {
    const { open, launcher, placement, isConnected, shadowRoot } = this.#host;
    // A page of unit tests (jsdom) lays nothing out, and has no such sheets.
    if (!launcher || placement === 'inline' || !isConnected || !shadowRoot!.adoptedStyleSheets)
      return this.detach();
    if (!open) this.#show();
    this.#launcher?.button.setAttribute('aria-busy', String(open));
  }

  /** The page has moved the element, which takes it out of the top layer. */
  moved(): void {
    if (this.#launcher) leaveHolder(this.#host);
  }

  /** Removes the button. */
  detach(): void {
    this.#launcher?.remove();
    this.#launcher = null;
  }

  /** The button, while it is shown. */
  get button(): HTMLButtonElement | undefined {
    return this.#launcher?.button;
  }

  /** True once after each press: the button disappears, so the focus must be moved. */
  takePress(): boolean {
    const wasPressed = this.#wasPressed;
    this.#wasPressed = false;
    return wasPressed;
  }

  #show(): void {
    const lang = this.#deps.lang();
    if (this.#launcher && lang !== this.#lang) this.detach();
    this.#lang = lang;
    this.#launcher ??= showLauncher(this.#host.shadowRoot!, lang, () => {
      this.#wasPressed = true;
      this.#host.open = true;
    });
    const { title } = this.#deps.texts() ?? {};
    if (title) this.#launcher.button.lastChild!.textContent = title;
  }
}

export const makePanel = (host: PanelHost, deps: PanelDeps): ClosedPanel => new ClosedPanel(host, deps);
