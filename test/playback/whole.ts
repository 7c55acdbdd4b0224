// What a row must have painted; apart from row.ts, which a bench loads where no assertion library is.
import { expect } from '@open-wc/testing';
import type { OpenRow } from './clips/row.ts';

/** These texts were painted in this order, each from its first frame to its last, and nothing else was. */
export function expectWhole(row: OpenRow, ...texts: string[]): void {
  const { painted } = row;
  const told = painted.map(({ text, frame, at }) => `${text} ${frame} at ${Math.round(at)}`).join(', ');
  const shown = painted.map(({ text }) => text).filter((text, at, all) => text !== all[at - 1]);
  expect(shown).to.deep.equal(texts);
  const backwards = painted.filter(({ text, frame }, at) => {
    const before = painted[at - 1];
    return before?.text === text && frame <= before.frame;
  });
  expect(backwards).to.deep.equal([]);
  expect(row.lost(...texts), told).to.deep.equal([]);
}
