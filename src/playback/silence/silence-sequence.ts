// Reads an H.264 sequence parameter set (ITU-T H.264, 7.3.2.1.1): the size of the picture, and the codec string for MSE and MP4.
// - It is read up to the cropping; what follows is ignored. The comments name the fields that are passed over.
// - A set that ends early is `malformed`.
import { assertValid, assertSupported } from '../mp4/boxes.ts';

export interface Sequence {
  /** As `addSourceBuffer` takes it: `avc1.42c01f`. */
  readonly codec: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Profiles whose sets contain the chroma format. */
const WITH_CHROMA_FORMAT = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);
const MAX_SIDE = 16_384;

/**
 * @param unit the whole unit, its type in the first byte
 * @throws RemuxError
 */
export function readSequence(unit: Uint8Array): Sequence {
  assertValid(unit.length >= 4, 'a sequence without a profile');
  const bits = new Bits(withoutEmulationPrevention(unit.subarray(4)));
  const profile = unit[1] ?? 0;
  bits.number(); // seq_parameter_set_id
  let chroma = 1;
  if (WITH_CHROMA_FORMAT.has(profile)) {
    chroma = bits.number();
    assertSupported(chroma < 3, 'a chroma format of 4:4:4');
    bits.number(); // bit_depth_luma_minus8
    bits.number(); // bit_depth_chroma_minus8
    bits.bit(); // qpprime_y_zero_transform_bypass_flag
    assertSupported(!bits.bit(), 'scaling lists');
  }
  bits.number(); // log2_max_frame_num_minus4
  skipOrder(bits);
  bits.number(); // max_num_ref_frames
  bits.bit(); // gaps_in_frame_num_value_allowed_flag
  const columns = bits.number() + 1;
  const rows = bits.number() + 1;
  const fields = bits.bit() ? 1 : 2;
  if (fields === 2) bits.bit(); // mb_adaptive_frame_field_flag
  bits.bit(); // direct_8x8_inference_flag
  const [left, right, top, bottom] = bits.bit()
    ? [bits.number(), bits.number(), bits.number(), bits.number()]
    : [0, 0, 0, 0];
  const width = columns * 16 - (left + right) * (chroma === 0 ? 1 : 2);
  const height = rows * 16 * fields - (top + bottom) * fields * (chroma === 1 ? 2 : 1);
  assertValid(width > 0 && height > 0, 'a picture without size');
  assertSupported(width <= MAX_SIDE && height <= MAX_SIDE, 'a picture above 16,384 pixels');
  return { codec: `avc1.${[...unit.subarray(1, 4)].map(hex).join('')}`, width, height };
}

const hex = (value: number): string => value.toString(16).padStart(2, '0');

/** Skips the picture order count, which has three types. */
function skipOrder(bits: Bits): void {
  const type = bits.number();
  if (type === 0) bits.number();
  if (type !== 1) return;
  bits.bit(); // delta_pic_order_always_zero_flag
  bits.number(); // offset_for_non_ref_pic
  bits.number(); // offset_for_top_to_bottom_field
  for (let left = bits.number(); left > 0; left--) bits.number();
}

/** Leaves out each emulation prevention byte: a 3 after two zeros, which is not content (7.4.1). */
function withoutEmulationPrevention(bytes: Uint8Array): number[] {
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
    while (this.bit() === 0) assertValid(++zeros <= 31, 'a number above 32 bits');
    let value = 1;
    for (let i = 0; i < zeros; i++) value = value * 2 + this.bit();
    return value - 1;
  }
}
