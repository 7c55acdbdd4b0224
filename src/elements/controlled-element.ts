// An element with `controls`: it loads its control bar, keeps its place meanwhile, and has the focus where the bar has it.
// - Without a bar the element itself is a Tab stop, whose keys play and pause; a bar has buttons enough.
import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { loadCode } from '../internal/load-code.ts';
import { controlsProperty } from './attributes.ts';
import type { BarState, ControlBar } from './control-bar.ts';
import { PlacedElement } from './placed-element.ts';

export abstract class ControlledElement extends PlacedElement {
  static override properties: PropertyDeclarations = { controls: controlsProperty };

  /** False for none, true for the usual ones, or words that choose some. */
  declare controls: boolean | string;

  #bar: ControlBar | undefined;
  #isLoading = false;
  /** The page has set no `tabindex`. */
  #ownsTabIndex = false;

  constructor() {
    super();
    this.controls = false;
  }

  protected abstract replay(): void;

  /** The element's own part of the bar; by default the button that signs the last text again. */
  protected get ownControls(): BarState['own'] {
    return undefined;
  }

  /** Plays or pauses, as the button shows; after the end it plays again. */
  protected toggle(): void {
    // A refusal shows the button.
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

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ownsTabIndex ||= !this.hasAttribute('tabindex');
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (this.controls && !this.#bar && !this.#isLoading && !this.isClosed) this.#load();
    const isReached = Boolean(this.#firstButton);
    if (!this.#ownsTabIndex || this.hasAttribute('tabindex') !== isReached) return;
    const hasFocus = this.matches(':focus') && !this.renderRoot.querySelector(':focus');
    if (isReached) this.removeAttribute('tabindex');
    else this.tabIndex = 0;
    if (hasFocus) this.focus({ preventScroll: true });
  }

  get #firstButton(): HTMLElement | null {
    return this.renderRoot.querySelector('.launcher,[part~=toggle]');
  }

  /** With a bar its first button takes the focus, also when it comes later; a closed panel has its launcher. */
  override focus(options?: FocusOptions): void {
    const button = this.#firstButton;
    if (button && !this.hasAttribute('tabindex')) return button.focus(options);
    if (this.#ownsTabIndex) this.tabIndex = 0;
    super.focus(options);
  }

  /** What does not load is tried again at the next update. */
  #load(): void {
    this.#isLoading = true;
    loadCode(() => import('./control-bar.ts'))
      .then(({ ControlBar }) => {
        this.#bar = new ControlBar(this);
        this.requestUpdate();
      })
      .catch(() => {})
      .finally(() => (this.#isLoading = false));
  }
}
