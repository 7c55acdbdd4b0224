// Tells which blocks are read as one text.
// - Most paragraphs are words and links in a line, all of them shown as they are written.
import { isSkipped } from './unread.ts';

/** Elements that hold words of a line. */
export const WORDS = 'span, b, strong, i, em, big, font';

const NOT_PLAIN = `:not(${WORDS}, a, abbr, code, small), [inert], [data-sign-text], [data-sign-src]`;

/**
 * True for a block whose text is that of all its nodes, as that of most paragraphs is. To look at its text nodes one by one makes an
 * object for each, and in a long page the collector of V8 stops the page for longer than a slice to remove them.
 */
export function isPlain(block: Element): boolean {
  if (block.shadowRoot || block.matches('slot, details')) return false;
  if (block.childElementCount === 0) return true;
  if (block.querySelector(NOT_PLAIN)) return false;
  const inner = block.querySelectorAll('*');
  // More of them would be too much for one slice. A list and an iterator of them would be 3 MB in a page of 20,000 paragraphs.
  return inner.length < 20 && [].every.call(inner, isPlainWord);
}

function isPlainWord(element: Element): boolean {
  const { display, visibility } = getComputedStyle(element);
  return display === 'inline' && visibility === 'visible' && !element.shadowRoot && !isSkipped(element);
}
