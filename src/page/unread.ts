// What of a page is not read.
// - By its kind: navigation, links that share the page, buttons (one that is a whole heading is read), fields and what a visitor
//   may write in, blocks of code, deleted text, marks of footnotes and the links back from them, `data-sign-skip`. A `pre`
//   in a font for text is no code but a verse.
// - By its look: what is invisible, clipped or scaled to nothing, closed or outside the page. A text for screen readers is read
//   where it replaces a text on screen that is hidden from them.
// - `inert` and `aria-hidden` inside a part, as on a slide that is not shown. A whole part with one of them, behind a dialog or a
//   menu, is still in sight, so it is read.
import { isOffPage } from './aside.ts';
import { isReadable } from './formula.ts';
import { shownIn } from './shown-nodes.ts';

const NEVER_TAGS = new Set(
  (
    'script style noscript svg iframe object video audio canvas meter progress select ' +
    'textarea input nav rt menu del s strike annotation annotation-xml'
  ).split(' '),
);

/** "[edit]" and "^" of MediaWiki, "Show" in the headings of GOV.UK, the names of Google's icons. */
const NEVER_MARKED =
  '[data-sign-skip], .mw-editsection, .mw-cite-backlink, .material-icons, [class*=material-icons-], [class*=material-symbols-], [class$="__section-toggle"], [hidden], [role=navigation], ' +
  '#breadcrumbs, [class^=breadcrumb], ol[class*=breadcrumb], .pagination, ' +
  '[href*="/sharer"], [href*="/intent/"], [href*="/shareA"], [href*="/share?"], [href^="mailto:?"], ' +
  '[role^=menu], [role=tablist], [role=toolbar], [role=search], [role=doc-noteref], [role=doc-backlink], [contenteditable]:not([contenteditable="false" i])';
/** Not read inside a part. */
export const SHUT_OFF = '[inert], [aria-hidden=true]';
/** `[1]`, `2,4–6`, `a`, `†`, `[note 1]`, `[citation needed]` */
const NOTE = /^\s*(?:[[(]?(?:\d{1,4}(?:[,–-]\s*\d+)*|\p{L}|[*†‡§¶]+)[\])]?|\[[^\]]+\])\s*$/u;

/** True for what is higher than the line, as the pence of a price or the mark of a note. */
export const isRaised = ({ localName }: Element, { verticalAlign }: CSSStyleDeclaration): boolean =>
  localName === 'sup' || /super|top/.test(verticalAlign);

/** A raised mark that links to a note, or a link without a word that leads back from it. */
function isNoteMark(element: Element): boolean {
  const text = element.textContent;
  if (element.localName === 'sup') {
    // `: 42` after a mark is the page of the source. Text in brackets is a mark whatever it links to; without brackets, as in
    // `m<sup>2</sup>`, it may be a link to the article about a unit.
    if (/^\s*:/.test(text)) return true;
    return NOTE.test(text) && element.querySelector(text.includes('[') ? 'a' : 'a[href*="#"]') !== null;
  }
  if (!element.getAttribute('href')?.includes('#')) return false;
  return element.querySelector('sup') || isRaised(element, getComputedStyle(element))
    ? NOTE.test(text)
    : /^[^\p{L}\p{N}]+$/u.test(text) && /\S/.test(text);
}

/** Code that is alone in its paragraph is left out; code inside a sentence is part of the sentence. */
const CODE = ':is(p, div, li, figure) > code';
/** A button that is all of a heading is read, as the one that opens a part of an accordion (ARIA APG, Accordion). */
const HEADING = 'h1, h2, h3, h4, h5, h6, dt, [role=heading]';
/** What opens a part of a page without a heading, as that of Elementor, MUI and Ant Design; a button only while it is open. */
const OPENS = 'div[aria-expanded], [aria-expanded=true]:not(:last-child, [aria-haspopup])';

const isAllOf = (element: Element, outer: Element | null): boolean =>
  outer !== null && tidy(outer.textContent) === tidy(element.textContent);

export function isSkipped(element: Element): boolean {
  const { localName } = element;
  if (localName === 'code' && element.matches(CODE) && isAllOf(element, element.parentElement)) return true;
  if (
    localName === 'pre' &&
    (element.querySelector('code') || /mono/.test(getComputedStyle(element).fontFamily))
  )
    return true;
  if (localName === 'math' && !isReadable(element)) return true;
  if (NEVER_TAGS.has(localName) || localName.startsWith('sign-')) return true;
  if ((localName === 'sup' || localName === 'a') && isNoteMark(element)) return true;
  const isButton = localName === 'button' || element.getAttribute('role') === 'button';
  if (isButton && !element.matches(OPENS) && !isAllOf(element, element.closest(HEADING))) return true;
  return element.hasAttributes() && element.matches(NEVER_MARKED);
}

/** Cuts off what is higher or wider than itself, as the panel of an accordion does, open or closed. */
export function cutsOff(element: Element, { overflow, display } = getComputedStyle(element)): boolean {
  if (element.matches('body, html')) return false;
  return /hidden|clip/.test(overflow) && !/^(?:inline|contents)$/.test(display);
}

/**
 * For an element that cuts off: true when nothing of it is seen. An absolutely placed child may be outside of it, and is then not
 * part of `scrollHeight`.
 */
export const isClosed = ({ clientHeight, scrollHeight, clientWidth, scrollWidth }: Element): boolean =>
  (clientHeight === 0 && scrollHeight > 0) || (clientWidth === 0 && scrollWidth > 0);

/**
 * True when an element around it is not read, or what is around its part is not shown. Safari before 17.4 has no
 * `checkVisibility()`.
 */
export function isOutOfSight(element: Element, root: Element): boolean {
  let isInPart = true;
  for (let at: Element | null = element; at; at = shownIn(at)) {
    const style = getComputedStyle(at);
    if (style.display === 'none' || at.matches('details:not([open]) > :not(summary)')) return true;
    if (
      at !== element &&
      (style.contentVisibility === 'hidden' || (isInPart && cutsOff(at, style) && isClosed(at)))
    )
      return true;
    if (isInPart && (isSkipped(at) || (isUnseen(at, style) && !standsForText(at)))) return true;
    isInPart &&= at !== root;
    if (isInPart && at.matches(SHUT_OFF)) return true;
  }
  return false;
}

const NO_AREA = /^inset\((?:50%\)|100%)|^matrix\((?:[^,]+, [^,]+, )?0, 0,|^(?:[\d.]+ )?0(?: |$)/;

/**
 * True when nothing of its box is on screen: clipped or scaled to nothing, transparent or outside, as closed menus and texts for
 * screen readers are. A transparent element that keeps its place in the text is not unseen, because it appears when the reader
 * scrolls to it. Each property costs time, and lengths need a layout.
 */
export function isUnseen(element: Element, style: CSSStyleDeclaration): boolean {
  const { position } = style;
  if (!/absolute|fixed/.test(position)) return false;
  const { clipPath, transform, scale, opacity } = style;
  if (opacity === '0' || [clipPath, transform, scale].some((value) => NO_AREA.test(value))) return true;
  const { clip, width, left, top } = style;
  if ([left, top].some((length) => parseFloat(length) <= -999)) return true;
  return (clip !== 'auto' && clip !== '') || width === '1px' || isOffPage(element, position === 'fixed');
}

/**
 * True for a text for screen readers beside one that they leave out, as a price of WooCommerce or a formula of KaTeX: what it
 * says is on screen in another form.
 */
export const standsForText = (element: Element): boolean =>
  [element.previousElementSibling, element.nextElementSibling].some(
    (beside) =>
      beside?.matches('[aria-hidden=true]') &&
      // MathJax draws a formula without text.
      (/[\p{L}\p{N}★☆]/u.test(beside.textContent) || element.querySelector('math')) &&
      beside.getClientRects().length > 0,
  );

export const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();
