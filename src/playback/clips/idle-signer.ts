// The signer at rest in front of the last frame, so that a pause looks like a pause and not like a fault.
// - It comes after the loop's own time on the last frame; whatever fails leaves the last frame.
// - It goes at a rest point, or at once when the next is more than 1 s away; each change is a cross-fade of 160 ms.
// - Rest points are assumed: document 2 (Silence segment request parameters) makes the file of six segments and says nothing
//   of their length, so each sixth is taken for one.
// - Never with reduced motion, and never again after a click has sent it away (WCAG 2.2 SC 2.2.2).
import type { Playable } from './clip-bytes.ts';
import { VideoSlot } from './video-slot.ts';

const REST_POINTS = 6;
/** Seconds that a clip which is ready may have to wait. */
const PATIENCE = 1;
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
  readonly #slot = new VideoSlot();
  #loop: IdleLoop | null = null;
  #on = false;
  #sentAway = false;
  /** Called when it has left; null while it is not on its way to a rest point. */
  #left: (() => void) | null = null;
  /** Ends with the stay, or with the wait for it. */
  #stay: AbortController | null = null;

  constructor(stage: Element) {
    this.#stage = stage;
    this.#slot.video.loop = true;
    this.#slot.video.classList.add('front');
    // Decoration: the row's own video is the one that is named and controlled.
    this.#slot.video.setAttribute('aria-hidden', 'true');
    this.#slot.video.addEventListener('click', () => {
      this.#sentAway = true;
      this.leave();
    });
  }

  /** True while it is in front. */
  get on(): boolean {
    return this.#on;
  }

  /** The row rests; may be said again. */
  come(loop: IdleLoop): void {
    if (this.#left || (this.#stay && this.#loop === loop)) return;
    this.leave();
    if (this.#sentAway || motionReduced()) return;
    const stay = new AbortController();
    this.#stay = stay;
    const timer = setTimeout(() => {
      this.#take(loop, stay.signal).catch(() => this.#stay === stay && this.leave());
    }, loop.after * 1000);
    stay.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  /** The row goes on, or must not be covered. */
  leave(): void {
    this.#stay?.abort();
    this.#stay = null;
    const left = this.#left;
    this.#left = null;
    if (!this.#on) return;
    this.#on = false;
    const { video } = this.#slot;
    const gone = (): void => {
      if (this.#on) return;
      video.pause();
      video.remove();
    };
    video.animate({ opacity: [1, 0] }, FADE_MS).finished.then(gone, gone);
    left?.();
  }

  /** Leaves where the loop is at rest, within a second, or earlier when it must, and then calls back. */
  atRest(callback: () => void): void {
    const stay = this.#stay;
    if (!stay || this.#left) return;
    this.#left = callback;
    const { duration, currentTime } = this.#slot.video;
    const step = duration / REST_POINTS;
    const wait = step - (currentTime % step);
    const timer = setTimeout(() => this.leave(), wait <= PATIENCE ? wait * 1000 : 0);
    stay.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  destroy(): void {
    this.#stay?.abort();
    this.#stay = this.#left = null;
    this.#on = false;
    this.#slot.clear();
    this.#slot.video.remove();
  }

  async #take(loop: IdleLoop, signal: AbortSignal): Promise<void> {
    const { video } = this.#slot;
    if (this.#loop !== loop) {
      this.#slot.load(await loop.load(signal), 0);
      this.#loop = loop;
    }
    signal.throwIfAborted();
    video.currentTime = 0;
    await video.play();
    signal.throwIfAborted();
    this.#on = true;
    this.#stage.append(video);
    // Being put on the page pauses nothing, but a video that was taken off it stays paused.
    await video.play();
    video.animate({ opacity: [0, 1] }, FADE_MS);
  }
}
