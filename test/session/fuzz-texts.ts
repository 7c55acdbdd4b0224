// Texts whose every part says where it belongs, however they are cut.

/** As many words as asked for, each with the number of the call and its own. */
export const textOf = (call: number, words: number): string =>
  Array.from({ length: words }, (_, word) => `t${call}w${word}.`).join(' ');

/** Which call a part of text is of, and with which of its words it begins. */
export function placeOf(data: string): [call: number, word: number] {
  const [, call, word] = /^t(\d+)w(\d+)/.exec(data) ?? [];
  return [Number(call), Number(word)];
}

export const isAscending = (numbers: readonly number[]): boolean =>
  numbers.every((number, at) => number >= (numbers[at - 1] ?? -1));
