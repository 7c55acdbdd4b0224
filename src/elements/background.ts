// The colour behind the signer of one element, and the moment when the layer that keys its video is loaded.
// - With `transparent` the colour is 85 % light blue-grey: black text on white shows through it with a contrast under 1.5:1, so
//   that signs can be read over a page's text.
// - The layer is loaded when there is a video to key. The video is hidden until then, so that the signer's own backplate does
//   not flash; while the layer does not load (load-code.ts), the video is shown as it is.
import { loadCode } from '../internal/load-code.ts';
import type { BackgroundLayer } from '../playback/chroma-key/chroma-key-canvas.ts';

const TRANSLUCENT = 'var(--sign-backdrop, #dbe4ecd9)';

export class Background {
  readonly #box: HTMLElement;
  readonly #states: Set<string> | null | undefined;
  #layer: BackgroundLayer | null = null;
  #wanted: string | null = null;
  #isLoading = false;
  /** A try to load the layer has failed. */
  #hasFailed = false;

  /** @param box holds the videos; it has the attribute `keyed` while they are not shown as they are */
  constructor(box: HTMLElement, states: Set<string> | null | undefined) {
    this.#box = box;
    this.#states = states;
    new MutationObserver(() => this.#key()).observe(box, { subtree: true, childList: true });
  }

  /**
   * @param background `transparent`, `#rrggbb` or null
   * @param keyed whether videos are to be keyed for it
   */
  update(background: string | null, keyed: boolean): void {
    this.#wanted = keyed ? background : null;
    this.#box.style.background = background === 'transparent' ? TRANSLUCENT : (background ?? '');
    this.#key();
  }

  #key(): void {
    if (this.#layer) this.#layer.background = this.#wanted;
    else if (this.#wanted === null) this.#show(false, false);
    else if (!this.#isLoading && this.#box.querySelector('video')) this.#load();
  }

  #load(): void {
    this.#isLoading = true;
    this.#show(!this.#hasFailed, this.#hasFailed);
    const retrying = (): void => {
      this.#hasFailed = true;
      this.#show(false, true);
    };
    loadCode(() => import('../playback/chroma-key/chroma-key-canvas.ts'), { retrying })
      .then(
        ({ BackgroundLayer }) => {
          this.#layer = new BackgroundLayer(this.#box, (keyed, failed) => this.#show(keyed, failed));
          this.#key();
        },
        () => window.addEventListener('online', () => this.#key(), { once: true }),
      )
      .finally(() => (this.#isLoading = false));
  }

  #show(keyed: boolean, failed: boolean): void {
    this.#box.toggleAttribute('keyed', keyed && this.#wanted !== null);
    try {
      this.#states?.[failed && this.#wanted !== null ? 'add' : 'delete']('plain');
    } catch {
      // Chromium before 125 refuses a state without dashes.
    }
  }
}
