// Which colour of a picture is its backplate, and when it has none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  distance,
  SAMPLE_SIZE,
  findBackplate,
  rgbOf,
  type Rgb,
} from '../../../src/playback/chroma-key/backplate.ts';

const GREY_BLUE = '#d5dee7';

/** A small picture. `paint` returns the colour at a position, whose coordinates are from 0 to 1. */
function picture(paint: (x: number, y: number) => Rgb): Uint8ClampedArray {
  const { width, height } = SAMPLE_SIZE;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at++) {
    const colour = paint((at % width) / width, Math.floor(at / width) / height);
    pixels.set(
      colour.map((channel) => channel * 255),
      at * 4,
    );
  }
  return pixels;
}

/** Even noise that is the same at each run. */
function noise(amount: number): () => number {
  let seed = 1;
  return () => {
    seed = Math.imul(seed, 48271) % 2147483647;
    return ((seed >>> 0) / 2 ** 32 - 0.5) * 2 * amount;
  };
}

const plain = rgbOf(GREY_BLUE);
const signer: Rgb = [0.12, 0.43, 0.47];
const inMiddle = (x: number): boolean => x > 0.3 && x < 0.7;

function expectPlate(pixels: Uint8ClampedArray, hex: string): void {
  const backplate = findBackplate(pixels);
  assert.ok(backplate, 'a backplate is found');
  assert.ok(distance(backplate.colour, rgbOf(hex)) < 0.02, `${backplate.colour.join(' ')} is ${hex}`);
}

test('the backplate is read left and right of the signer; captions and a bar above do not count', () => {
  const jitter = noise(0.02);
  const pixels = picture((x, y) => {
    if (y < 0.04 || y > 0.8) return x % 0.1 < 0.05 ? [0, 0, 0] : [1, 1, 1];
    if (inMiddle(x)) return signer;
    return [plain[0] + jitter(), plain[1] + jitter(), plain[2] + jitter()];
  });
  expectPlate(pixels, GREY_BLUE);
  const { spread } = findBackplate(pixels)!;
  assert.ok(spread > 0.005 && spread < 0.04, `its noise is known: ${spread}`);
});

test('an arm or a logo in the margin does not change the backplate', () => {
  expectPlate(
    picture((x, y) => (inMiddle(x) || (x > 0.9 && y > 0.35) ? signer : rgbOf('#00b140'))),
    '#00b140',
  );
});

test('a backplate with uneven light is found, with a larger spread', () => {
  const lit = findBackplate(
    picture((x, y) => (inMiddle(x) ? signer : [0.8 - y / 8, 0.8 - y / 8, 0.8 - y / 8])),
  );
  const flat = findBackplate(picture((x) => (inMiddle(x) ? signer : [0.8, 0.8, 0.8])));
  assert.ok(lit && flat, 'both are plates');
  assert.ok(lit.spread > flat.spread, 'the uneven one is wider');
});

test('a scene, a split screen and black bars are no backplate', () => {
  const scene = picture((x, y) => [(x * 7) % 1, (y * 5) % 1, (x * y * 9) % 1]);
  const split = picture((x) => (x < 0.5 ? [0.9, 0.2, 0.2] : [0.2, 0.2, 0.9]));
  const bars = picture((x) => (inMiddle(x) ? plain : [0.01, 0.01, 0.01]));
  assert.deepEqual([scene, split, bars].map(findBackplate), [null, null, null]);
});
