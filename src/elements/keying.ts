// What lies behind the signer of one element, and the keyed picture in front of it; loaded by the first `background` that
// is wanted. Policy: under transparency lies a plate, because signs over a page's text cannot be read: at 85 % of light
// blue-grey, black text on white shows through with a contrast under 1.5:1. What keys is loaded when there is a video.
// Until it is known whether it can be keyed neither is shown, so that the signer's own backplate does not flash up.
import type { ChromaKeyCanvas } from '../playback/chroma-key/chroma-key-canvas.ts';

const TRANSLUCENT_PLATE = 'var(--sign-backdrop, #dbe4ecd9)';

export class Keying {
  readonly #box: HTMLElement;
  readonly #states: Set<string> | null;
  #background: string | null = null;
  #picture: ChromaKeyCanvas | null = null;
  #loading = false;

  /** @param box holds the videos; it gets the attribute `keyed` while they are not to be seen themselves */
  constructor(box: HTMLElement, states: Set<string> | null) {
    this.#box = box;
    this.#states = states;
    new MutationObserver(() => this.#key()).observe(box, { subtree: true, childList: true });
  }

  /** @param background `transparent`, `#rrggbb` or null, @param keyed whether videos are to be keyed for it */
  update(background: string | null, keyed: boolean): void {
    const isTransparent = background === 'transparent';
    this.#background = keyed ? background : null;
    this.#box.style.background = isTransparent ? TRANSLUCENT_PLATE : (background ?? '');
    if (this.#picture) this.#picture.background = this.#background;
    if (this.#background === null) return this.#end();
    if (!this.#picture && !this.#loading) this.#show(true, false);
    this.#key();
  }

  /** Keys the picture as soon as there is one. */
  #key(): void {
    if (this.#background === null || this.#picture || this.#loading) return;
    if (this.#box.querySelector('video')) void this.#load();
  }

  async #load(): Promise<void> {
    this.#loading = true;
    const loaded = await import('../playback/chroma-key/chroma-key-canvas.ts').catch(() => null);
    // It is asked for once.
    if (!loaded) return this.#show(false, true);
    this.#loading = false;
    if (this.#background === null || !this.#box.querySelector('video')) return;
    const picture = new loaded.ChromaKeyCanvas(this.#box, () => this.#follow());
    this.#picture = picture;
    // First, so that it is out of the way of what Lit puts there.
    this.#box.prepend(picture.canvas);
    picture.background = this.#background;
    this.#follow();
  }

  #follow(): void {
    const picture = this.#picture;
    if (!picture) return;
    picture.canvas.style.visibility = picture.showsVideo ? 'hidden' : '';
    this.#show(!picture.showsVideo, picture.failed);
  }

  #show(keyed: boolean, failed: boolean): void {
    this.#box.toggleAttribute('keyed', keyed);
    try {
      this.#states?.[failed ? 'add' : 'delete']('plain');
    } catch {
      // Chromium before 125 takes no name without dashes.
    }
  }

  #end(): void {
    this.#picture?.destroy();
    this.#picture?.canvas.remove();
    this.#picture = null;
    this.#show(false, false);
  }
}
