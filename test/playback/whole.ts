// Asserts what a row has shown. It is not in row.ts, because a bench loads row.ts without an assertion library.
import { expect } from '@open-wc/testing';
import { framesIn, until, type OpenRow } from './clips/row.ts';

/**
 * Asserts that only these texts were painted, in this order, each forwards and up to its last frame, and that all their
 * frames were decoded. A busy browser may leave some of them out on screen.
 */
export async function expectWhole(row: OpenRow, ...texts: string[]): Promise<void> {
  await until(() => row.atEndOf === texts.at(-1));
  const { painted } = row;
  const shown = painted.map(({ text }) => text).filter((text, at, all) => text !== all[at - 1]);
  expect(shown).to.deep.equal(texts);
  const backwards = painted.filter(({ text, frame }, at) => {
    const before = painted[at - 1];
    return before?.text === text && frame <= before.frame;
  });
  expect(backwards).to.deep.equal([]);
  expect(row.decoded).to.be.at.least(texts.reduce((sum, text) => sum + framesIn(text), 0));
}
