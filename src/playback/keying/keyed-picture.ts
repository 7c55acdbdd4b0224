// The video in front of a box without its backplate, on a canvas of its own: what is behind the box shows through, and a
// colour there is the new backplate. Policy: drawn once a new frame of the film (requestVideoFrameCallback) at the size at
// which it is seen, with at most 2 pixels a CSS pixel and never more than the film has; not at all while nothing of it is
// on screen. The plain video is to be seen while there is no plate, the film must not be read (CORS) or the browser has
// taken the context away, and from then on when there is no WebGL2 or the machine is too slow. Picture-in-picture shows
// the plain video always. All pictures of a page are painted with one context (page-painter.ts).
import { DrawPace } from './draw-pace.ts';
import { FrontVideo } from './front-video.ts';
import type { KeyPainter } from './key-painter.ts';
import { joinPainter, leavePainter, pagePainter, type PainterUser } from './page-painter.ts';
import { PlateFinder } from './plate-finder.ts';
import { distance, rgbOf, type Plate } from './plate.ts';

const MOST_PIXELS = 2;
/** A plate this near to the colour that is wanted is left as it is. */
const SAME = 0.03;

/** `waiting`: nothing has been drawn yet. `same`: the picture has the colour that is wanted already. */
type Verdict = 'waiting' | 'keyed' | 'same' | 'failed';

export class KeyedPicture {
  /** Is to lie over the videos, as large as they are. */
  readonly canvas = document.createElement('canvas');
  readonly #changed: () => void;
  readonly #ending = new AbortController();
  readonly #pace = new DrawPace();
  readonly #finder = new PlateFinder();
  readonly #front: FrontVideo;
  readonly #context = this.canvas.getContext('2d');
  readonly #painting: PainterUser = { lost: () => this.#tell('failed'), restored: () => this.#redraw() };
  #background: string | null = null;
  #verdict: Verdict = 'waiting';
  /** Address of the film that must not be read. */
  #tainted: string | null = null;
  #onScreen = true;
  /** CSS pixels of the canvas. */
  #size = { width: 0, height: 0 };

  /** @param root holds the videos; @param changed is called when `plain` or `failed` has changed */
  constructor(root: ParentNode & Node, changed: () => void) {
    this.#changed = changed;
    this.canvas.setAttribute('part', 'video');
    this.canvas.setAttribute('aria-hidden', 'true');
    this.#front = new FrontVideo(root, {
      changed: () => this.#onOtherVideo(),
      frame: (now) => this.#draw(now),
      disturbed: () => this.#pace.reset(),
    });
    const { signal } = this.#ending;
    document.addEventListener('visibilitychange', () => this.#pace.reset(), { signal });
    this.#watchCanvas(signal);
    this.#begin();
  }

  /** `transparent`, or `#rrggbb` for what lies behind; null draws nothing. */
  set background(background: string | null) {
    if (background === this.#background) return;
    this.#background = background;
    this.#redraw();
  }

  /** The video itself is to be seen. */
  get plain(): boolean {
    return this.#verdict === 'same' || this.failed;
  }

  /** The video itself is to be seen, and it is not as it was asked for. */
  get failed(): boolean {
    return this.#verdict === 'failed';
  }

  /** Nothing is drawn any more. */
  destroy(): void {
    this.#ending.abort();
    this.#front.end();
    leavePainter(this.#painting);
  }

  #begin(): void {
    const able = 'requestVideoFrameCallback' in HTMLVideoElement.prototype;
    if (!able || !this.#context || !joinPainter(this.#painting)) return this.#giveUp();
    if (!pagePainter()) this.#tell('failed');
    this.#front.begin();
    this.#redraw();
  }

  /** For good. */
  #giveUp(): void {
    this.destroy();
    this.#tell('failed');
  }

  #watchCanvas(signal: AbortSignal): void {
    const sized = new ResizeObserver((entries) => {
      this.#size = entries.at(-1)!.contentRect;
      this.#draw(performance.now());
    });
    const seen = new IntersectionObserver((entries) => {
      this.#onScreen = entries.at(-1)?.isIntersecting ?? true;
      this.#pace.reset();
      this.#redraw();
    });
    for (const observer of [sized, seen]) {
      observer.observe(this.canvas);
      signal.addEventListener('abort', () => observer.disconnect());
    }
  }

  #onOtherVideo(): void {
    this.#finder.forget();
    this.#pace.reset();
    if (this.#front.video) return this.#redraw();
    this.#context?.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (pagePainter()) this.#tell('waiting');
  }

  /** Draws what the video shows now, and looks for its plate. */
  #redraw(): void {
    this.#finder.hurry();
    this.#draw(performance.now());
  }

  #draw(now: number): void {
    const { video } = this.#front;
    const painter = pagePainter();
    const isSeen = this.#onScreen && this.#size.width > 0 && this.#background !== null;
    if (!painter || !video || !isSeen || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    const looks = this.#finder.isDue(now);
    if ((!looks && this.#verdict !== 'keyed') || video.currentSrc === this.#tainted) return;
    try {
      painter.take(video);
    } catch {
      this.#tainted = video.currentSrc;
      return this.#tell('failed');
    }
    if (looks && !this.#finder.look(video, now)) return;
    const { plate } = this.#finder;
    if (!plate) return this.#tell('failed');
    if (this.#isWanted(plate)) return this.#tell('same');
    fit(this.canvas, this.#size, video);
    this.#paint(painter, plate);
    this.#tell('keyed');
    const { totalVideoFrames } = video.getVideoPlaybackQuality();
    if (this.#pace.drawn(now, totalVideoFrames)) this.#giveUp();
  }

  #paint(painter: KeyPainter, plate: Plate): void {
    const { share, behind } = this.#front.fade;
    painter.paint(plate, share, this.canvas);
    try {
      if (behind && behind.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) {
        painter.take(behind);
        painter.add(plate, 1 - share);
      }
    } catch {
      // It must not be read, and for that moment there is nothing instead.
    }
    painter.show(this.#context!);
  }

  #isWanted({ colour }: Plate): boolean {
    const background = this.#background;
    return background?.startsWith('#') === true && distance(colour, rgbOf(background)) < SAME;
  }

  #tell(verdict: Verdict): void {
    if (verdict === this.#verdict) return;
    this.#verdict = verdict;
    this.#changed();
  }
}

/** Gives the canvas the shape of the film, and as many pixels as are seen of it. */
function fit(
  canvas: HTMLCanvasElement,
  size: { readonly width: number; readonly height: number },
  { videoWidth, videoHeight }: HTMLVideoElement,
): void {
  const pixels = Math.min(devicePixelRatio, MOST_PIXELS);
  const fitting = Math.min(size.width / videoWidth, size.height / videoHeight);
  const scale = Math.min(1, fitting * pixels);
  const [width, height] = [Math.ceil(videoWidth * scale), Math.ceil(videoHeight * scale)];
  // Even the same size would wipe it.
  if (canvas.width === width && canvas.height === height) return;
  Object.assign(canvas, { width, height });
}
