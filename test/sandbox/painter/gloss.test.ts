// Which words a clip signs, and in which frames.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { glossOf } from '../../../demo/sandbox/painter/gloss.ts';

const texts: readonly (readonly [why: string, text: string, words: readonly string[]])[] = [
  ['a sentence', 'Hello, world!', ['Hello', 'world']],
  ['an apostrophe', "Don't go", ["Don't", 'go']],
  ['lines and spaces', ' one\n\ttwo  three ', ['one', 'two', 'three']],
  ['numbers', 'Platform 9.5 at 10:15', ['Platform', '9.5', 'at', '10', '15']],
  ['diacritics', 'Crème brûlée', ['Crème', 'brûlée']],
  ['nothing that is a word', '👍 !!', ['👍', '!!']],
  ['nothing at all', '', []],
  ['white space', ' \n ', []],
];

for (const [why, text, words] of texts) {
  test(`the words of ${why}`, () => {
    const gloss = glossOf(text);
    assert.deepEqual(
      gloss.words.map(({ word }) => word),
      words,
    );
    for (const { word, at } of gloss.words) assert.equal(text.slice(at, at + word.length), word);
  });
}

test('words follow each other without a gap, between a moment of rest at either end', () => {
  const { words, frames } = glossOf('The train to Leeds is extraordinarily late');
  assert.ok(words[0]!.from > 0);
  words.slice(1).forEach((word, i) => assert.equal(word.from, words[i]!.to));
  assert.ok(frames > words.at(-1)!.to);
});

test('a word takes 11 frames, a long one more, none more than 25', () => {
  const lengths = glossOf('I extraordinarily ' + 'o'.repeat(200)).words.map(({ from, to }) => to - from);
  assert.deepEqual(lengths, [11, 20, 25]);
});

test('a text of nothing is a short moment at rest', () => {
  assert.equal(glossOf('').frames, 15);
});

test('the longest texts are signed faster rather than past 4 minutes, every word in its turn', () => {
  const { words, frames } = glossOf('a '.repeat(2500));
  assert.equal(words.length, 2500);
  assert.equal(frames, 240 * 25);
  assert.ok(words.every(({ from, to }) => to > from));
});
