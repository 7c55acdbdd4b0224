// What a row must have shown; apart from row.ts, which a bench loads where no assertion library is.
import { expect } from '@open-wc/testing';
import { framesIn, until, type OpenRow } from './clips/row.ts';

/**
 * These texts were painted in this order, none backwards, up to the very last frame, and nothing else was; each of their
 * frames came out of the decoder. Which of them a busy browser leaves out on screen is its own affair.
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
