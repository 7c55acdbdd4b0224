// Shared by the browser tests of chroma keying: a video that the page draws frame by frame, so that every colour is known,
// in a box like that of an element, and the pixels of the canvas over it. No service is needed.
import { ChromaKeyCanvas } from '../../../src/playback/chroma-key/chroma-key-canvas.ts';
import { until } from '../../until.ts';

const SIZE = { width: 320, height: 180 } as const;
/** Positions in the source: inside the signer, and the beginning and end of its soft edge. */
export const SIGNER = { x: 160, y: 150 } as const;
export const EDGE = { from: 110, to: 130, y: 150 } as const;
/** A position in the backplate. All corners are backplate too. */
export const CORNERS = [
  [6, 6],
  [313, 6],
  [6, 173],
  [313, 173],
] as const;

export async function frames(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise(requestAnimationFrame);
}

/** An endless source with a signer in front of a backplate; each `frame()` is painted at once. */
export class DrawnVideo {
  readonly video = Object.assign(document.createElement('video'), { muted: true });
  readonly #canvas = Object.assign(document.createElement('canvas'), SIZE);
  readonly #context = this.#canvas.getContext('2d')!;
  readonly #stream = this.#canvas.captureStream(0);
  #frames = 0;

  colours: { backplate: string; signer: string };

  constructor(colours: DrawnVideo['colours']) {
    this.colours = colours;
    this.video.srcObject = this.#stream;
    // The monitor reads this count: without the change it would find the test machine too slow.
    this.video.getVideoPlaybackQuality = () => ({ totalVideoFrames: 0 }) as VideoPlaybackQuality;
    void this.video.play();
  }

  /** Paints one more frame, and waits until the browser reports it. */
  async frame(): Promise<void> {
    let shown = false;
    this.video.requestVideoFrameCallback(() => (shown = true));
    for (; !shown; await new Promise(requestAnimationFrame)) this.#paint();
  }

  /** Paints frame by frame until `test` is true. */
  async until(test: () => boolean): Promise<void> {
    await until(async () => test() || (await this.frame(), test()));
  }

  #paint(): void {
    const { backplate, signer } = this.colours;
    const context = this.#context;
    context.fillStyle = backplate;
    context.fillRect(0, 0, SIZE.width, SIZE.height);
    const soft = context.createLinearGradient(EDGE.from, 0, EDGE.to, 0);
    soft.addColorStop(0, backplate);
    soft.addColorStop(1, signer);
    context.fillStyle = soft;
    context.fillRect(EDGE.from, 40, 100, 140);
    // Otherwise the picture would equal the last one, and the browser would report no new frame.
    context.fillStyle = (this.#frames += 1) % 2 ? '#fff' : '#000';
    context.fillRect(150, 60, 20, 20);
    // Firefox has this method on the stream, as an earlier specification had it.
    const [track] = this.#stream.getVideoTracks();
    const asked = (track && 'requestFrame' in track ? track : this.#stream) as CanvasCaptureMediaStreamTrack;
    asked.requestFrame();
  }

  end(): void {
    for (const track of this.#stream.getTracks()) track.stop();
    this.video.srcObject = null;
  }
}

/** A box with these videos, the last one in front, and the keyed picture over them. */
export class Box {
  readonly element = document.createElement('div');
  readonly keyed: ChromaKeyCanvas;
  /** How often a change was reported. */
  changes = 0;

  constructor(...videos: HTMLVideoElement[]) {
    this.element.style.cssText = `position: relative; width: ${SIZE.width}px; height: ${SIZE.height}px`;
    this.element.append(...videos.map((video) => this.laid(video)));
    document.body.append(this.element);
    this.keyed = new ChromaKeyCanvas(this.element, () => (this.changes += 1));
    this.keyed.background = 'transparent';
    this.element.append(this.laid(this.keyed.canvas));
  }

  /** An element that fills the box. */
  laid<Laid extends HTMLElement>(element: Laid): Laid {
    element.style.cssText = 'position: absolute; inset: 0; width: 100%; height: 100%';
    return element;
  }

  /**
   * What the canvas shows of the frame now in `video`, as RGBA of a pixel of the source, `behind` under it.
   * A canvas of WebGL can be read only in the task that has drawn it, so it is made to draw.
   */
  pixels(video: HTMLVideoElement, behind = 'transparent'): (x: number, y: number) => number[] {
    const { width, height } = SIZE;
    const context = Object.assign(document.createElement('canvas'), SIZE).getContext('2d')!;
    context.fillStyle = behind;
    context.fillRect(0, 0, width, height);
    video.dispatchEvent(new Event('seeked'));
    context.drawImage(this.keyed.canvas, 0, 0, width, height);
    const { data } = context.getImageData(0, 0, width, height);
    return (x, y) => [...data.slice((y * width + x) * 4, (y * width + x) * 4 + 4)];
  }

  end(): void {
    this.keyed.destroy();
    this.element.remove();
  }
}
