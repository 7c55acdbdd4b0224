// Tells which boxes in a line are words of their own.
// - One with room at its sides, as a chip, is apart from the letters around it. One without may be a part of a word.
// - One that is no box, only a part of the line, is apart only from another such one: a part of a word can be marked with a little room.

export const isLetter = (element: Element): boolean => /^\W?.$/u.test(element.textContent ?? '');

export const isChip = (element: Element, { paddingInline, marginInline }: CSSStyleDeclaration): boolean =>
  /[1-9]/.test(paddingInline + marginInline) && (!isLetter(element) || /\d/.test(element.textContent));

/** After white space, an opening bracket and their like no space is missing. */
export const ENDS_WORD = /[^\s\p{Ps}\p{Pi}"'/-]$/u;

/** True when a space is missing between what is apart: not in "1st". */
export const isSpaceMissing = (before: string, words: string): boolean =>
  /^[\p{L}\p{N}]/u.test(words) &&
  ENDS_WORD.test(before) &&
  !(/\d$/.test(before) && /^(?:st|nd|rd|th|er|[èe]re|[èe]me)(?![\p{L}\p{N}])/u.test(words));
