// Shows the source video of a box without its backplate, on a canvas: what is behind the box is visible through it.
// - Drawn once for each new frame (requestVideoFrameCallback) in the visible size, with at most 2 pixels a CSS pixel and
//   never more than the video has. Nothing is drawn while the canvas is off screen.
// - The plain video is shown while no backplate is found, while the video may not be read (CORS) or the WebGL context is
//   lost; and always without WebGL2 or on a machine that is too slow. Picture-in-picture always shows the plain video.
// - A machine is too slow when in three seconds in a row at least 15 frames were decoded and fewer than 15 were drawn: 15
//   frames a second is the least at which signing can be followed.
// - Until it is known whether the video can be keyed, neither video nor canvas is shown.
import { distance, type Backplate, BackplateTracker, rgbOf } from './backplate.ts';
import type { ChromaKeyRenderer } from './chroma-key-renderer.ts';
import { joinRenderer, leaveRenderer, sharedRenderer, type RendererUser } from './chroma-key-renderer.ts';
import { SourceVideo } from './source-video.ts';

const MAX_PIXEL_RATIO = 2;
/** A backplate this near to the wanted colour is left as it is. */
const SAME_COLOUR = 0.03;

/** `waiting`: nothing was drawn yet. `same`: the backplate has the wanted colour already. */
type KeyState = 'waiting' | 'keyed' | 'same' | 'failed';

/** Shows the visible video of a box without its backplate, on a canvas. */
export class ChromaKeyCanvas {
  /** The caller puts it over the videos, in their size. */
  readonly canvas = document.createElement('canvas');
  readonly #changed: () => void;
  readonly #ending = new AbortController();
  readonly #frameRate = new FrameRateMonitor();
  readonly #tracker = new BackplateTracker();
  readonly #source: SourceVideo;
  readonly #context = this.canvas.getContext('2d');
  readonly #user: RendererUser = { lost: () => this.#setState('failed'), restored: () => this.#redraw() };
  #background: string | null = null;
  #state: KeyState = 'waiting';
  /** Address of the video that scripts may not read (CORS). */
  #tainted: string | null = null;
  #onScreen = true;
  /** CSS pixels of the canvas. */
  #size = { width: 0, height: 0 };

  /**
   * @param root holds the videos
   * @param changed is called when `showsVideo` or `failed` has changed
   */
  constructor(root: ParentNode & Node, changed: () => void) {
    this.#changed = changed;
    this.canvas.setAttribute('part', 'video');
    this.canvas.setAttribute('aria-hidden', 'true');
    this.#source = new SourceVideo(root, {
      changed: () => this.#onOtherVideo(),
      frame: (now) => this.#draw(now),
      disturbed: () => this.#frameRate.reset(),
    });
    const { signal } = this.#ending;
    document.addEventListener('visibilitychange', () => this.#frameRate.reset(), { signal });
    this.#watchCanvas(signal);
    this.#start();
  }

  /** `transparent`, or `#rrggbb` for the colour behind the canvas; null draws nothing. */
  set background(background: string | null) {
    if (background === this.#background) return;
    this.#background = background;
    this.#redraw();
  }

  /** True when the page shows the video itself, and not this canvas. */
  get showsVideo(): boolean {
    return this.#state === 'same' || this.failed;
  }

  /** True when the video is shown and has another background than the wanted one. */
  get failed(): boolean {
    return this.#state === 'failed';
  }

  /** Stops drawing and following. */
  destroy(): void {
    this.#ending.abort();
    this.#source.stop();
    leaveRenderer(this.#user);
  }

  #start(): void {
    const able = 'requestVideoFrameCallback' in HTMLVideoElement.prototype;
    if (!able || !this.#context || !joinRenderer(this.#user)) return this.#giveUp();
    if (!sharedRenderer()) this.#setState('failed');
    this.#source.start();
    this.#redraw();
  }

  /** Draws nothing any more: the plain video stays. */
  #giveUp(): void {
    this.destroy();
    this.#setState('failed');
  }

  #watchCanvas(signal: AbortSignal): void {
    const sized = new ResizeObserver((entries) => {
      this.#size = entries.at(-1)!.contentRect;
      this.#draw(performance.now());
    });
    const seen = new IntersectionObserver((entries) => {
      this.#onScreen = entries.at(-1)?.isIntersecting ?? true;
      this.#frameRate.reset();
      this.#redraw();
    });
    for (const observer of [sized, seen]) {
      observer.observe(this.canvas);
      signal.addEventListener('abort', () => observer.disconnect());
    }
  }

  #onOtherVideo(): void {
    this.#tracker.reset();
    this.#frameRate.reset();
    if (this.#source.video) return this.#redraw();
    this.#context?.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (sharedRenderer()) this.#setState('waiting');
  }

  /** Draws what the video shows now, and looks for its backplate. */
  #redraw(): void {
    this.#tracker.invalidate();
    this.#draw(performance.now());
  }

  #draw(now: number): void {
    const { video } = this.#source;
    const renderer = sharedRenderer();
    const isVisible = this.#onScreen && this.#size.width > 0 && this.#background !== null;
    if (!renderer || !video || !isVisible || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    const samples = this.#tracker.isDue(now);
    if ((!samples && this.#state !== 'keyed') || video.currentSrc === this.#tainted) return;
    try {
      renderer.upload(video);
    } catch {
      this.#tainted = video.currentSrc;
      return this.#setState('failed');
    }
    if (samples && !this.#tracker.sample(video, now)) return;
    const { backplate } = this.#tracker;
    if (!backplate) return this.#setState('failed');
    if (this.#isWantedColour(backplate)) return this.#setState('same');
    fit(this.canvas, this.#size, video);
    this.#render(renderer, backplate);
    this.#setState('keyed');
    const { totalVideoFrames } = video.getVideoPlaybackQuality();
    if (this.#frameRate.frameDrawn(now, totalVideoFrames)) this.#giveUp();
  }

  #render(renderer: ChromaKeyRenderer, backplate: Backplate): void {
    const { opacity, behind } = this.#source.fade;
    renderer.draw(backplate, opacity, this.canvas);
    try {
      if (behind && behind.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) {
        renderer.upload(behind);
        renderer.blend(backplate, 1 - opacity);
      }
    } catch {
      // Scripts may not read the video behind: it is missing in the picture for the duration of the fade.
    }
    renderer.copyTo(this.#context!);
  }

  #isWantedColour({ colour }: Backplate): boolean {
    const background = this.#background;
    return background?.startsWith('#') === true && distance(colour, rgbOf(background)) < SAME_COLOUR;
  }

  #setState(state: KeyState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#changed();
  }
}

/** `keyed`: the videos are not shown as they are. `failed`: they cannot be keyed. */
type Show = (keyed: boolean, failed: boolean) => void;

/** The canvas with the keyed video of one box, while there is a background and a video. */
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

/** Gives the canvas the aspect ratio of the video, and as many pixels as are visible. */
function fit(
  canvas: HTMLCanvasElement,
  size: { readonly width: number; readonly height: number },
  { videoWidth, videoHeight }: HTMLVideoElement,
): void {
  const pixels = Math.min(devicePixelRatio, MAX_PIXEL_RATIO);
  const fitting = Math.min(size.width / videoWidth, size.height / videoHeight);
  const scale = Math.min(1, fitting * pixels);
  const [width, height] = [Math.ceil(videoWidth * scale), Math.ceil(videoHeight * scale)];
  // Setting the same size would clear it.
  if (canvas.width === width && canvas.height === height) return;
  Object.assign(canvas, { width, height });
}

const MIN_FRAMES_A_SECOND = 15;
const MAX_SLOW_SECONDS = 3;

/** Detects a machine that is too slow for chroma keying. */
export class FrameRateMonitor {
  #start: { readonly now: number; readonly decoded: number } | null = null;
  #drawn = 0;
  #slowSeconds = 0;

  /** To be called after a seek, a pause or a time in which the page was hidden: counts from 0 again. */
  reset(): void {
    this.#start = null;
    this.#slowSeconds = 0;
  }

  /**
   * A frame was drawn.
   * @param now milliseconds on any clock
   * @param decoded number of frames that were decoded up to now
   * @returns true when the machine is too slow
   */
  frameDrawn(now: number, decoded: number): boolean {
    const start = this.#start;
    this.#drawn += 1;
    const seconds = start ? (now - start.now) / 1000 : 0;
    if (start && seconds < 1) return false;
    if (start) {
      const slow =
        this.#drawn < MIN_FRAMES_A_SECOND * seconds &&
        decoded - start.decoded >= MIN_FRAMES_A_SECOND * seconds;
      this.#slowSeconds = slow ? this.#slowSeconds + 1 : 0;
    }
    this.#start = { now, decoded };
    this.#drawn = 0;
    return this.#slowSeconds === MAX_SLOW_SECONDS;
  }
}
