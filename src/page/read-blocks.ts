// The blocks of a page with their sentences: where an element is among them, and what differs between two readings.
import { anchorOf, type Block } from './blocks.ts';
import { indexOfPart } from './parts.ts';
import type { Sentence } from './sentences.ts';

export interface ReadBlock {
  readonly block: Block;
  readonly sentences: readonly Sentence[];
}

export const contains = (element: Element, { block }: ReadBlock): boolean =>
  element.contains(anchorOf(block, [element]));

/** Index of the first block in or after this element of a part; the blocks are in the order of the parts. */
export function placeAmong(blocks: readonly ReadBlock[], unit: Node, parts: readonly Element[]): number {
  const part = indexOfPart(parts, unit);
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const anchor = anchorOf(blocks[middle]!.block, parts);
    const other = indexOfPart(parts, anchor);
    // Chromium searches back from its argument, which takes a short time for what a page adds at its end.
    const relation = anchor.compareDocumentPosition(unit);
    const isBefore = other < part || (other === part && (relation & Node.DOCUMENT_POSITION_FOLLOWING) > 0);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first sentence from this one on that ends after a place in its tree; their number when there is none. */
export function indexFrom(sentences: readonly Sentence[], first: number, place: Range): number {
  const tree = place.startContainer.getRootNode();
  let index = first;
  for (; index < sentences.length; index++) {
    const range = sentences[index]!.range();
    if (range.startContainer.getRootNode() !== tree) continue;
    if (range.compareBoundaryPoints(Range.START_TO_END, place) > 0) break;
  }
  return index;
}

/** The most arguments of one call: V8 has room for some 120,000, and one block may have more sentences. */
const MOST = 10_000;

/** Puts these members in the place of `count` others; gives those that were there. */
export function replaceIn<Member>(
  list: Member[],
  at: number,
  count: number,
  added: readonly Member[],
): Member[] {
  const removed = list.splice(at, count);
  for (let from = 0; from < added.length; from += MOST)
    list.splice(at + from, 0, ...added.slice(from, from + MOST));
  return removed;
}

interface Change<Member> {
  /** Index in the list to which all changes before this one have been made. */
  readonly at: number;
  /** Number of members that are removed there. */
  readonly count: number;
  readonly added: readonly Member[];
}

/** The differences of two lists that have most members in common, in the same order. */
export function* changesBetween<Member>(
  old: readonly Member[],
  next: readonly Member[],
): Generator<Change<Member>, void> {
  const kept = new Set(next);
  for (let from = 0, at = 0; from < old.length || at < next.length;) {
    if (old[from] === next[at]) {
      from += 1;
      at += 1;
      continue;
    }
    let count = 0;
    for (; from < old.length && !kept.has(old[from]!); from += 1) count += 1;
    const first = at;
    while (at < next.length && next[at] !== old[from]) at += 1;
    yield { at: first, count, added: next.slice(first, at) };
  }
}
