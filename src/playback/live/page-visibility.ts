// Holds live playback while the page is hidden.
// - A muted stream pauses, as in browsers, and downloads nothing. A stream with sound or in picture-in-picture plays on.
// - When the page is visible again, a live stream plays on at live: as soon as its manifest was read, or after 3 s. A stream
//   with an end plays on where it was.
import { isUnseen } from '../video-player.ts';
import type { StreamRenderer } from './stream-renderer.ts';

const MAX_RETURN_MS = 3000;

export class PageVisibility {
  readonly #resume: () => void;
  #frozen: StreamRenderer | null = null;
  #returning: StreamRenderer | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param resume plays again after the page was hidden */
  constructor(resume: () => void) {
    this.#resume = resume;
  }

  /** True while playback is held because the page is hidden or has just become visible: no pause of the visitor. */
  get isHolding(): boolean {
    return this.#frozen !== null || this.#returning !== null;
  }

  onHidden(renderer: StreamRenderer): void {
    if (!isUnseen(renderer.video)) return;
    this.reset();
    this.#frozen = renderer;
    renderer.pauseLoading();
  }

  /** The page is visible again. */
  onVisible(): void {
    const renderer = this.#frozen;
    this.reset();
    renderer?.resumeLoading();
    if (renderer?.isLive) {
      this.#returning = renderer;
      this.#timer = setTimeout(() => this.#endReturn(), MAX_RETURN_MS);
    } else this.#resume();
  }

  /** The manifest of this stream was read. @returns true when playback was held for it, and goes on now */
  onPlaylist(renderer: StreamRenderer): boolean {
    if (renderer !== this.#returning) return false;
    this.reset();
    return true;
  }

  /** Another stream, or none, is on screen. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#frozen = this.#returning = null;
  }

  #endReturn(): void {
    this.reset();
    this.#resume();
  }
}
