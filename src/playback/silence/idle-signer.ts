// Shows the idle signer over the last frame between texts, so that a pause does not look like a fault.
// - It appears after the time that `idle-after` names; when something fails, the last frame stays.
// - It disappears at a rest point, or at once when the next one is more than 1 s away. It appears and disappears by a cross-fade
//   of 160 ms.
// - It never appears with reduced motion, and never again after a click or Escape has dismissed it (WCAG 2.2 SC 2.2.2).
// - The code that plays the loop is loaded when it first appears.
import { loadCode } from '../../internal/load-code.ts';
import type { Playable } from '../clips/clip-bytes.ts';
import type { LoopRenderer } from './loop-renderer.ts';
import type { SilenceLoop } from './silence-loop.ts';

/** Seconds that a ready clip waits at most for the next rest point. */
const MAX_WAIT = 1;
const FADE_MS = 160;

const motionReduced = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The idle signer, who is shown between texts. */
export interface IdleLoop {
  /** Seconds that the last frame stays before the idle signer appears. */
  readonly after: number;
  /** Loads a video of some seconds whose last frame joins its first. A rejection is not reported. */
  load(signal: AbortSignal): Promise<Playable>;
}

export class IdleSigner {
  readonly #box: Element;
  #idle: IdleLoop | null = null;
  /** The idle loop in each form that can be played, the best one first. */
  #loops: SilenceLoop[] = [];
  /** Plays the loop; on the page once `visible`. */
  #renderer: LoopRenderer | null = null;
  /** This renderer, and those that fade out. */
  readonly #renderers = new Set<LoopRenderer>();
  #visible = false;
  #dismissed = false;
  /** Called when it has disappeared; null unless it waits for a rest point. */
  #hidden: (() => void) | null = null;
  /** Aborted when it disappears, and when it must no longer appear. */
  #stay: AbortController | null = null;

  constructor(box: Element) {
    this.#box = box;
  }

  /** True while it is on screen. */
  get visible(): boolean {
    return this.#visible;
  }

  /** Shows it after `idle.after` seconds. A second call changes nothing. */
  show(idle: IdleLoop): void {
    if (this.#hidden || (this.#stay && this.#idle === idle)) return;
    this.hide();
    if (this.#dismissed || motionReduced()) return;
    const stay = new AbortController();
    this.#stay = stay;
    const timer = setTimeout(() => {
      this.#take(idle, stay.signal).catch(() => this.#stay === stay && this.hide());
    }, idle.after * 1000);
    stay.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  /** Removes it at once: a clip is to be shown, or the last frame must not be covered. */
  hide(): void {
    this.#stay?.abort();
    this.#stay = null;
    const [hidden, renderer, wasVisible] = [this.#hidden, this.#renderer, this.#visible];
    this.#hidden = this.#renderer = null;
    this.#visible = false;
    if (!renderer) return;
    const destroy = (): void => this.#destroy(renderer);
    if (wasVisible) renderer.video.animate({ opacity: [1, 0] }, FADE_MS).finished.then(destroy, destroy);
    else destroy();
    hidden?.();
  }

  /** A visitor has dismissed it: it does not appear again. */
  dismiss(): void {
    this.#dismissed = true;
    this.hide();
  }

  /** Removes it at a rest point of the loop, within a second, or earlier when something else hides it; then calls back. */
  hideAtRest(callback: () => void): void {
    const stay = this.#stay;
    if (!stay || !this.#renderer || this.#hidden) return;
    this.#hidden = callback;
    const { toRest } = this.#renderer;
    const timer = setTimeout(() => this.hide(), toRest <= MAX_WAIT ? toRest * 1000 : 0);
    stay.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  destroy(): void {
    this.#stay?.abort();
    this.#stay = this.#hidden = this.#renderer = null;
    this.#visible = false;
    for (const renderer of this.#renderers) this.#destroy(renderer);
  }

  #destroy(renderer: LoopRenderer): void {
    this.#renderers.delete(renderer);
    renderer.destroy();
  }

  async #take(idle: IdleLoop, signal: AbortSignal): Promise<void> {
    const { LoopRenderer } = await loadCode(() => import('./loop-renderer.ts'), { signal });
    if (this.#idle !== idle) {
      const { loopOfFile } = await loadCode(() => import('./silence-loop.ts'), { signal });
      const file = await idle.load(signal);
      signal.throwIfAborted();
      this.#loops = [...new Set([loopOfFile(file), file])];
      this.#idle = idle;
    }
    signal.throwIfAborted();
    const [loop] = this.#loops;
    if (loop === undefined) return;
    const renderer = new LoopRenderer(loop, () => {
      this.#loops = this.#loops.filter((one) => one !== loop);
      if (signal.aborted) return;
      this.hide();
      if (this.#loops.length > 0) this.show(idle);
    });
    this.#renderers.add((this.#renderer = renderer));
    const { video } = renderer;
    video.classList.add('shown');
    // It is decoration: only the playlist's own video has a name and controls.
    video.setAttribute('aria-hidden', 'true');
    video.addEventListener('click', () => this.dismiss());
    await video.play();
    signal.throwIfAborted();
    this.#visible = true;
    this.#box.append(video);
    video.animate({ opacity: [0, 1] }, FADE_MS);
  }
}
