// An element with `controls`: it loads its control bar, keeps its place meanwhile, and has the focus where the bar has it.
// - Without a bar its box is a Tab stop, whose keys play and pause. With a bar it is not: the bar has buttons for that.
// - It writes no `tabindex` on itself, because hydration of a server-rendered page would find an attribute that the server did
//   not write. A `tabindex` that the page has set is respected.
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
    if (this.controls && !this.#bar && !this.#isLoading && !this.isClosed) this.#load();
    const isStop = !this.#firstButton && !this.hasAttribute('tabindex');
    this.box.tabIndex = isStop ? 0 : -1;
    if (!isStop && this.box.matches(':focus')) this.focus({ preventScroll: true });
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

  /** A failed load is tried again at the next update. */
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
