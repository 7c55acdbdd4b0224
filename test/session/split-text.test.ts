// A text is split into messages: where it is split, that nothing is lost, and that no part has too many bytes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { splitText, wellFormed } from '../../src/session/split-text.ts';

const bytes = (text: string) => Buffer.byteLength(text);

const cases: [behaviour: string, text: string, maxBytes: number, parts: string[]][] = [
  ['a text that fits stays as it is', '  One. Two. ', 12, ['  One. Two. ']],
  ['the limit is in bytes, not in characters', 'éé éé', 5, ['éé', 'éé']],
  ['a letter of Arabic has two bytes', 'ششش', 6, ['ششش']],
  ['a letter of Hindi has three bytes', 'ककक', 6, ['कक', 'क']],
  ['as many whole sentences as fit go together', 'One. Two. Three.', 9, ['One. Two.', 'Three.']],
  ['white space at a cut does not count', 'One. Two.     Six. Ten.', 9, ['One. Two.', 'Six. Ten.']],
  ['a sentence too long is cut between words', 'one two three. Four.', 8, ['one two', 'three.', 'Four.']],
  ['a word too long is cut between graphemes', 'abcdefgh ij', 3, ['abc', 'def', 'gh', 'ij']],
  ['a flag or a family is not cut when it fits', '👨‍👩‍👧👨‍👩‍👧', 20, ['👨‍👩‍👧', '👨‍👩‍👧']],
  ['a grapheme too long is cut between code points', '👨‍👩‍👧', 7, ['👨‍', '👩‍', '👧']],
  ['a combining mark stays with its letter', 'e\u0301e\u0301', 3, ['e\u0301', 'e\u0301']],
  ['white space longer than the limit is no part', `a${' '.repeat(50)}b`, 4, ['a', 'b']],
  ['white space at both ends is not kept when it does not fit', '   ab   ', 4, ['ab']],
];

for (const [behaviour, text, maxBytes, parts] of cases) {
  test(behaviour, () => assert.deepEqual(splitText(text, maxBytes), parts));
}

const endless: [what: string, text: string][] = [
  ['one word', 'x'.repeat(150_000)],
  ['one letter with its marks', `a${'\u0301'.repeat(100_000)}`],
  ['one sentence', 'wörd 👨‍👩‍👧 '.repeat(10_000)],
  ['100,000 words in sentences', 'One sentence of five words. '.repeat(20_000)],
];

for (const [what, text] of endless) {
  test(`a text of ${what} is split in memory that does not grow with the square of its length, and nothing is lost`, () => {
    const parts = splitText(text, 5000) ?? [];
    assert.equal(parts.join('').replaceAll(' ', ''), text.replaceAll(' ', ''));
    assert.deepEqual(
      parts.filter((part) => bytes(part) > 5000),
      [],
    );
  });
}

test('a sentence or letter that lies across two windows of the segmenter is not split at their border', () => {
  const sentence = `Many ${'words '.repeat(110)}end.`;
  const family = '👨‍👩‍👧';
  assert.deepEqual(splitText(`${sentence} ${sentence}`, 700), [sentence, sentence]);
  const word = family.repeat(100);
  const parts = splitText(word, 500) ?? [];
  assert.equal(parts.join(''), word);
  for (const part of parts) assert.equal(part.replaceAll(family, ''), '');
});

test('with a limit too small for one code point a text has no parts', () => {
  assert.equal(splitText('ab😀', 3), null);
  assert.equal(splitText('é', 1), null);
});

test('lone surrogates become U+FFFD, pairs stay', () => {
  assert.equal(wellFormed('\ud83d \ude00 😀'), '\ufffd \ufffd 😀');
});

/** Numbers that are the same in every run (a linear congruential generator). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const alphabet = [
  'a',
  'B',
  'é',
  'ß',
  'ش',
  'क',
  '中',
  '😀',
  '👩‍🚀',
  '🇬🇧',
  'e\u0301',
  '.',
  '! ',
  '? ',
  ' ',
  '  ',
  '\n',
  '\t',
  '…',
  '”',
  '\ud800',
];

/** Every part is there in order, with nothing but white space between and around them. */
function assertNothingLost(text: string, parts: readonly string[]): void {
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    assert.ok(found >= 0, `${JSON.stringify(part)} is not in the text`);
    assert.equal(text.slice(at, found).trim(), '');
    at = found + part.length;
  }
  assert.equal(text.slice(at).trim(), '');
}

function assertSplitsWell(seeds: number): void {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const below = numbers(seed);
    const text = wellFormed(
      Array.from({ length: 1 + below(120) }, () => alphabet[below(alphabet.length)]).join(''),
    );
    if (!text.trim()) continue;
    const maxBytes = 4 + below(60);
    const parts = splitText(text, maxBytes);
    assert.ok(parts, 'four bytes hold any code point');
    for (const part of parts) {
      assert.ok(bytes(part) <= maxBytes, `${bytes(part)} bytes are above ${maxBytes}`);
      assert.ok(part.trim(), 'no part is blank');
      assert.equal(wellFormed(part), part, 'no pair is cut in two');
    }
    assertNothingLost(text, parts);
  }
}

test('of any text nothing is lost, and no part is above the limit', () => assertSplitsWell(2_000));

test('without Intl.Segmenter nothing is lost either, no part is above the limit, and sentences are still kept whole', () => {
  const { Segmenter } = Intl;
  Reflect.deleteProperty(Intl, 'Segmenter');
  try {
    assertSplitsWell(500);
    assert.deepEqual(splitText('It cost 3.5. “Really so?” Yes.', 22), ['It cost 3.5.', '“Really so?” Yes.']);
    assert.deepEqual(splitText('e\u0301e\u0301', 3), ['e\u0301', 'e\u0301']);
  } finally {
    Reflect.set(Intl, 'Segmenter', Segmenter);
  }
});
