// The machine-readable strip at the top of a sandbox frame. A test reads from it which frame of which clip is on screen. The code
// is pure: it runs in a page, a test or a worker.
// - The strip has 40 equal blocks over the full width and is 24/720 of the height. White is 1; the most significant bit is first.
// - The blocks are: sync white, black; clip id (16 bits); frame number (16 bits, modulo 65536); the XOR of these eight nibbles (4
//   bits); sync black, white.
// - Clip id 0 is the signer at rest.

/** The content of a strip; both numbers have 16 bits. */
export interface Stamp {
  readonly clip: number;
  readonly frame: number;
}

const BLOCKS = 40;
const BLACK = 16;
const WHITE = 235;
const MIDDLE = (BLACK + WHITE) / 2;
/**
 * The pixels up to this far from a block's middle are averaged when it is read, because encoding causes ringing at the blocks'
 * edges.
 */
const SPREAD = 2;

/** Height of the strip in pixels for a picture of `height` pixels. */
export const stampHeight = (height: number): number => Math.round((height * 24) / 720);

/** The clip id that the sandbox stamps into the clip of `text`: FNV-1a folded to 16 bits, never 0. */
export function clipId(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return ((hash >>> 16) ^ (hash & 0xffff)) & 0xffff || 1;
}

/** XOR of the eight nibbles of both numbers. */
function check(clip: number, frame: number): number {
  const folded = (clip ^ frame) & 0xffff;
  return (folded ^ (folded >> 4) ^ (folded >> 8) ^ (folded >> 12)) & 0xf;
}

function blocks({ clip, frame }: Stamp): number[] {
  const bits = [1, 0];
  for (let bit = 15; bit >= 0; bit--) bits.push((clip >> bit) & 1);
  for (let bit = 15; bit >= 0; bit--) bits.push((frame >> bit) & 1);
  for (let bit = 3; bit >= 0; bit--) bits.push((check(clip, frame) >> bit) & 1);
  return [...bits, 0, 1];
}

/** Paints the strip into a luma plane (video range, `stride` bytes a row). The caller makes the chroma under it neutral. */
export function paintStamp(
  y: Uint8Array,
  stride: number,
  size: { readonly width: number; readonly height: number },
  stamp: Stamp,
): void {
  const { width, height } = size;
  const row = new Uint8Array(width);
  blocks(stamp).forEach((bit, block) => {
    const from = Math.round((block * width) / BLOCKS);
    row.fill(bit ? WHITE : BLACK, from, Math.round(((block + 1) * width) / BLOCKS));
  });
  for (let line = 0; line < stampHeight(height); line++) y.set(row, line * stride);
}

/**
 * Reads the strip from one of its rows of luma; the middle row is best.
 * @param yRow at least `width` bytes, video range
 * @returns null when the sync blocks or the check nibble are wrong: there is no stamp, or the picture is not the sandbox's
 */
export function readStamp(yRow: Uint8Array, width: number): Stamp | null {
  const bits: number[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    const middle = Math.floor(((block + 0.5) * width) / BLOCKS);
    let sum = 0;
    for (let x = middle - SPREAD; x <= middle + SPREAD; x++) sum += yRow[x] ?? 0;
    bits.push(sum > MIDDLE * (2 * SPREAD + 1) ? 1 : 0);
  }
  const number = (from: number, to: number): number =>
    bits.slice(from, to).reduce((value, bit) => value * 2 + bit, 0);
  if (number(0, 2) !== 0b10 || number(38, 40) !== 0b01) return null;
  const stamp = { clip: number(2, 18), frame: number(18, 34) };
  return number(34, 38) === check(stamp.clip, stamp.frame) ? stamp : null;
}
