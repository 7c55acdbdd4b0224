// Finds the colour of the backplate that a signer stands before. No document tells it, and accounts have plates of their
// own, so it is read from the picture: from its left and right margins between 8 % and 60 % of the height, where the signer
// seldom is and captions are not. Policy: a plate is where most of that agrees within 0.12 of RGB's unit cube; a picture
// without one (a scene, a split screen) has none, and neither has a black one, because bars are black, and so is hair.

/** A colour of the picture, each channel 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number];

export interface Plate {
  readonly colour: Rgb;
  /** How far nine in ten of its pixels are from it at most: coding noise, and a plate that is lit unevenly. */
  readonly spread: number;
}

/** Pixels of the small picture that is looked at. */
export const LOOK = { width: 64, height: 36 } as const;

const MARGIN = Math.round(LOOK.width * 0.06);
const FROM_ROW = Math.ceil(LOOK.height * 0.08);
const TO_ROW = Math.floor(LOOK.height * 0.6);
const AGREES = 0.12;
const MOST = 0.6;
const BLACK = 0.12;

/** Of `#rrggbb`. */
export const rgbOf = (hex: string): Rgb => {
  const channel = (at: number): number => parseInt(hex.slice(at, at + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
};

export const distance = (a: Rgb, b: Rgb): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/**
 * @param pixels RGBA, `LOOK` in size, the highest row first
 * @returns null when the picture has no plate
 */
export function plateIn(pixels: Uint8ClampedArray): Plate | null {
  const seen = marginsOf(pixels);
  const middle = (channel: 0 | 1 | 2): number =>
    ranked(
      seen.map((colour) => colour[channel]),
      0.5,
    );
  const colour: Rgb = [middle(0), middle(1), middle(2)];
  const near = seen.map((other) => distance(other, colour)).filter((away) => away < AGREES);
  if (near.length < seen.length * MOST || Math.max(...colour) < BLACK) return null;
  return { colour, spread: ranked(near, 0.9) };
}

function marginsOf(pixels: Uint8ClampedArray): Rgb[] {
  const seen: Rgb[] = [];
  for (let row = FROM_ROW; row < TO_ROW; row++) {
    for (let column = 0; column < LOOK.width; column++) {
      if (column >= MARGIN && column < LOOK.width - MARGIN) continue;
      const at = (row * LOOK.width + column) * 4;
      seen.push([pixels[at]! / 255, pixels[at + 1]! / 255, pixels[at + 2]! / 255]);
    }
  }
  return seen;
}

const ranked = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)]!;
