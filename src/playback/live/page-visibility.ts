// Holds live playback while the page is hidden.
// - A muted stream pauses, as in browsers, and downloads nothing. A stream with sound or in picture-in-picture plays on.
// - When the page is visible again, a live stream plays on at live: as soon as its manifest was read, or after 3 s. A stream
//   with an end plays on where it was.
import type { StreamSlot } from './stream-slot.ts';

const MAX_RETURN_MS = 3000;

const isHeardOrSeen = (video: HTMLVideoElement): boolean =>
  !video.muted || (video.getRootNode() as Partial<DocumentOrShadowRoot>).pictureInPictureElement === video;

export class PageVisibility {
  readonly #resume: () => void;
  #frozen: StreamSlot | null = null;
  #returning: StreamSlot | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param resume plays again after the page was hidden */
  constructor(resume: () => void) {
    this.#resume = resume;
  }

  /** True while playback is held for it: no pause of the visitor. */
  get isHolding(): boolean {
    return this.#frozen !== null || this.#returning !== null;
  }

  hide(slot: StreamSlot): void {
    if (isHeardOrSeen(slot.video)) return;
    this.reset();
    this.#frozen = slot;
    slot.freeze();
  }

  /** The page is visible again. */
  show(): void {
    const slot = this.#frozen;
    this.reset();
    slot?.thaw();
    if (slot?.isLive) {
      this.#returning = slot;
      this.#timer = setTimeout(() => this.#endReturn(), MAX_RETURN_MS);
    } else this.#resume();
  }

  /** The manifest of this stream was read. @returns true when playback was held for it, and goes on now */
  onPlaylist(slot: StreamSlot): boolean {
    if (slot !== this.#returning) return false;
    this.reset();
    return true;
  }

  /** Another stream, or none, is in front. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#frozen = this.#returning = null;
  }

  #endReturn(): void {
    this.reset();
    this.#resume();
  }
}
