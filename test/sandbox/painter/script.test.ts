// Which words a clip signs, and in which frames.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { glossOf } from '../../../demo/sandbox/painter/script.ts';
import { eachCase } from '../each-case.ts';

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

test('the words of a text are found at their positions', () =>
  eachCase(texts, ([, text, words]) => {
    const gloss = glossOf(text);
    assert.deepEqual(
      gloss.words.map(({ word }) => word),
      words,
    );
    for (const { word, at } of gloss.words) assert.equal(text.slice(at, at + word.length), word);
  }));

test('a word takes 11 frames, a long word more, and no word more than 25', () => {
  const lengths = glossOf('I extraordinarily ' + 'o'.repeat(200)).words.map(({ from, to }) => to - from);
  assert.deepEqual(lengths, [11, 20, 25]);
});

test('another number of frames for a word changes the pace', () => {
  const { words } = glossOf('I extraordinarily', null, 4);
  assert.deepEqual(words.map(({ from, to }) => to - from), [4, 13]); // oxfmt-ignore
});

test('the longest texts are signed faster, with every word in order, so that they do not exceed 4 minutes', () => {
  const { words, frames } = glossOf('a '.repeat(2500));
  assert.equal(words.length, 2500);
  assert.equal(frames, 240 * 25);
  assert.ok(words.every(({ from, to }) => to > from));
});

test('a requested length is met to the frame, for any text', () => {
  for (const text of ['', 'One', 'The train to Leeds is late', 'a '.repeat(300)]) {
    for (const seconds of [1, 2.02, 7.5, 60]) {
      const { words, frames } = glossOf(text, seconds);
      assert.equal(frames, Math.round(seconds * 25), `${text.slice(0, 20)}, ${seconds} s`);
      assert.ok(words.every(({ from, to }) => from <= to));
      if (words.length > 0) assert.deepEqual([words[0]!.from, words.at(-1)!.to], [5, frames - 10]);
    }
  }
});
