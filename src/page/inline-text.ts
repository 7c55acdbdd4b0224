// Tells how the elements in a line and the white space between them become one text.
// - Most paragraphs are words and links in a line, all of them shown as they are written: they are read as one text.
// - An element for words (`span`, `b`) begins no block, whatever its box: it is a word where the page shows its parts in a row,
//   else a line.
// - A number in a box beside or below its words, as the day of a date, is a line of their text.
// - A chip is a box in a line with room at its sides: it is apart from the letters around it. A box without room may be a part of
//   a word. A tag is an inline element with room, or a chip of one letter: it may be a marked part of a word, or a large first
//   letter. So a tag is apart only from another tag, and where no word continues: before a capital or a digit.
import { isRaised, isSkipped, SHUT_OFF } from './unread.ts';

/** Elements that hold words of a line. */
const WORDS = 'span, b, strong, i, em, big, font, small, time';

/** Values of `white-space` with which a line break of the text is one on screen. */
const KEEPS_LINES = /pre|break/;

/** Links, spans and what has a class may be chips, which have room between them. */
const MAY_BE_CHIP = ':is(a, span, [class])';

const NOT_PLAIN =
  `:not(${WORDS}, a, abbr, code), ${SHUT_OFF}, [data-sign-text], [data-sign-src], ` +
  `${MAY_BE_CHIP} + ${MAY_BE_CHIP}`;

/**
 * True for a block whose text is that of all its nodes, as that of most paragraphs is. To look at its text nodes one by one makes
 * an object for each, and in a long page the collector of V8 stops the page for longer than a slice to remove them.
 */
export function isPlain(block: Element): boolean {
  if (block.shadowRoot || block.matches('slot, details')) return false;
  if (block.childElementCount === 0) return true;
  if (block.querySelector(NOT_PLAIN)) return false;
  const inner = block.querySelectorAll('*');
  // With more elements a block would take too long for one slice. No list or iterator is made, which would take 3 MB in a page of
  // 20,000 paragraphs.
  return inner.length < 20 && [].every.call(inner, isPlainWord);
}

function isPlainWord(element: Element): boolean {
  const style = getComputedStyle(element);
  const { display, visibility, whiteSpace, fontSize } = style;
  const isShown =
    display === 'inline' && visibility === 'visible' && fontSize !== '0px' && !KEEPS_LINES.test(whiteSpace);
  return (
    isShown && !isRaised(element, style) && !hasRoom(style) && !element.shadowRoot && !isSkipped(element)
  );
}

/**
 * These words of a page with a space in place of other white space, and with U+2028 for a line break that is one on screen.
 *
 * @param holder the element that the words are directly in
 * @param before the text of the block before them
 */
export function spaced(words: string, holder: Element, before: string): string {
  const mayKeepLines = /\n/.test(words) && /\S/.test(before + words);
  const keepsLines = mayKeepLines && KEEPS_LINES.test(getComputedStyle(holder).whiteSpace);
  return (keepsLines ? words.replace(/\n/g, '\u2028') : words).replace(/[^\S \u2028]/g, ' ');
}

/** A large first letter is a part of its word; the number of a day is not. */
const isWord = (element: Element): boolean => !/^\W?\D$/u.test(element.textContent);

const isRow = ({ display, flexDirection }: CSSStyleDeclaration): boolean =>
  /flex/.test(display) && !/^col/.test(flexDirection);

/** True for a text with a number and no letter, of at most `most` characters. */
export const isNumber = (text: string, most = 12): boolean =>
  text.trim().length <= most && /^\P{L}*\d\P{L}*$/u.test(text.trim());

/**
 * True for a box of words among two or three, one of which is a number. The `children` of a form is its field with this name, as
 * one that asks for the number of children.
 */
function isBesideNumber(element: Element, outer: Element): boolean {
  if (element.firstElementChild) return false;
  const boxes: Element[] = [];
  for (let one = outer.firstElementChild; one; one = one.nextElementSibling)
    if (boxes.push(one) > 3) return false;
  return boxes.some((one) => !one.firstElementChild && isNumber(one.textContent));
}

/**
 * What an element is in the text of the page. WebKitGTK 2.50 reports `block` for the parts of a formula.
 * @param outer what it is shown in; null for the root of the page, and for an element that the page has taken out
 */
export function kindOf(
  element: Element,
  { display, cssFloat }: CSSStyleDeclaration,
  outer: Element | null,
): 'inline' | 'word' | 'line' | 'block' {
  const { localName, namespaceURI } = element;
  const isFormula = namespaceURI?.endsWith('/MathML');
  if (isFormula || /^(?:inline|ruby|contents$)|math$/.test(display)) return 'inline';
  const isWords = element.matches(WORDS);
  // A large first letter floats beside the other letters of its word.
  if (isWords && cssFloat !== 'none' && !isWord(element)) return 'inline';
  const mayBeWord = isWords || (localName === 'a' && !element.firstElementChild);
  if (outer && mayBeWord && isRow(getComputedStyle(outer))) return 'word';
  return isWords || (outer && /^(?:div|p|d[dt])$/.test(localName) && isBesideNumber(element, outer))
    ? 'line'
    : 'block';
}

/** True for an element with room at a side of its text. */
const hasRoom = ({ paddingInline, marginInline }: CSSStyleDeclaration): boolean =>
  /[1-9]/.test(paddingInline + marginInline);

/** True when a style sheet writes a mark before or after its text. */
const hasMark = (element: Element): boolean =>
  ['::before', '::after'].some((side) => /"[^"]/.test(getComputedStyle(element, side).content));

/** True for a box with room beside its text, as one of a stated width. */
function isWider(element: Element): boolean {
  const range = document.createRange();
  range.selectNodeContents(element);
  return element.getBoundingClientRect().width > range.getBoundingClientRect().width + 2;
}

/**
 * What an element in a line is: a chip, which is apart from all letters around it; a tag, which is apart from other tags and from
 * what is no part of its word; or neither. A power or an index belongs to its letter.
 */
export function chipOf(element: Element, style: CSSStyleDeclaration): 'chip' | 'tag' | null {
  const { display } = style;
  const mayBeChip = /^inline-/.test(display) && isWord(element);
  const isBeside = element.previousElementSibling ?? element.nextElementSibling;
  if (!display.startsWith('inline') || /^su[bp]$/.test(element.localName)) return null;
  if (isBeside && hasMark(element)) return 'chip';
  if (!hasRoom(style) && !(mayBeChip && isWider(element))) return null;
  return mayBeChip ? 'chip' : 'tag';
}

/** After white space, an opening bracket and their like no space is missing. */
export const ENDS_WORD = /[^\s\p{Ps}\p{Pi}"'/-]$/u;

/** True when these are no letters of one word: timeNew, Inbox4, Price£30, 4new. */
export const isWordOver = (before: string, words: string): boolean =>
  /^(?:\p{Ll}[\p{Lu}\d\p{Sc}]|\d\p{L})/u.test(before.slice(-1) + words);

/** True when a space is missing between what is apart: not in "1st". */
export const isSpaceMissing = (before: string, words: string): boolean =>
  /^(?:[\p{L}\p{N}\p{S}(#@]|[-−]\d)/u.test(words) &&
  ENDS_WORD.test(before) &&
  !(/\d$/.test(before) && /^(?:st|nd|rd|th|er|[èe]re|[èe]me)(?![\p{L}\p{N}])/u.test(words));
