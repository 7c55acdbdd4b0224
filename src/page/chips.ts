// Tells which boxes in a line are words of their own.
// - One with room at its sides, as a chip, is apart from the letters around it. One without may be a part of a word.
// - One that is no box, only a part of the line, and one of a single letter are apart only from another such one: a part of a word can
//   be marked with a little room, and a large first letter too.

export const isLetter = (element: Element): boolean => /^\W?.$/u.test(element.textContent ?? '');

/** A large first letter is a part of its word; the number of a day is not. */
const isWord = (element: Element): boolean => !isLetter(element) || /\d/.test(element.textContent);

/** True for a box with room beside its text, as one of a stated width. */
function isWider(element: Element): boolean {
  const range = document.createRange();
  range.selectNodeContents(element);
  return element.getBoundingClientRect().width > range.getBoundingClientRect().width + 2;
}

/**
 * What an element in a line is: a chip, which is apart from all letters around it; a tag, which is apart from other tags; or neither.
 * @param isAfterTag it is directly after a tag
 */
export function chipOf(
  element: Element,
  style: CSSStyleDeclaration,
  isAfterTag: boolean,
): 'chip' | 'tag' | null {
  const { display } = style;
  const mayBeChip = /^inline-/.test(display) && isWord(element);
  const isBeside = isAfterTag || element.nextSibling?.nodeType === Node.ELEMENT_NODE;
  if (!mayBeChip && !(isBeside && display.startsWith('inline'))) return null;
  const hasRoom = /[1-9]/.test(style.paddingInline + style.marginInline);
  if (!hasRoom && !(mayBeChip && isWider(element))) return null;
  return mayBeChip ? 'chip' : 'tag';
}

/** After white space, an opening bracket and their like no space is missing. */
export const ENDS_WORD = /[^\s\p{Ps}\p{Pi}"'/-]$/u;

/** True when a space is missing between what is apart: not in "1st". */
export const isSpaceMissing = (before: string, words: string): boolean =>
  /^[\p{L}\p{N}]/u.test(words) &&
  ENDS_WORD.test(before) &&
  !(/\d$/.test(before) && /^(?:st|nd|rd|th|er|[èe]re|[èe]me)(?![\p{L}\p{N}])/u.test(words));
