// What a glossary takes for a word of the page.
import assert from 'node:assert/strict';
import test from 'node:test';
import { glossaryOf } from '../../src/page/glossary.ts';

for (const [what, form, text, signed] of [
  [
    'a word, and no part of a longer one',
    'GP',
    'The GP, ☎️GP, not the GPs or a 4GP.',
    'The X, ☎️X, not the GPs or a 4GP.',
  ],
  [
    'no word that has an accent of its own after its letters',
    'cafe',
    'A cafe, a cafe\u0301.',
    'A X, a cafe\u0301.',
  ],
  ['no word that goes on with a vowel sign', 'राम', 'राम रामायण', 'X रामायण'],
] as const) {
  test(`it replaces ${what}`, () => assert.equal(glossaryOf({ [form]: 'X' })!(text), signed));
}
