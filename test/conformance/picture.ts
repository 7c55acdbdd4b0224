// Reads single frames of a video.
// - Only the distribution of luma is compared, so that a drawing and a filmed signer are judged alike.
import assert from 'node:assert/strict';
import { decodeClip, type Luma } from '../sandbox/media/decode-clip.ts';

/** The picture shown at this time, in seconds. @throws AssertionError when none can be decoded */
export async function pictureAt(bytes: Uint8Array, seconds: number): Promise<Luma> {
  const shown = (await decodeClip(bytes, seconds)).pictures.at(-1);
  assert.ok(shown, 'a picture was decoded');
  return shown;
}

/** The luma of the background, which most pixels of the first picture have. */
export async function mainLuma(bytes: Uint8Array): Promise<number> {
  const counts = new Array<number>(256).fill(0);
  for (const value of (await pictureAt(bytes, 0)).y) counts[value]! += 1;
  return counts.indexOf(Math.max(...counts));
}

/** The mean difference of luma between two pictures of one size, 0 to 255. */
export function meanDifference(one: Luma, other: Luma): number {
  assert.deepEqual([one.width, one.height], [other.width, other.height]);
  const sum = one.y.reduce((total, value, at) => total + Math.abs(value - other.y[at]!), 0);
  return sum / one.y.length;
}
