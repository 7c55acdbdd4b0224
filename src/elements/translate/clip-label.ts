// Says on the picture who signs what is on screen (part `label`): the service, the service and a reviewer, or a person.
// - The element shows its interface text `generated` there. So its texts are replaced by a copy with another `generated`.
import type { Strings } from '../../strings/en.ts';
import { readingEn } from '../../strings/reading.ts';

/** Who has checked or signed a clip of the page; null for the service alone. */
export type ClipOrigin = 'reviewed' | 'human' | null;

/** A clip of the page. Its origin becomes null when the service makes another clip in its place. */
interface LabelledClip {
  readonly origin: ClipOrigin;
}

/** The clips that are known at one time: a board may show a text every few seconds, for months. */
const MOST = 10_000;

const labels = new WeakMap<HTMLElement, ClipLabel>();

export class ClipLabel {
  readonly #host: { strings: Strings };
  readonly #clips = new Map<string, LabelledClip>();
  /** The texts that the element was given, and their copy that it has now. */
  #plain: Strings | null = null;
  #labelled: Strings | null = null;

  private constructor(host: HTMLElement) {
    // `strings` is protected. Elsewhere it is set only when the language changes.
    this.#host = host as unknown as { strings: Strings };
    host.addEventListener('sign-start', (event) => {
      if (event.target === host) this.#show(this.#clips.get(event.detail.ref)?.origin ?? null);
    });
  }

  /** The label of an element. */
  static of(host: HTMLElement): ClipLabel {
    const label = labels.get(host) ?? new ClipLabel(host);
    labels.set(host, label);
    return label;
  }

  /** The text with this ref is shown by this clip. */
  add(ref: string, clip: LabelledClip): void {
    this.#clips.set(ref, clip);
    const [oldest] = this.#clips.keys();
    if (this.#clips.size > MOST) this.#clips.delete(oldest!);
  }

  #show(origin: ClipOrigin): void {
    const { strings } = this.#host;
    const plain = strings === this.#labelled && this.#plain ? this.#plain : strings;
    const reading = { ...readingEn, ...plain.reading };
    this.#plain = plain;
    this.#labelled = origin && { ...plain, generated: reading[origin] };
    this.#host.strings = this.#labelled ?? plain;
  }
}
