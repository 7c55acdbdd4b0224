// Texts of which every part identifies its call and its position, at whatever position they are split.

/** This number of words, each with the number of the call and its own number. */
export const textOf = (call: number, words: number): string =>
  Array.from({ length: words }, (_, word) => `t${call}w${word}.`).join(' ');

/** The call that a part belongs to, and the number of its first word. */
export function placeOf(data: string): [call: number, word: number] {
  const [, call, word] = /^t(\d+)w(\d+)/.exec(data) ?? [];
  return [Number(call), Number(word)];
}

export const isAscending = (numbers: readonly number[]): boolean =>
  numbers.every((number, at) => number >= (numbers[at - 1] ?? -1));
