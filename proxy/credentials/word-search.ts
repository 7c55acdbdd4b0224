// Tells whether a text holds one of many words, in a time that hardly depends on how many they are: each frame is searched for
// the secrets of all sites, and a pattern of 1,200 secrets took 100 times as long as one of two.
// - Every few characters (8 at most), the next four characters of the text are looked up in a table. The table has every group of
//   four that a word can have at such a place.
// - Where the table has the group, the words are looked up by their beginning, so that not every word is tried.

const FOUR = 4;
const LONGEST_STEP = 8;
/** Bits of the table for each group in it, so that one look-up in 128 finds a group by chance. */
const SPARSE = 128;

interface WordSearch {
  /** Whether the text holds one of the words. */
  inText(text: string): boolean;
  /** The same for bytes between two places, each of which is a character. */
  inBytes(data: Uint8Array, from: number, to: number): boolean;
}

/** Words have four characters at least. */
export function wordSearch(words: readonly string[]): WordSearch {
  if (words.length === 0) return { inText: () => false, inBytes: () => false };
  const shortest = words.reduce((least, { length }) => Math.min(least, length), Infinity);
  const step = Math.min(LONGEST_STEP, shortest - FOUR + 1);
  const shift = Math.max(0, Math.clz32(words.length * step * SPARSE));
  const table = new Int32Array(2 ** Math.max(0, 32 - shift - 5));
  const byBeginning = new Map<string, string[]>();
  for (const word of words) {
    const beginning = word.slice(0, shortest);
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), word]);
    for (let at = 0; at < step; at += 1) {
      const place = placeOf(word, at) >>> shift;
      table[place >>> 5] = (table[place >>> 5] ?? 0) | (1 << (place & 31));
    }
  }

  /** Whether a word begins at `at`, or in the characters since the place that was looked at before. */
  const isMet = (text: string, at: number): boolean => {
    for (let from = at; from > at - step && from >= 0; from -= 1) {
      const some = byBeginning.get(text.slice(from, from + shortest));
      if (some?.some((word) => text.startsWith(word, from)) === true) return true;
    }
    return false;
  };
  const inText = (text: string): boolean => {
    for (let at = 0; at <= text.length - FOUR; at += step) {
      const place = placeOf(text, at) >>> shift;
      if ((table[place >>> 5] ?? 0) & (1 << (place & 31)) && isMet(text, at)) return true;
    }
    return false;
  };
  return {
    inText,
    inBytes(data, from, to) {
      for (let at = from; at <= to - FOUR; at += step) {
        const four =
          (data[at] ?? 0) |
          ((data[at + 1] ?? 0) << 8) |
          ((data[at + 2] ?? 0) << 16) |
          ((data[at + 3] ?? 0) << 24);
        const place = mixed(four) >>> shift;
        if ((table[place >>> 5] ?? 0) & (1 << (place & 31)))
          return inText(Buffer.from(data.subarray(from, to)).toString('latin1'));
      }
      return false;
    },
  };
}

/** A hash of four characters of the text, in 32 bits; its first bits depend on the most bits of the characters. */
const placeOf = (text: string, at: number): number =>
  mixed(
    text.charCodeAt(at) |
      (text.charCodeAt(at + 1) << 8) |
      (text.charCodeAt(at + 2) << 16) |
      (text.charCodeAt(at + 3) << 24),
  );

const mixed = (four: number): number => Math.imul(four, 0x9e3779b1);
