// Blocks of a page with their sentences, and where an element is among them.
import { anchorOf, type Block } from './blocks.ts';
import type { Sentence } from './sentences.ts';

export interface ReadBlock {
  readonly block: Block;
  readonly sentences: readonly Sentence[];
}

export const contains = (element: Element, { block }: ReadBlock): boolean =>
  element.contains(anchorOf(block));

/** Index of the first block in or after this element of a part; the blocks are in the order of the parts. */
export function placeAmong(blocks: readonly ReadBlock[], unit: Node, parts: readonly Element[]): number {
  const partOf = (node: Node): number => parts.findIndex((one) => one.contains(node));
  const part = partOf(unit);
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const anchor = anchorOf(blocks[middle]!.block);
    const other = partOf(anchor);
    const relation = unit.compareDocumentPosition(anchor);
    const isBefore = other < part || (other === part && Boolean(relation & Node.DOCUMENT_POSITION_PRECEDING));
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}
