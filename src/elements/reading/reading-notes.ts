// The texts of a reading below the control bar: the sentence, when the visitor wants it, and thanks for a report.
// - They are below the bar and not in it, because in a low window the bar is one row whose end is cut off. The picture becomes
//   smaller to make room for them, so that they cover no hands.
// - Words stay until the next words or the end: otherwise the picture would change its size between two sentences.
// - The thanks are shown until the next sentence, or until the same one begins again. They come into an element that a screen
//   reader has known as a status before (WCAG 2.2 technique ARIA22): many say nothing of one that comes with its text.
import { html, nothing, render, type TemplateResult } from 'lit';
import { icon } from '../controls.ts';
import type { QueueStrings } from './queue-view.ts';

const captionIcon = icon('caption', 'M3 5h18v14H3zM6 10v2h12v-2zM6 14v2h8v-2z');

export class ReadingNotes {
  readonly box = document.createElement('div');
  readonly #changed: () => void;
  #hasCaption = false;
  #showsThanks = false;
  #words: string | undefined;

  /** @param changed called when the texts change */
  constructor(host: HTMLElement, changed: () => void) {
    this.#changed = changed;
    this.box.className = 'notes';
    host.addEventListener('sign-start', ({ target }) => target === host && (this.#showsThanks = false));
  }

  /** The visitor has reported the sentence on screen. */
  thank(): void {
    this.#showsThanks = true;
    this.#changed();
  }

  /** The button that shows the sentence as text. */
  button({ caption }: QueueStrings): TemplateResult {
    const toggle = (): void => {
      this.#hasCaption = !this.#hasCaption;
      this.#changed();
    };
    return html`<button
      type="button"
      part="button caption"
      aria-pressed=${String(this.#hasCaption)}
      aria-label=${caption}
      title=${caption}
      @click=${toggle}
    >
      ${captionIcon}
    </button>`;
  }

  /**
   * @param words what is being signed; undefined between sentences
   * @param isOver no other sentence follows
   */
  draw(words: string | undefined, isOver: boolean, { lang, reported }: QueueStrings): void {
    if (words || isOver) this.#words = words;
    const notes = html`
      <div role="status" lang=${lang}>
        ${this.#words && this.#showsThanks ? html`<p>${reported}</p>` : nothing}
      </div>
      ${this.#words && this.#hasCaption ? html`<p part="caption">${this.#words}</p>` : nothing}
    `;
    render(notes, this.box);
  }
}
