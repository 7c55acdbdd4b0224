// What an H.264 sequence parameter set says of a picture (ITU-T H.264, 7.3.2.1.1): its size, and how MSE and an MP4
// call its coding.
// - Read bit by bit as far as the cropping and no further.
// - A set that ends early is `malformed`.
import { assertValid, assertSupported } from '../mp4/boxes.ts';

export interface Sequence {
  /** As `addSourceBuffer` takes it: `avc1.42c01f`. */
  readonly codec: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Profiles whose sets say how colours are coded. */
const WITH_COLOURS = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);
const MAX_SIDE = 16_384;

/** @param unit the whole unit, its type in the first byte. @throws RemuxError */
export function readSequence(unit: Uint8Array): Sequence {
  assertValid(unit.length >= 4, 'a sequence without a profile');
  const bits = new Bits(withoutGuards(unit.subarray(4)));
  const profile = unit[1] ?? 0;
  bits.number();
  let chroma = 1;
  if (WITH_COLOURS.has(profile)) {
    chroma = bits.number();
    assertSupported(chroma < 3, 'colours at full size');
    bits.number();
    bits.number();
    bits.bit();
    assertSupported(!bits.bit(), 'scaling lists');
  }
  bits.number();
  skipOrder(bits);
  bits.number();
  bits.bit();
  const columns = bits.number() + 1;
  const rows = bits.number() + 1;
  const fields = bits.bit() ? 1 : 2;
  if (fields === 2) bits.bit();
  bits.bit();
  const [left, right, top, bottom] = bits.bit()
    ? [bits.number(), bits.number(), bits.number(), bits.number()]
    : [0, 0, 0, 0];
  const width = columns * 16 - (left + right) * (chroma === 0 ? 1 : 2);
  const height = rows * 16 * fields - (top + bottom) * fields * (chroma === 1 ? 2 : 1);
  assertValid(width > 0 && height > 0, 'a picture that is all cropped away');
  assertSupported(width <= MAX_SIDE && height <= MAX_SIDE, 'so large a picture');
  return { codec: `avc1.${[...unit.subarray(1, 4)].map(hex).join('')}`, width, height };
}

const hex = (value: number): string => value.toString(16).padStart(2, '0');

/** Order of the pictures: three ways to tell it. */
function skipOrder(bits: Bits): void {
  const way = bits.number();
  if (way === 0) bits.number();
  if (way !== 1) return;
  bits.bit();
  bits.number();
  bits.number();
  for (let left = bits.number(); left > 0; left--) bits.number();
}

/** Behind two zeros stands a 3 that is none of the content (7.4.1). */
function withoutGuards(bytes: Uint8Array): number[] {
  const kept: number[] = [];
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros === 2 && byte === 3) zeros = 0;
    else {
      kept.push(byte);
      zeros = byte === 0 ? Math.min(2, zeros + 1) : 0;
    }
  }
  return kept;
}

class Bits {
  readonly #bytes: readonly number[];
  #at = 0;

  constructor(bytes: readonly number[]) {
    this.#bytes = bytes;
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3];
    assertValid(byte !== undefined, 'a sequence that ends early');
    return (byte >> (7 - (this.#at++ & 7))) & 1;
  }

  /** Exp-Golomb, unsigned (9.1); a signed one has the same length. */
  number(): number {
    let zeros = 0;
    while (this.bit() === 0) assertValid(++zeros <= 31, 'a number without an end');
    let value = 1;
    for (let i = 0; i < zeros; i++) value = value * 2 + this.bit();
    return value - 1;
  }
}
