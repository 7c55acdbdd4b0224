// The prepared letters: which there are, and which replace the others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitted, glyphOf, lettersOf, textWidth } from '../../../demo/sandbox/painter/text.ts';

const unknown = glyphOf('\u4f60', 40);

/** How much ink a letter has. */
const ink = (letter: string): number =>
  (glyphOf(letter, 40)?.mask ?? new Uint8Array()).reduce((sum, value) => sum + value, 0);

test('Latin letters, diacritics and punctuation each have a picture of their own', () => {
  for (const letter of 'AZaz09éßøŵŷÿłșÆœ.,:;!?¿¡-–—()[]/&%€£“”‘’…') {
    assert.ok(ink(letter) > 0, letter);
    assert.notEqual(glyphOf(letter, 40), unknown, letter);
  }
});

test('a letter without a prepared picture is shown as a box', () => {
  for (const letter of ['你', 'Ж', 'ب', '😀']) assert.equal(glyphOf(letter, 40), unknown);
  assert.ok(ink('你') > ink('?'));
});

test('a letter and its diacritic are one glyph, and marks and controls on their own are none', () => {
  assert.deepEqual(lettersOf('e\u0301'), ['é']);
  assert.deepEqual(lettersOf('a\u200db\u0000c\ufe0f\u0301'), ['a', 'b', 'c']);
  assert.deepEqual(lettersOf('a\n b'), ['a', '\n', ' ', 'b']);
});

test('a text that is too wide is cut, and the result says that it is', () => {
  assert.equal(fitted('short', 20, 500), 'short');
  const cut = fitted('a very long word indeed', 20, 100);
  assert.match(cut, /^a very.*…$/);
  assert.ok(textWidth(cut, 20) <= 100);
});
