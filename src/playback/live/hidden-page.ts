// A live picture on a page that nobody sees. Policy: a signer without sound is paused there, as browsers do anyway, and
// nothing is downloaded; one that can be heard, or that is in a picture-in-picture window, plays on. Back in sight it goes
// on at live, as soon as the manifest says where that is.
import type { StreamSlot } from './stream-slot.ts';

const isWatched = (video: HTMLVideoElement): boolean =>
  !video.muted || (video.getRootNode() as Partial<DocumentOrShadowRoot>).pictureInPictureElement === video;

export class HiddenPage {
  #frozen: StreamSlot | null = null;

  /** True while the picture stands for it: no pause of the visitor's. */
  get isOn(): boolean {
    return this.#frozen !== null;
  }

  hide(slot: StreamSlot): void {
    if (isWatched(slot.video)) return;
    this.#frozen = slot;
    slot.freeze();
  }

  /** @returns the stream that stood, which now reads its manifest again; null when none did */
  show(): StreamSlot | null {
    const slot = this.#frozen;
    this.#frozen = null;
    slot?.thaw();
    return slot;
  }
}
