// The sentences of an element of a page, as texts.
import { readBlocks } from '../../src/page/blocks.ts';
import { sentencesOf } from '../../src/page/sentences.ts';

export const textsOf = (root: Element): string[] =>
  [...readBlocks(root)]
    .flatMap((block) => (block ? [...sentencesOf(block, null)] : []))
    .map(({ text }) => text);
