// The canvas with the keyed video of one element.
// - Until it is known whether the video can be keyed, neither video nor canvas is shown.
import { ChromaKeyCanvas } from '../playback/chroma-key/chroma-key-canvas.ts';

/** `keyed`: the videos are not shown as they are. `failed`: they cannot be keyed. */
type Show = (keyed: boolean, failed: boolean) => void;

export class BackgroundLayer {
  readonly #box: HTMLElement;
  readonly #show: Show;
  #canvas: ChromaKeyCanvas | null = null;

  constructor(box: HTMLElement, show: Show) {
    this.#box = box;
    this.#show = show;
  }

  /** Null removes the canvas; without a video nothing is begun. */
  set background(background: string | null) {
    if (background === null) {
      this.#end();
      return;
    }
    if (!this.#canvas) {
      if (!this.#box.querySelector('video')) return;
      const canvas = new ChromaKeyCanvas(this.#box, () => this.#follow());
      this.#canvas = canvas;
      // As the first child, because Lit renders after it.
      this.#box.prepend(canvas.canvas);
    }
    this.#canvas.background = background;
    this.#follow();
  }

  #follow(): void {
    const canvas = this.#canvas;
    if (!canvas) return;
    canvas.canvas.style.visibility = canvas.showsVideo ? 'hidden' : '';
    this.#show(!canvas.showsVideo, canvas.failed);
  }

  #end(): void {
    this.#canvas?.destroy();
    this.#canvas?.canvas.remove();
    this.#canvas = null;
    this.#show(false, false);
  }
}
