// The members of an element that reads the page. The code that reads is loaded with the first reading.
import type { PropertyDeclarations, PropertyValues } from 'lit';
import { hideInheritedMembers, loadCode } from '../internal/load-code.ts';
import { loadFailed } from '../protocol/sign-error.ts';
import type { BarState } from './control-bar.ts';
import { LazyElement } from './lazy-element.ts';
import type { QueueEntry } from './sign-events.ts';
import type { PageReading } from './reading/page-reading.ts';
import type { SessionSettings } from './translate/session-settings.ts';
import type { TranslateController } from './translate/translate-controller.ts';

const failedIn = (queue: readonly QueueEntry[]): string[] =>
  queue.filter(({ state }) => state === 'failed').map(({ ref }) => ref);

/** Events that come before a visitor starts from a paragraph or a selection. */
const READER_EVENTS = ['pointerover', 'click', 'focusin', 'selectionchange'];

export abstract class ReadingElement extends LazyElement<TranslateController> {
  static override properties: PropertyDeclarations = {
    for: {},
    pick: {},
    highlight: {},
    follow: {},
    glossary: {},
    prepared: {},
    ticket: {},
  };

  /** Ids or selectors, with commas between, of the page content that `play()` signs when nothing else is there to play. */
  declare for: string | null | undefined;
  /** `sentence` or `none`: what is marked in the page while it is signed; default `sentence`. */
  declare highlight: string | null | undefined;
  /** `auto` or `none`: whether the page scrolls to the sentence; default `auto`. */
  declare follow: string | null | undefined;
  /** `paragraphs`, `selection`, both or `none`: where a visitor may start the signing; default both. */
  declare pick: string | null | undefined;
  /** Written form to signed form, or the URL of such an object as JSON. */
  declare glossary: string | Readonly<Record<string, string>> | null | undefined;

  /** URL of the `signs.json` of a prepared edition; with `only` after it nothing else is signed. */
  declare prepared: string | null | undefined;
  /** A ticket, or a same-origin URL that answers one as text, where the proxy requires tickets. */
  declare ticket: string | null | undefined;

  #reading: PageReading | null = null;
  /** The call whose page is being read; null when it has its sentences, or was ended. */
  #starting: object | null = null;

  /** @throws SignError when the settings cannot be sent. */
  protected abstract readSettings(): SessionSettings;

  /** The sentences of the reading, in order; a new list after each `sign-queuechange`. */
  get queue(): readonly QueueEntry[] {
    return this.#reading?.queue ?? [];
  }

  /**
   * Signs what `for` names, sentence by sentence: from the beginning, or from this place on. For a range that is not empty, only
   * the sentences that it touches are signed.
   */
  read(from?: Element | Range): Promise<void> {
    // Called now and not after the page was read: it would then undo a pause that came after this call.
    (this.controller?.unpause() ?? super.play()).catch(() => {});
    return this.startReading((reading) => reading.read(from));
  }

  /** Ends the reading. */
  stop(): void {
    this.#starting = null;
    this.#reading?.stop();
  }

  /** Continues with the next sentence. */
  next(): void {
    this.#reading?.next();
  }

  /** Goes back to the sentence before. */
  previous(): void {
    this.#reading?.previous();
  }

  /** Leaves a sentence of the queue out. */
  skip(ref: string): void {
    this.#reading?.skip(ref);
  }

  /** Sends a failed sentence again. */
  retry(ref: string): void {
    this.#reading?.retry([ref]);
  }

  protected override tryAgain(): void {
    if (!this.#reading?.retry(failedIn(this.queue))) super.tryAgain();
  }

  /** Loads the code of the session together with the controller, which alone would load it later. */
  protected loadSignCode(): Promise<{ readonly TranslateController: typeof TranslateController }> {
    hideInheritedMembers();
    // A prepared page may need no session. Where one is needed, its own load reports a failure.
    if (!this.prepared) import('../session/service-session.ts').catch(() => {});
    return import('./translate/translate-controller.ts');
  }

  /** True while a call waits for code, a glossary, an edition or the first sentences. */
  protected get isStarting(): boolean {
    return this.#starting !== null;
  }

  /** Rejects the calls that wait, ends a reading that has not begun, and drops what waits in one that has. */
  protected dropEarlyCalls(): void {
    this.rejectEarlyCalls();
    this.#reading?.clear();
    if (this.isStarting) this.stop();
  }

  protected override get isPreparing(): boolean {
    return super.isPreparing || (this.isStarting && !this.controller?.busy);
  }

  protected async startReading(run: (reading: PageReading) => Promise<void>): Promise<void> {
    const call = (this.#starting = {});
    try {
      // In the meantime the element may have been removed, or the reading was ended.
      const isWanted = (): boolean => this.isConnected && call === this.#starting;
      const started = this.#load().then((reading) => (isWanted() ? run(reading) : undefined));
      // While a call waits in `use`, the box shows that signs are coming, and an error that comes meanwhile.
      await Promise.all([started, this.use(() => started)]);
    } catch (cause) {
      // Code that did not load has been reported where it was waited for.
      if ((cause as Error).name === 'AbortError' || cause === this.lastError) return;
      this.emit('sign-error', { error: loadFailed(cause) });
    } finally {
      if (call === this.#starting) this.#starting = null;
      this.requestUpdate();
    }
  }

  async #load(): Promise<PageReading> {
    this.#unlisten();
    const { retrying } = this;
    const { PageReading } = await loadCode(() => import('./reading/page-reading.ts'), { retrying });
    this.#reading ??= new PageReading(this, {
      prepare: () => void (this.isClosed || this.loadSignCode().catch(() => {})),
      use: (run) => this.use(run),
      settings: () => this.readSettings(),
      strings: () => this.strings,
      emit: (name, detail) => this.emit(name, detail),
    });
    this.requestUpdate();
    return this.#reading;
  }

  /** Listens until the code is loaded that lets a visitor start from a paragraph or a selection. */
  #listen(): void {
    READER_EVENTS.forEach((type) => document.addEventListener(type, this.#onReader, { passive: true }));
  }

  #unlisten(): void {
    READER_EVENTS.forEach((type) => document.removeEventListener(type, this.#onReader));
  }

  readonly #onReader = ({ type, target }: Event): void => {
    const node = type === 'selectionchange' ? getSelection()?.anchorNode?.parentElement : target;
    if (this.isClosed || !this.for || this.pick === 'none' || !(node instanceof Element)) return;
    const ids = this.for.split(',').map((id) => `[id="${id.trim()}"]`);
    try {
      // `:is()` ignores an invalid selector in its list.
      if (node === this || node.closest(`:is(${this.for},${ids})`)) {
        this.#load().then(
          (reading) => reading.pickAt(node),
          () => this.#listen(),
        );
      }
    } catch {
      // The whole list is invalid, for example by an open bracket.
    }
  };

  override connectedCallback(): void {
    super.connectedCallback();
    this.controller?.update();
    if (!this.#reading) this.#listen();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.controller?.update();
    this.#unlisten();
  }

  protected override get ownControls(): BarState['own'] {
    return (has) => this.#reading?.buttons(has);
  }

  protected override teardown(): void {
    this.#starting = null;
    this.#reading?.reset();
    super.teardown();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#reading?.update();
  }
}
