// Says on the picture who signs what is on screen (part `label`): the service, the service and a reviewer, or a person.
// - The element shows one of its texts there, so it gets its texts with another one in that place.
import type { Strings } from '../../strings/en.ts';
import { readingEn } from '../../strings/reading.ts';

/** Who signs a clip that the page has; null for the service alone. */
export type ClipOrigin = 'reviewed' | 'human' | null;

/** A clip that the page has. Its origin is null once the service has made another. */
export interface LabelledClip {
  readonly origin: ClipOrigin;
}

const labels = new WeakMap<HTMLElement, ClipLabel>();

export class ClipLabel {
  readonly #host: { strings: Strings };
  readonly #clips = new Map<string, LabelledClip>();
  /** The texts that the element was given, and those that it has now in their place. */
  #plain: Strings | null = null;
  #labelled: Strings | null = null;

  private constructor(host: HTMLElement) {
    // Its texts are its own, and its subclasses'. Nobody else changes them but in another language.
    this.#host = host as unknown as { strings: Strings };
    host.addEventListener('sign-start', (event) => {
      if (event.target === host) this.#show(this.#clips.get(event.detail.ref)?.origin ?? null);
    });
  }

  /** The one of an element. */
  static of(host: HTMLElement): ClipLabel {
    const label = labels.get(host) ?? new ClipLabel(host);
    labels.set(host, label);
    return label;
  }

  /** What is shown under this ref is this clip. */
  add(ref: string, clip: LabelledClip): void {
    this.#clips.set(ref, clip);
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
