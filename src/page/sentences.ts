// Cuts a block of a page into sentences, each with its place in the page.
// - By `Intl.Segmenter` in the language of the block; where it is missing (Firefox before 125) at full stops and their like.
// - An abbreviation or an initial ends no sentence (abbreviations.ts). A line break ends one, unless the line ends in a comma, the
//   next one begins with a small letter, or one of the two is a number alone.
import { segments } from '../internal/segments.ts';
import { isAbbreviated, lastWord } from './abbreviations.ts';
import type { Block, Run } from './blocks.ts';
import { isNumber } from './inline-text.ts';
import { nearestLang } from './nearest-lang.ts';

export interface Sentence {
  /** What is signed: after the glossary, without extra white space. */
  readonly text: string;
  /** The block that it is in. */
  readonly element: Element;
  /** A human-signed video of it. */
  readonly src: string | null;
  /** Where it is written now. */
  range(): Range;
}

/** Written form to signed form. */
export type Glossary = (text: string) => string;

/** What may end a sentence (Unicode Standard Annex 29, 5.1); a semicolon does in Greek. */
const TERMINATOR = /[\p{STerm}…;\u037E\u2024\u0085\u2028]/u;
const ONLY_TERMINATORS = /^(?:…|\p{STerm}+)["'”’»)\]]*\s*$/u;

/** A mark that ends no sentence when a small letter follows, as in `Yahoo! is`. But a name like `iPhone` may begin a sentence. */
const MARK = /[!?]$/;
const SMALL = /^\s*\p{Ll}(?!\p{Lu})/u;

/** An opening quote of one language closes in another: „Ja?“, »Ja?«. */
const CLOSED = /["'”’»“‘«)\]」』]$/;
/** Standard Annex 29 takes an opening quote for a closing one, and knows no space before a closing one (« Oui ! »). */
const OPENING = /[\p{Ps}\p{Pi}]/u;
const CLOSING = /^[»”’\p{Pe}]+(?=\s|$)/u;
/** Hyphens that are not shown, marks of direction, and the characters that draw the icons of a font. */
const UNSEEN = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uE000-\uF8FF]/g;

/** True for a text that any segmenter leaves whole; this function takes a tenth of a segmenter's time. */
function isOneSentence(text: string): boolean {
  const at = text.search(TERMINATOR);
  return at < 0 || ONLY_TERMINATORS.test(text.slice(at));
}

/** Ends a sentence at a word that ends in a full stop or its like, with the quotes and brackets closing there. */
function wordsToSentences(text: string): string[] {
  return text.match(/[\s\S]+?(?:[.!?…。！？]["'”’)\]]*(?:\s+|$)|\u2028|$)/g) ?? [];
}

/** The tree that holds most of the text of these runs: a range cannot span two trees. */
function treeOf(runs: readonly Run[]): Node {
  const lengths = new Map<Node, number>();
  for (const { node, length } of runs) {
    const tree = node.getRootNode();
    lengths.set(tree, (lengths.get(tree) ?? 0) + length);
  }
  return [...lengths].reduce((longest, other) => (other[1] > longest[1] ? other : longest))[0];
}

/** The runs with a character from `start` to before `end`: of a book in one block, there are too many to look at each. */
function runsIn(runs: readonly Run[], start: number, end: number): Run[] {
  const firstThat = (isThere: (run: Run) => boolean): number => {
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isThere(runs[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return runs.slice(
    firstThat(({ at, length }) => at + length > start),
    firstThat(({ at }) => at >= end),
  );
}

/** The range of a block's characters from `start` to before `end`. */
function rangeOf({ element, runs }: Block, start: number, end: number): Range {
  const range = element.ownerDocument.createRange();
  let within = runsIn(runs, start, end);
  if (within.length > 1) {
    const tree = treeOf(within);
    within = within.filter(({ node }) => node.getRootNode() === tree);
  }
  const [first] = within;
  if (!first) {
    range.selectNodeContents(element);
    return range;
  }
  const last = within.at(-1)!;
  // The page may have changed since it was read.
  const place = ({ node, at }: Run, position: number): number =>
    Math.min(Math.max(0, position - at), (node as Text).length);
  if (first.node.nodeType !== Node.TEXT_NODE) range.selectNodeContents(first.node);
  else range.setStart(first.node, place(first, start));
  if (last.node.nodeType === Node.TEXT_NODE) range.setEnd(last.node, place(last, end));
  else range.setEnd(last.node, last.node.childNodes.length);
  return range;
}

/** True when the end of a line does not end a sentence. */
function goesOnBelow(text: string, next: string): boolean {
  if (text.endsWith(',')) return /^ *\S/.test(next);
  // A day above its month; a sum below its name.
  if (isNumber(text, 7) || (/\p{L}$/u.test(text) && isNumber(next))) return true;
  return /^ *\p{Ll}/u.test(next) && /[\p{L}\p{N}]$/u.test(text);
}

/** True when a sentence does not end between these two. */
function goesOn(text: string, next: string, lang: string): boolean {
  const last = lastWord(text);
  // “Why?” he asked.
  if ((CLOSED.test(last) || MARK.test(last)) && SMALL.test(next)) return true;
  // .NET
  if (last === '.' && /^[A-Z]{2}/.test(next)) return true;
  // Sa./So.
  if (/^\/\S/.test(next)) return true;
  if (CLOSED.test(last) && /^(?:と|って)/u.test(next)) return true;
  return isAbbreviated(text, next, lang);
}

/**
 * More characters than decide whether a sentence is over. To search a long sentence as a whole, again after each mark in it, would
 * take a time that grows with the square of its length.
 */
const DECIDING = 200;

/** True when a sentence ends between these two. */
function isEnd(text: string, next: string, lang: string): boolean {
  const rest = text.trimEnd();
  const isLine = text.includes('\u2028', rest.length);
  const end = rest.slice(-DECIDING);
  return !(isLine ? goesOnBelow(end, next) : goesOn(end, next, lang));
}

class BlockSentence implements Sentence {
  readonly text: string;
  readonly #block: Block;
  readonly #from: number;
  readonly #to: number;

  constructor(text: string, block: Block, from: number, to: number) {
    this.text = text;
    this.#block = block;
    this.#from = from;
    this.#to = to;
  }

  get element(): Element {
    return this.#block.element;
  }

  get src(): string | null {
    return this.#block.src;
  }

  range(): Range {
    return rangeOf(this.#block, this.#from, this.#to);
  }
}

/** How many characters after the end of a segment its sentence ends (quotes, brackets); below 0 when it ends before that. */
function quotesAt(text: string, end: number, next: string): number {
  let length = 0;
  while (OPENING.test(text.charAt(end + length - 1))) length -= 1;
  return length || (CLOSING.exec(next)?.[0].length ?? 0);
}

/** The lines of a cell with a comma between them. */
const joined = (row: string): string =>
  row.includes('\v')
    ? row.replace(/([^ \v]) *\v[ \v]*/gu, (_, last: string) => last + (/[.,:;!?]/.test(last) ? ' ' : ', '))
    : row;

/** A part of a block as a sentence; null when nothing of it can be signed, as punctuation alone. */
function sentenceIn(block: Block, from: number, end: number, glossary: Glossary | null): Sentence | null {
  const rest = block.text.slice(from, end).trimEnd();
  const to = from + rest.length;
  const written = rest.trimStart();
  const plain = joined(written.replace(UNSEEN, ''))
    .replace(/[ \u2028]{2,}|\u2028/g, ' ')
    .trim();
  const signed = glossary?.(plain).trim() ?? plain;
  const isOne = block.src !== null || /[\p{L}\p{N}]/u.test(signed);
  return isOne ? new BlockSentence(signed, block, to - written.length, to) : null;
}

/** The sentences of a block, in order. For one sentence no generator is made: most blocks of a long page have no more. */
export function sentencesOf(block: Block, glossary: Glossary | null): Sentence[] | Iterable<Sentence> {
  const { text, src } = block;
  if (src === null && !isOneSentence(text)) return cut(block, glossary);
  const sentence = sentenceIn(block, 0, text.length, glossary);
  return sentence ? [sentence] : [];
}

function* cut(block: Block, glossary: Glossary | null): Generator<Sentence, void> {
  const { text, element } = block;
  // Many sites state `de_DE`, the name of a locale in Java and PHP.
  const lang = nearestLang(element).replaceAll('_', '-');
  let start = text.search(/\S/);
  let end = 0;
  // Only the next segment shows whether a segment ends a sentence.
  for (const segment of segments(text, 'sentence', lang) ?? wordsToSentences(text)) {
    const edge = end + (end > 0 ? quotesAt(text, end, segment) : 0);
    if (end > 0 && isEnd(text.slice(start, edge), text.slice(edge, end + segment.length), lang)) {
      const sentence = sentenceIn(block, start, edge, glossary);
      if (sentence) yield sentence;
      start = edge;
    }
    end += segment.length;
  }
  const last = sentenceIn(block, start, end, glossary);
  if (last) yield last;
}
