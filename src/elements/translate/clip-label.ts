// Says on the picture who signs what is on screen (part `label`): the service, the service and a reviewer, or a person.
// - The element shows one of its texts there, so it gets its texts with another one in that place.
import type { Strings } from '../../strings/en.ts';
import { readingEn } from '../../strings/reading.ts';

/** Who signs a clip that the page has; null for the service alone. */
export type ClipOrigin = 'reviewed' | 'human' | null;

export class ClipLabel {
  readonly #host: { strings: Strings };
  /** The texts that the element was given, and those that it has now in their place. */
  #plain: Strings | null = null;
  #labelled: Strings | null = null;

  /** @param host the element, whose texts nobody else changes but in another language */
  constructor(host: { strings: Strings }) {
    this.#host = host;
  }

  show(origin: ClipOrigin): void {
    const { strings } = this.#host;
    const plain = strings === this.#labelled && this.#plain ? this.#plain : strings;
    const reading = { ...readingEn, ...plain.reading };
    this.#plain = plain;
    this.#labelled = origin && { ...plain, generated: reading[origin] };
    this.#host.strings = this.#labelled ?? plain;
  }
}
