// Makes a key of 53 bits of an id. The key is kept until the answer in place of the id, because a string for each text and result
// under way is work for the garbage collector, and a client may write an id of 20 kB.
// - Two ids with one key count as one id that is used twice. Nobody can search for such ids: each process makes other keys.
import { randomFillSync } from 'node:crypto';

const [seed = 0, otherSeed = 0] = randomFillSync(new Int32Array(2));

/** The key of the string id that `data` has between two places, in ASCII. */
export function keyOfBytes(data: Uint8Array, from: number, to: number): number {
  let [low, high] = [seed, otherSeed];
  for (let at = from; at < to; at += 1) {
    const code = data[at] ?? 0;
    low = Math.imul(low ^ code, 0x9e3779b1);
    high = Math.imul(high ^ code, 0x5f356495);
    low ^= high >>> 15;
    high ^= low >>> 13;
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/** Half of a pair, which UTF-8 cannot write. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A client may write an id that is no string. */
export function keyOf(id: unknown): number {
  const isText = typeof id === 'string' && !LONE_SURROGATE.test(id);
  const bytes = Buffer.from(isText ? id : `json ${JSON.stringify(id)}`);
  return keyOfBytes(bytes, 0, bytes.length);
}
