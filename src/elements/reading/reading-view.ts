// The controls of a reading: buttons in the bar, notes below it, the button at a paragraph, and the button that goes back to the
// sentence being signed.
// - The two buttons on the page are popovers, so that nothing of the page clips or covers them. They cover 44 px and no more.
// - The button at a paragraph is one Tab stop, after the bar; there the arrow keys go from paragraph to paragraph.
import { html, nothing, render, type TemplateResult } from 'lit';
import { addStyles } from '../../internal/add-styles.ts';
import { loadCode } from '../../internal/load-code.ts';
import { keepFocusFree } from '../../page/follow.ts';
import { isInThisWindow } from '../../page/scrollers.ts';
import { Picker, pickSize, textOf, type PickPlace } from '../../page/picker.ts';
import { tidy } from '../../page/unread.ts';
import type { Strings } from '../../strings/en.ts';
import { readingEn } from '../../strings/reading.ts';
import { button, icon } from '../controls.ts';
import type { HasControl } from '../control-bar.ts';
import type { QueueEntry } from '../sign-events.ts';
import type { Listed, QueueStrings, renderQueue } from './queue-view.ts';
import { ReadingNotes } from './reading-notes.ts';
import { readingStyles, stickyStyles } from './reading-view.styles.ts';

const previousIcon = icon('previous', 'M6 5h2v14H6zM19 5v14L9 12z');
const nextIcon = icon('next', 'M16 5h2v14h-2zM5 5v14l10-7z');
const stopIcon = icon('stop', 'M6 6h12v12H6z');
const reportIcon = icon('report', 'M5 3h14l-4 5 4 5H7v8H5z');
const handIcon = icon('pick', 'M9 21 4 13l2-1 3 3V4h2v7h1V2h2v9h1V4h2v8h1V7h2v9l-3 5z');

/** The members of the element that the view uses. */
export interface Readable extends Listed {
  readonly ended: boolean;
  readonly pick?: string | null | undefined;
  read(from?: Element | Range): Promise<void>;
  play(): Promise<void>;
  pause(): void;
  stop(): void;
  next(): void;
  previous(): void;
  requestUpdate(): void;
}

interface ReadingViewOptions {
  readonly strings: () => Strings;
  readonly parts: () => readonly Element[];
  readonly jump: (ref: string) => void;
  /** The words of this sentence that are on screen. */
  readonly captionOf: (ref: string) => string | undefined;
  /** True when the queue has all sentences up to the end of the page. */
  readonly isWhole: () => boolean;
  /** The visitor is about to start: the pointer or the focus is on the button at a paragraph. */
  readonly prepare: () => void;
  readonly report: (entry: QueueEntry) => void;
  readonly rejoin: () => void;
}

export class ReadingView {
  readonly #host: Readable;
  readonly #options: ReadingViewOptions;
  readonly #box = document.createElement('div');
  readonly #list = document.createElement('div');
  readonly #notes: ReadingNotes;
  /** Aborted to end `keepFocusFree`; null while nothing is read. */
  #keepingFocusFree: AbortController | null = null;
  readonly #pick: HTMLButtonElement;
  readonly #rejoin: HTMLButtonElement;
  #picker: Picker | null = null;
  #renderQueue: typeof renderQueue | null = null;
  #isListed = false;
  /** The place that the button at a paragraph was named after, and its first words: while the page scrolls they are the same. */
  #named: Element | Range | null = null;
  #start: string | undefined;

  constructor(host: Readable, options: ReadingViewOptions) {
    this.#host = host;
    this.#options = options;
    this.#pick = this.#onPage('pick', handIcon, () => this.#onPick());
    this.#rejoin = this.#onPage('rejoin', nothing, options.rejoin);
    // Without this a press on the button would clear the selection that it signs.
    for (const type of ['pointerdown', 'mousedown'])
      this.#pick.addEventListener(type, (event) => event.preventDefault());
    for (const type of ['pointerenter', 'focus']) this.#pick.addEventListener(type, options.prepare);
    this.#pick.addEventListener('focus', () => this.#picker?.hold(true));
    this.#pick.addEventListener('blur', () => this.#picker?.hold(false));
    this.#pick.addEventListener('keydown', (event) => this.#onKey(event));
    this.#box.className = 'reading';
    this.#box.append(this.#list, this.#pick, this.#rejoin);
    this.#notes = new ReadingNotes(host, () => host.requestUpdate());
    host.shadowRoot!.append(this.#notes.box, this.#box);
  }

  get #strings(): QueueStrings {
    const { retry, lang, reading } = this.#options.strings();
    return { retry, lang, ...readingEn, ...reading };
  }

  get #current(): QueueEntry | undefined {
    return this.#host.queue.find(({ state }) => state === 'signing');
  }

  /** The buttons of a reading in the control bar. */
  buttons(has: HasControl): TemplateResult {
    const { queue } = this.#host;
    const strings = this.#strings;
    const current = this.#current;
    const isNone = queue.length === 0;
    const at = queue.findLastIndex(({ state }) => state === 'signing' || state === 'signed') + 1;
    const count = `${at} ${strings.of} ${queue.length}`;
    const host = this.#host;
    const wanted = (
      name: 'previous' | 'next' | 'stop',
      content: TemplateResult,
      press: () => void,
    ): unknown => (has(name) ? button(name, strings[name], content, press, isNone) : nothing);
    return html`
      ${wanted('previous', previousIcon, () => host.previous())}
      ${wanted('next', nextIcon, () => host.next())} ${wanted('stop', stopIcon, () => this.#onStop())}
      ${
        has('queue')
          ? html`<button
              type="button"
              part="button queue"
              aria-expanded=${String(this.#isListed)}
              aria-label="${strings.queue}: ${count}"
              title=${strings.queue}
              @click=${() => this.#toggleList()}
            >
              ${count}
            </button>`
          : nothing
      }
      ${has('caption') ? this.#notes.button(strings) : nothing}
      ${button('report', strings.report, reportIcon, () => current && this.#onReport(current), !current)}
    `;
  }

  /** The queue or an attribute has changed. */
  update(): void {
    this.#rejoin.textContent = this.#strings.rejoin;
    const host = this.#host;
    const picks = (what: string): boolean =>
      (host.pick?.toLowerCase() || 'paragraphs selection').includes(what);
    const isOn = host.isConnected && isInThisWindow(host) && (picks('paragraphs') || picks('selection'));
    this.#pick.hidden = !isOn;
    if (!isOn) {
      this.#picker?.close();
      this.#picker = null;
    } else {
      this.#picker ??= new Picker({
        host,
        parts: this.#options.parts,
        picks,
        changed: (place) => this.#onPlace(place),
      });
    }
    this.#label();
    const isOver = host.queue.every(({ state }) => state === 'signed' || state === 'failed');
    const current = this.#current;
    this.#notes.draw(current && this.#options.captionOf(current.ref), isOver, this.#strings);
    addStyles(host.shadowRoot!, readingStyles);
    const sticky = addStyles(host.shadowRoot!, stickyStyles);
    if (sticky) sticky.disabled = isOver;
    if (isOver) {
      this.#keepingFocusFree?.abort();
      this.#keepingFocusFree = null;
    } else this.#keepingFocusFree ??= keepFocusFree(host);
    this.#box.classList.toggle('listed', this.#isListed);
    this.#renderQueue?.(this.#list, host, this.#isListed, this.#strings, this.#options.jump);
  }

  pickAt(node: Node): void {
    this.#picker?.pickAt(node);
  }

  /** @param isLost the reader has scrolled away from the sentence being signed */
  showRejoin(isLost: boolean): void {
    const { top, bottom } = this.#host.getBoundingClientRect();
    const isStuck = /fixed|sticky/.test(getComputedStyle(this.#host).position);
    const isBelow = isStuck && top > innerHeight - bottom;
    // Nothing matches `:focus` while another window is in front.
    const hadFocus = this.#host.shadowRoot!.activeElement === this.#rejoin;
    show(this.#rejoin, isLost);
    // In a low window there is no room above the signer.
    const highest = innerHeight - this.#rejoin.offsetHeight;
    this.#rejoin.style.bottom = `${Math.min((isBelow ? innerHeight - top : 0) + 16, highest)}px`;
    if (hadFocus && !isLost) this.#host.focus({ preventScroll: true });
  }

  /** The element has left the page. */
  close(): void {
    this.#picker?.close();
    this.#picker = null;
    this.#isListed = false;
    this.showRejoin(false);
    this.update();
  }

  #onPage(part: string, content: unknown, press: () => void): HTMLButtonElement {
    const made = document.createElement('button');
    made.type = 'button';
    made.className = part;
    made.setAttribute('part', `button ${part}`);
    made.popover = 'manual';
    made.addEventListener('click', press);
    render(content, made);
    return made;
  }

  #label(): void {
    const { fromHere, selection } = this.#strings;
    const picked = this.#picker?.picked ?? null;
    if (picked !== this.#named) {
      const words = picked instanceof Range ? String(picked) : picked ? textOf(picked) : '';
      // Whole words, where there is a space between words.
      this.#start = /^(?:.{1,40}(?!\S)|.{40})/u.exec(tidy(words))?.[0];
      this.#named = picked;
    }
    const start = this.#start;
    this.#pick.title = picked instanceof Range ? selection : fromHere;
    this.#pick.ariaLabel = start ? `${this.#pick.title}: ${start}` : this.#pick.title;
  }

  #onPlace(place: PickPlace | null): void {
    if (place) {
      const size = `${pickSize()}px`;
      const [left, top] = [`${place.x}px`, `${place.y}px`];
      Object.assign(this.#pick.style, { left, top, width: size, height: size });
    }
    this.#label();
    show(this.#pick, place !== null);
  }

  #onPick(): void {
    const from = this.#picker?.picked;
    if (!from) return;
    // It jumps to a sentence of the queue, so that a prepared or signed sentence is not requested again.
    const queued = this.#options.isWhole() && this.#host.queue.find(({ element }) => element === from);
    if (queued) this.#options.jump(queued.ref);
    else void this.#host.read(from);
  }

  #onKey(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'Escape') this.#host.focus();
    else if (/^Arrow[UD]/.test(key)) this.#picker?.move(key === 'ArrowUp' ? -1 : 1);
    else return;
    event.preventDefault();
  }

  /** The buttons disappear with the queue; the focus stays in the element. */
  #onStop(): void {
    this.#host.focus({ preventScroll: true });
    this.#host.stop();
  }

  #onReport(entry: QueueEntry): void {
    this.#options.report(entry);
    this.#notes.thank();
  }

  #toggleList(): void {
    this.#isListed = !this.#isListed;
    this.#host.requestUpdate();
    if (this.#renderQueue) return;
    loadCode(() => import('./queue-view.ts')).then(
      ({ renderQueue }) => {
        this.#renderQueue = renderQueue;
        this.update();
      },
      // The next press tries it again.
      () => (this.#isListed = false),
    );
  }
}

/** Without popovers (Firefox before 125) it is shown in the element's own layer. */
function show(button: HTMLElement, isShown: boolean): void {
  button.classList.toggle('shown', isShown);
  if (button.isConnected) button.togglePopover?.(isShown);
}
