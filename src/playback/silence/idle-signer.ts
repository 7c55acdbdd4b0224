// The idle signer in front of the last frame, so that a pause looks like a pause and not like a fault.
// - It comes after the loop's own time on the last frame; whatever fails leaves the last frame.
// - It goes at a rest point, or at once when the next is more than 1 s away; each change is a cross-fade of 160 ms.
// - Never with reduced motion, and never again after a click or Escape has sent it away (WCAG 2.2 SC 2.2.2).
// - What plays the loop is loaded when it first comes.
import { loadCode } from '../../internal/load-code.ts';
import type { Playable } from '../clips/clip-bytes.ts';
import type { LoopRenderer } from './loop-renderer.ts';
import type { SilenceLoop } from './silence-loop.ts';

/** Seconds that a ready clip waits at most for the signer to reach a resting pose. */
const MAX_WAIT = 1;
const FADE_MS = 160;

const motionReduced = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The signer at rest, who may take over between texts. */
export interface IdleLoop {
  /** Seconds on the last frame before that. */
  readonly after: number;
  /** A video of some seconds whose last frame joins its first. What it rejects with is nobody's error. */
  load(signal: AbortSignal): Promise<Playable>;
}

export class IdleSigner {
  readonly #stage: Element;
  #idle: IdleLoop | null = null;
  /** The idle loop in each way that it may be played, the best one first. */
  #ways: SilenceLoop[] = [];
  /** Of this stay; on the page once `on`. */
  #renderer: LoopRenderer | null = null;
  /** It and those that fade. */
  readonly #renderers = new Set<LoopRenderer>();
  #on = false;
  #sentAway = false;
  /** Called when it has left; null while it is not on its way to a rest point. */
  #left: (() => void) | null = null;
  /** Ends with the stay, or with the wait for it. */
  #stay: AbortController | null = null;

  constructor(stage: Element) {
    this.#stage = stage;
  }

  /** True while it is in front. */
  get on(): boolean {
    return this.#on;
  }

  /** Nothing is left to play. A second call changes nothing. */
  come(idle: IdleLoop): void {
    if (this.#left || (this.#stay && this.#idle === idle)) return;
    this.leave();
    if (this.#sentAway || motionReduced()) return;
    const stay = new AbortController();
    this.#stay = stay;
    const timer = setTimeout(() => {
      this.#take(idle, stay.signal).catch(() => this.#stay === stay && this.leave());
    }, idle.after * 1000);
    stay.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  /** A clip is to be shown, or the last frame must not be covered. */
  leave(): void {
    this.#stay?.abort();
    this.#stay = null;
    const [left, renderer, wasOn] = [this.#left, this.#renderer, this.#on];
    this.#left = this.#renderer = null;
    this.#on = false;
    if (!renderer) return;
    const gone = (): void => this.#destroy(renderer);
    if (wasOn) renderer.video.animate({ opacity: [1, 0] }, FADE_MS).finished.then(gone, gone);
    else gone();
    left?.();
  }

  /** The visitor does not want it. */
  dismiss(): void {
    this.#sentAway = true;
    this.leave();
  }

  /** Leaves at a rest point of the loop, within a second, or earlier when it must, and then calls back. */
  atRest(callback: () => void): void {
    const stay = this.#stay;
    if (!stay || !this.#renderer || this.#left) return;
    this.#left = callback;
    const { toRest } = this.#renderer;
    const timer = setTimeout(() => this.leave(), toRest <= MAX_WAIT ? toRest * 1000 : 0);
    stay.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  destroy(): void {
    this.#stay?.abort();
    this.#stay = this.#left = this.#renderer = null;
    this.#on = false;
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
      this.#ways = [...new Set([loopOfFile(file), file])];
      this.#idle = idle;
    }
    signal.throwIfAborted();
    const [loop] = this.#ways;
    if (loop === undefined) return;
    const renderer = new LoopRenderer(loop, () => {
      this.#ways = this.#ways.filter((way) => way !== loop);
      if (signal.aborted) return;
      this.leave();
      if (this.#ways.length > 0) this.come(idle);
    });
    this.#renderers.add((this.#renderer = renderer));
    const { video } = renderer;
    video.classList.add('front');
    // Decoration: the playlist's own video is the one that is named and controlled.
    video.setAttribute('aria-hidden', 'true');
    video.addEventListener('click', () => this.dismiss());
    await video.play();
    signal.throwIfAborted();
    this.#on = true;
    this.#stage.append(video);
    video.animate({ opacity: [0, 1] }, FADE_MS);
  }
}
