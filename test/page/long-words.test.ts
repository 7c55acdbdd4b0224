// A page may hold a word or a line of any length, such as a key in base64, or the comment of somebody who wants to stop the page.
// It is cut into sentences in a time that grows with its length. The square of these lengths would take hours.
import assert from 'node:assert/strict';
import test from 'node:test';
import { sentencesOf } from '../../src/page/sentences.ts';

const element = { closest: () => ({ getAttribute: () => 'en' }) } as unknown as Element;

/** The sentences of a text, each run of the same characters with an ellipsis in place of its repetitions. */
const sentencesIn = (text: string): string[] =>
  [...sentencesOf({ element, text, runs: [], src: null }, null)].map((sentence) =>
    sentence.text.replace(/(.{1,4}?)\1{1000,}/gu, '$1…'),
  );

const many = (characters: string): string => characters.repeat(2_000_000 / characters.length);

const long: [what: string, text: string, sentences: readonly string[]][] = [
  ['a word before the last word of a sentence', `${many('A')} b. The end.`, ['A… b.', 'The end.']],
  ['a row of quotes', `He said. ${many('”')} so. The end.`, ['He said. ”… so.', 'The end.']],
  ['numbers on a line with a word', `One\u2028${many('1 ')}two. The end.`, ['One', '1 …two.', 'The end.']],
  ['a sentence that goes on after each mark', `${many('oh! ')}no. The end.`, ['oh! …no.', 'The end.']],
  ['white space in a row of a table', `One\vtwo ${many(' ')}three. Four.`, ['One, two three.', 'Four.']],
];

for (const [what, text, sentences] of long) {
  test(`${what}, of two million characters, is cut like a short one`, () =>
    assert.deepEqual(sentencesIn(text), sentences));
}
