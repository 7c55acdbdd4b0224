// The backdrop behind the signer of one element, and the canvas with the keyed video.
// - With `transparent` a backdrop of 85 % light blue-grey lies under the signer: black text on white shows through it with a
//   contrast under 1.5:1, so that signs can be read over a page's text.
// - The chroma key is loaded when there is a video to key. While it does not load, the video is shown as it is; it is tried
//   again for a minute (load-code.ts), on `online`, with another video and with another background.
// - Until it is known whether the video can be keyed, neither video nor canvas is shown, so that the signer's own backplate
//   does not flash.
import { loadCode } from '../internal/load-code.ts';
import type { ChromaKeyCanvas } from '../playback/chroma-key/chroma-key-canvas.ts';

const TRANSLUCENT_BACKDROP = 'var(--sign-backdrop, #dbe4ecd9)';

export class BackgroundLayer {
  readonly #box: HTMLElement;
  readonly #states: Set<string> | null;
  #background: string | null = null;
  #canvas: ChromaKeyCanvas | null = null;
  #isLoading = false;
  /** The chroma key did not load: the video is shown as it is meanwhile. */
  #hasFailed = false;

  /** @param box holds the videos; it has the attribute `keyed` while the canvas is shown in their place */
  constructor(box: HTMLElement, states: Set<string> | null) {
    this.#box = box;
    this.#states = states;
    new MutationObserver(() => this.#key()).observe(box, { subtree: true, childList: true });
  }

  /** @param background `transparent`, `#rrggbb` or null, @param keyed whether videos are to be keyed for it */
  update(background: string | null, keyed: boolean): void {
    const isTransparent = background === 'transparent';
    const wanted = keyed ? background : null;
    if (wanted !== this.#background) this.#hasFailed = false;
    this.#background = wanted;
    this.#box.style.background = isTransparent ? TRANSLUCENT_BACKDROP : (background ?? '');
    if (this.#canvas) this.#canvas.background = this.#background;
    if (this.#background === null) return this.#end();
    if (!this.#canvas && !this.#isLoading && !this.#hasFailed) this.#show(true, false);
    this.#key();
  }

  /** Keys the video as soon as there is one. */
  #key(): void {
    if (this.#background === null || this.#canvas || this.#isLoading) return;
    if (this.#box.querySelector('video')) void this.#load();
  }

  async #load(): Promise<void> {
    this.#isLoading = true;
    const loaded = await loadCode(() => import('../playback/chroma-key/chroma-key-canvas.ts'), {
      retrying: () => this.#showPlain(),
    }).catch(() => null);
    this.#isLoading = false;
    this.#hasFailed = !loaded;
    if (!loaded) {
      this.#showPlain();
      return window.addEventListener('online', () => this.#key(), { once: true });
    }
    if (this.#background === null || !this.#box.querySelector('video')) return;
    const canvas = new loaded.ChromaKeyCanvas(this.#box, () => this.#follow());
    this.#canvas = canvas;
    // As the first child, because Lit renders after it.
    this.#box.prepend(canvas.canvas);
    canvas.background = this.#background;
    this.#follow();
  }

  #showPlain(): void {
    if (this.#background !== null) this.#show(false, true);
  }

  #follow(): void {
    const canvas = this.#canvas;
    if (!canvas) return;
    canvas.canvas.style.visibility = canvas.showsVideo ? 'hidden' : '';
    this.#show(!canvas.showsVideo, canvas.failed);
  }

  #show(keyed: boolean, failed: boolean): void {
    this.#box.toggleAttribute('keyed', keyed);
    try {
      this.#states?.[failed ? 'add' : 'delete']('plain');
    } catch {
      // Chromium before 125 refuses a state without dashes.
    }
  }

  #end(): void {
    this.#canvas?.destroy();
    this.#canvas?.canvas.remove();
    this.#canvas = null;
    this.#show(false, false);
  }
}
