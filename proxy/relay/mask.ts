// The masks of the frames that a client sends (RFC 6455, 5.3): four bytes, here as a number whose lowest byte comes first.
import { randomFillSync } from 'node:crypto';

/** Unpredictable masks (10.3). They are made 2,048 at a time, because to make one takes nearly as long as to make all. */
const masks = new Int32Array(2_048);
let used = masks.length;

export function newMask(): number {
  if (used === masks.length) {
    randomFillSync(masks);
    used = 0;
  }
  used += 1;
  return masks[used - 1] ?? 0;
}

/**
 * Copies the bytes of `source` between `from` and `to` into `into` at `at`, and masks them, or unmasks masked ones. Returns
 * a number below 128 when every byte that it wrote is below 128.
 */
export function applyMask(
  source: Buffer,
  from: number,
  to: number,
  mask: number,
  into: Buffer,
  at: number,
): number {
  const [first, second, third, fourth] = [mask & 0xff, (mask >> 8) & 0xff, (mask >> 16) & 0xff, mask >>> 24];
  const move = at - from;
  let bits = 0;
  let next = from;
  for (; next + 3 < to; next += 4) {
    const one = (source[next] ?? 0) ^ first;
    const two = (source[next + 1] ?? 0) ^ second;
    const three = (source[next + 2] ?? 0) ^ third;
    const four = (source[next + 3] ?? 0) ^ fourth;
    into[next + move] = one;
    into[next + move + 1] = two;
    into[next + move + 2] = three;
    into[next + move + 3] = four;
    bits |= one | two | three | four;
  }
  for (let rest = mask; next < to; next += 1, rest >>>= 8) {
    const one = (source[next] ?? 0) ^ (rest & 0xff);
    into[next + move] = one;
    bits |= one;
  }
  return bits;
}
