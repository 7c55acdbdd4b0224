// Finds the colour of the backplate behind the signer in a picture.
// - No document tells the colour, and accounts have backplates of their own. It is read from the left and right margins
//   between 8 % and 60 % of the height, where signer and captions seldom are.
// - A picture has a backplate when 60 % of these pixels are within 0.12 of their median colour. Black is no backplate: bars and
//   hair are black.
// - Each new video is sampled at once, then four times a second, because clips of another signer may follow in the same
//   video. A backplate is dropped after 4 samples without one, so that a short obstruction changes nothing.
// - A sample is a picture of 64 x 36 pixels on a 2D canvas, because reading pixels back from WebGL stalls it.

/** A colour of the picture, each channel 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number];

export interface Backplate {
  readonly colour: Rgb;
  /** The distance within which nine in ten of its pixels are: coding noise and uneven light. */
  readonly spread: number;
}

/** Pixels of the small picture that is sampled. */
export const SAMPLE_SIZE = { width: 64, height: 36 } as const;

const MARGIN = Math.round(SAMPLE_SIZE.width * 0.06);
const FROM_ROW = Math.ceil(SAMPLE_SIZE.height * 0.08);
const TO_ROW = Math.floor(SAMPLE_SIZE.height * 0.6);
const MAX_DISTANCE = 0.12;
const MIN_SHARE = 0.6;
const BLACK = 0.12;

/** The colour of `#rrggbb`. */
export const rgbOf = (hex: string): Rgb => {
  const channel = (at: number): number => parseInt(hex.slice(at, at + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
};

export const distance = (a: Rgb, b: Rgb): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/**
 * @param pixels RGBA, of SAMPLE_SIZE, the highest row first
 * @returns null when the picture has no backplate
 */
export function findBackplate(pixels: Uint8ClampedArray): Backplate | null {
  const samples = marginsOf(pixels);
  const median = (channel: 0 | 1 | 2): number =>
    quantile(
      samples.map((colour) => colour[channel]),
      0.5,
    );
  const colour: Rgb = [median(0), median(1), median(2)];
  const near = samples.map((other) => distance(other, colour)).filter((away) => away < MAX_DISTANCE);
  if (near.length < samples.length * MIN_SHARE || Math.max(...colour) < BLACK) return null;
  return { colour, spread: quantile(near, 0.9) };
}

function marginsOf(pixels: Uint8ClampedArray): Rgb[] {
  const seen: Rgb[] = [];
  for (let row = FROM_ROW; row < TO_ROW; row++) {
    for (let column = 0; column < SAMPLE_SIZE.width; column++) {
      if (column >= MARGIN && column < SAMPLE_SIZE.width - MARGIN) continue;
      const at = (row * SAMPLE_SIZE.width + column) * 4;
      seen.push([pixels[at]! / 255, pixels[at + 1]! / 255, pixels[at + 2]! / 255]);
    }
  }
  return seen;
}

const quantile = (numbers: readonly number[], share: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * share)]!;

const INTERVAL_MS = 250;
const MAX_MISSES = 4;

/** Keeps the backplate of the video that is keyed up to date. */
export class BackplateTracker {
  readonly #context = Object.assign(document.createElement('canvas'), SAMPLE_SIZE).getContext('2d', {
    willReadFrequently: true,
  });
  #backplate: Backplate | null = null;
  #misses = 0;
  #dueAt = 0;

  /** Null while none was found. */
  get backplate(): Backplate | null {
    return this.#backplate;
  }

  /** Another video is keyed: forgets the backplate and samples the next frame. */
  reset(): void {
    this.#backplate = null;
    this.#dueAt = 0;
  }

  /** Samples the next frame, whatever the interval. */
  invalidate(): void {
    this.#dueAt = 0;
  }

  /** @param now milliseconds of performance.now() */
  isDue(now: number): boolean {
    return now >= this.#dueAt;
  }

  /**
   * Looks for the backplate in what the video shows now.
   * @param video one that scripts may read (CORS)
   * @returns false when it has no picture yet
   */
  sample(video: HTMLVideoElement, now: number): boolean {
    const { width, height } = SAMPLE_SIZE;
    this.#context?.clearRect(0, 0, width, height);
    this.#context?.drawImage(video, 0, 0, width, height);
    const pixels = this.#context?.getImageData(0, 0, width, height).data;
    if (!pixels?.[3]) return false;
    this.#dueAt = now + INTERVAL_MS;
    const found = findBackplate(pixels);
    this.#misses = found ? 0 : this.#misses + 1;
    if (found || this.#misses >= MAX_MISSES) this.#backplate = found;
    return true;
  }
}
