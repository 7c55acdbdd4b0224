// Random numbers that a seed repeats: a generator of 32-bit numbers (Mulberry32 by Tommy Ettinger, in the public domain), and
// what the fuzzer draws with it.

export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  bytes(length: number): Buffer;
  /** Up to `most` values that `draw` returns. */
  some<Item>(most: number, draw: () => Item): Item[];
}

/** `parts` together are the seed. */
export function randomOf(...parts: readonly number[]): Random {
  let state = 0x9e3779b9;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  for (const part of parts) state = (next() ^ part) | 0;
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit);
  return {
    below,
    chance: (share) => next() / 2 ** 32 < share,
    pick: (items) => items[below(items.length)] ?? items[0],
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
    some: (most, draw) => Array.from({ length: below(most + 1) }, draw),
  };
}

/** `data` with a few of its bytes changed, left out, doubled or cut off. */
export function mutated(random: Random, data: Buffer): Buffer {
  let bytes = data;
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const at = random.below(bytes.length + 1);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    switch (random.below(5)) {
      case 0:
        bytes = Buffer.concat([before, random.bytes(1), after.subarray(1)]);
        break;
      case 1:
        bytes = Buffer.concat([before, after.subarray(1 + random.below(8))]);
        break;
      case 2:
        bytes = Buffer.concat([before, random.bytes(1 + random.below(8)), after]);
        break;
      case 3:
        bytes = Buffer.concat([before, after.subarray(0, 16), after]);
        break;
      default:
        bytes = random.chance(0.2) ? before : bytes;
    }
  }
  return bytes;
}
