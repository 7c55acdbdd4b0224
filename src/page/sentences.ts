// Cuts a block of a page into sentences, each with its place in the page.
// - By `Intl.Segmenter` in the language of the block; where it is missing (Firefox before 125) at full stops and their like.
// - An abbreviation or an initial ends no sentence.
// - A glossary replaces whole words as written, the longest first.
import { segments } from '../internal/segments.ts';
import { warnOnce } from '../internal/page-settings.ts';
import type { Block } from './blocks.ts';
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

/** A last word, with its full stop, that does not end a sentence. */
const ABBREVIATION =
  /(?:^|\()(?:Mr|Mrs|Ms|Dr|Prof|Rev|St|Sgt|Lt|Col|Gen|Capt|Gov|Hon|Mt|Sr|Jr|vs|cf|approx|Nr|Art|Fig|vol|e\.g|i\.e|z\.B|d\.h|p\.ej|Mme|Mlle|Sra?|[\p{Lu}\p{Lo}])\.$/u;

/** A small letter beside another letter is an abbreviation ("z. B.", "u. a."); otherwise it is a word of its own ("option a."). */
const SMALL_LETTER = /(?:^|\()\p{Ll}\.$/u;
const LETTER_BEFORE = /(?:^|[ (])\p{L}\. \p{Ll}\.$/u;
const LETTER_AFTER = /^\p{L}\./u;

/** A last word that does not end a sentence when a number follows: p. 12, No. 5. */
const BEFORE_NUMBER = /(?:^|\()(?:pp?|Nos?|no|ch|Abs|S|Nr|ver)\.$/;

/** The number of a heading, of a paragraph of a law or of an item of a list: it belongs to what follows. */
const NUMBER = /^ *\(?(?:[\d.]+|\p{Ll})[.)]$/u;

/** What may end a sentence (Unicode Standard Annex 29, 5.1); a semicolon does in Greek. */
const TERMINATOR = /[\p{Sentence_Terminal}.…;\u037E\u2024\uFE52\uFF0E\u0085]/u;
const ONLY_TERMINATORS = /^(?:…|[\p{Sentence_Terminal}.]+)["'”’»)\]]*\s*$/u;

/** True for a text that any segmenter leaves whole, which this finds ten times as fast. */
function isOneSentence(text: string): boolean {
  const at = text.search(TERMINATOR);
  return at < 0 || ONLY_TERMINATORS.test(text.slice(at));
}

/** Ends a sentence at a word that ends in a full stop or its like, with the quotes and brackets closing there. */
function wordsToSentences(text: string): string[] {
  return text.match(/[\s\S]+?(?:[.!?…。！？]["'”’)\]]*(?:\s+|$)|$)/g) ?? [];
}

/** A function that replaces the written forms of these pairs; null when there is none. */
export function glossaryOf(pairs: unknown): Glossary | null {
  if (typeof pairs !== 'object' || pairs === null) return null;
  const forms = new Map(
    Object.entries(pairs).filter(
      (pair): pair is [string, string] => pair[0] !== '' && typeof pair[1] === 'string',
    ),
  );
  if (forms.size === 0) return null;
  const written = [...forms.keys()]
    .sort((a, b) => b.length - a.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${written.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return (text) => text.replace(pattern, (form) => forms.get(form) ?? form);
}

/**
 * A glossary, or the one at an address as JSON; null when there is none. When it does not load, that is reported once, and the page
 * is read as it is written.
 */
export async function loadGlossary(
  glossary: string | Readonly<Record<string, string>> | null | undefined,
): Promise<Glossary | null> {
  if (typeof glossary !== 'string') return glossaryOf(glossary);
  if (!glossary) return null;
  try {
    const response = await fetch(new URL(glossary, document.baseURI));
    if (!response.ok) throw new Error(`status ${response.status}`);
    return glossaryOf(await response.json());
  } catch (error) {
    warnOnce(`glossary ${glossary}`, `the glossary ${glossary} did not load: ${String(error)}`);
    return null;
  }
}

/** The range of a block's characters from `start` to before `end`. */
function rangeOf({ element, runs }: Block, start: number, end: number): Range {
  const range = element.ownerDocument.createRange();
  const within = runs.filter(({ at, length }) => at < end && at + length > start);
  const [first] = within;
  if (!first) {
    range.selectNodeContents(element);
    return range;
  }
  // A range cannot go from one tree into another.
  const tree = first.node.getRootNode();
  const last = within.filter(({ node }) => node.getRootNode() === tree).at(-1) ?? first;
  // The page may have changed since it was read.
  const place = ({ node, at }: Block['runs'][number], position: number): number =>
    Math.min(Math.max(0, position - at), (node as Text).length);
  if (first.node.nodeType !== Node.TEXT_NODE) range.selectNodeContents(first.node);
  else range.setStart(first.node, place(first, start));
  if (last.node.nodeType === Node.TEXT_NODE) range.setEnd(last.node, place(last, end));
  else range.setEnd(last.node, last.node.childNodes.length);
  return range;
}

/** True when the full stop at the end of `text` does not end a sentence. */
function goesOn(text: string, next: string): boolean {
  const word = text.slice(text.lastIndexOf(' ') + 1);
  if (ABBREVIATION.test(word) || NUMBER.test(text)) return true;
  if (BEFORE_NUMBER.test(word) && /^\s*\d/.test(next)) return true;
  return SMALL_LETTER.test(word) && (LETTER_AFTER.test(next) || LETTER_BEFORE.test(text));
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

function cut({ element, text, src }: Block): Iterable<string> {
  if (src !== null || isOneSentence(text)) return [text];
  return segments(text, 'sentence', nearestLang(element)) ?? wordsToSentences(text);
}

/** The sentences of a block, in order. Punctuation alone is not a sentence. */
export function* sentencesOf(block: Block, glossary: Glossary | null): Generator<Sentence, void> {
  const { text, src } = block;
  let start = 0;
  let end = 0;
  const sentenceTo = (next: string | undefined): Sentence | null => {
    // The only white space in a block is spaces.
    const rest = text.slice(start, end).trimEnd();
    if (next !== undefined && goesOn(rest, next)) return null;
    const to = start + rest.length;
    const written = rest.trimStart();
    start = end;
    const plain = written.replace(/ {2,}/g, ' ');
    const signed = glossary?.(plain).trim() ?? plain;
    const isOne = src !== null || /[\p{L}\p{N}]/u.test(signed);
    return isOne ? new BlockSentence(signed, block, to - written.length, to) : null;
  };
  // Whether a segment ends a sentence is known with the next one.
  for (const segment of cut(block)) {
    const sentence = end > 0 ? sentenceTo(segment) : null;
    if (sentence) yield sentence;
    end += segment.length;
  }
  const last = sentenceTo(undefined);
  if (last) yield last;
}
