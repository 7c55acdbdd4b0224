// A live picture on a page that nobody sees. Policy: a signer without sound is paused there, as browsers do anyway, and asks
// for no more media; one that can be heard, or that is in a picture-in-picture window, plays on. Back in sight a live one
// goes on at live, as soon as its manifest says where that is, and after 3 s in any case; one that has an end where it was.
import type { StreamSlot } from './stream-slot.ts';

const LONGEST_RETURN_MS = 3000;

const isWatched = (video: HTMLVideoElement): boolean =>
  !video.muted || (video.getRootNode() as Partial<DocumentOrShadowRoot>).pictureInPictureElement === video;

export class HiddenPage {
  readonly #resume: () => void;
  #frozen: StreamSlot | null = null;
  #returning: StreamSlot | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param resume plays what has stood for it */
  constructor(resume: () => void) {
    this.#resume = resume;
  }

  /** True while the picture stands for it: no pause of the visitor's. */
  get isOn(): boolean {
    return this.#frozen !== null || this.#returning !== null;
  }

  hide(slot: StreamSlot): void {
    if (isWatched(slot.video)) return;
    this.forget();
    this.#frozen = slot;
    slot.freeze();
  }

  /** The page is seen again. */
  show(): void {
    const slot = this.#frozen;
    this.forget();
    slot?.thaw();
    if (slot?.isLive) {
      this.#returning = slot;
      this.#timer = setTimeout(() => this.#goOn(), LONGEST_RETURN_MS);
    } else this.#resume();
  }

  /** The manifest of this stream was read. Returns true when its picture has stood until now, and is to go on. */
  read(slot: StreamSlot): boolean {
    if (slot !== this.#returning) return false;
    this.forget();
    return true;
  }

  /** Another stream is in front, or none: nothing stands for it any more. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#frozen = this.#returning = null;
  }

  #goOn(): void {
    this.forget();
    this.#resume();
  }
}
