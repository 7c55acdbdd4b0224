// One of the stacked `<video>`s: loads a clip, says when its first frame is there, and gives everything back.
// Policy: every `play()` is caught; an object URL lives exactly as long as the slot shows it.
import type { ClipFile, Playable } from './clip-bytes.ts';
import { PaintedFrame } from '../painted-frame.ts';
import { signerVideo } from '../signer-video.ts';
import { restartWhenStalled } from './stalled-file.ts';

export class VideoSlot {
  readonly video = signerVideo();
  readonly painted = new PaintedFrame(this.video);
  #objectUrl: string | null = null;

  constructor() {
    restartWhenStalled(this.video);
  }

  /** True once a first frame can be shown without a wait. */
  get showable(): boolean {
    return this.video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
  }

  load(playable: Playable, at: number): void {
    this.#revoke();
    this.painted.reset();
    this.video.src = typeof playable === 'string' ? playable : this.#urlOf(playable);
    if (at > 0) this.video.currentTime = at;
  }

  /** Ends the download and lets the picture go. */
  clear(): void {
    this.#revoke();
    if (!this.video.hasAttribute('src')) return;
    this.video.removeAttribute('src');
    this.video.load();
  }

  #urlOf({ bytes, type }: ClipFile): string {
    return (this.#objectUrl = URL.createObjectURL(new Blob([bytes], { type })));
  }

  #revoke(): void {
    if (this.#objectUrl) URL.revokeObjectURL(this.#objectUrl);
    this.#objectUrl = null;
  }
}
