// What is read of a formula (MathML Core).
// - The words that its author gives in `alttext`, unless they are TeX.
// - Without such words its characters are read, when they are on one line as in a sentence: `x = 2`. The characters of fractions,
//   powers, roots and tables would mean something else in a row, so such a formula is not read.

/** Tags whose content is above or below the line, or in another size. */
const TWO_DIMENSIONS = /[<:]m(frac|su[bp]|sqrt|root|under|over|multi|table|enclose|phantom)/;
const TEX = /[\\{}^_$]/;
/** Text that is directly in these is not shown. */
const GROUPS = /^(math|mrow|semantics|mstyle|mpadded|merror)$/;
/** An operator between two operands has a space at both sides. */
const OPERATOR = /^\s*(?:\p{Sm}|[-*/·])\s*$/u;
const AFTER_OPERAND = /[^\s([{]$/;

/** The words stated for a formula; null when there are none. */
export function wordsOf(formula: Element): string | null {
  const words = formula.getAttribute('alttext');
  return words && !TEX.test(words) ? words : null;
}

export const isReadable = (formula: Element): boolean =>
  wordsOf(formula) !== null || !TWO_DIMENSIONS.test(formula.innerHTML);

/** @param before the text before this element of a formula */
export const isBetweenOperands = (element: Element, before: string): boolean =>
  element.localName === 'mo' && OPERATOR.test(element.textContent) && AFTER_OPERAND.test(before);

export const isGroup = (element: Element): boolean => GROUPS.test(element.localName);
