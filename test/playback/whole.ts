// Asserts that a player has shown whole clips. It is a file of its own, because a bench loads open-player.ts without an assertion
// library.
import { expect } from '@open-wc/testing';
import { framesIn, type OpenPlayer, until } from './clips/open-player.ts';

/**
 * Asserts that only these texts were painted, in this order, each forwards and up to its last frame, and that all their
 * frames were decoded. A busy browser may leave some of them out on screen.
 */
export async function expectWhole(opened: OpenPlayer, ...texts: string[]): Promise<void> {
  await until(() => opened.atEndOf === texts.at(-1));
  const { painted } = opened;
  const shown = painted.map(({ text }) => text).filter((text, at, all) => text !== all[at - 1]);
  expect(shown).to.deep.equal(texts);
  const backwards = painted.filter(({ text, frame }, at) => {
    const before = painted[at - 1];
    return before?.text === text && frame <= before.frame;
  });
  expect(backwards).to.deep.equal([]);
  expect(opened.decoded).to.be.at.least(texts.reduce((sum, text) => sum + framesIn(text), 0));
}
