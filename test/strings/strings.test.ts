// Interface texts: every language whole, every error with a sentence.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ownErrors } from '../../src/protocol/sign-error.ts';
import { serviceErrors } from '../../src/protocol/service-errors.ts';
import { en } from '../../src/strings/en.ts';
import { errorText, stringsFor } from '../../src/strings/strings.ts';

for (const [tag, play] of [
  ['en-GB', 'Play'],
  ['fr', 'Lire'],
  ['FR-ca', 'Lire'],
  ['es-419', 'Reproducir'],
  ['tlh', 'Play'],
  ['', 'Play'],
  ['constructor', 'Play'],
] as const) {
  test(`lang="${tag}" reads "${play}"`, async () => assert.equal((await stringsFor(tag)).play, play));
}

for (const tag of ['fr', 'es']) {
  test(`${tag} has every text that English has, none of them empty`, async () => {
    const strings = await stringsFor(tag);
    assert.deepEqual(Object.keys(strings).sort(), Object.keys(en).sort());
    assert.ok(Object.values(strings).every((text) => text.trim() !== ''));
  });
}

test('every error code, known or not, has a sentence', () => {
  for (const code of [...Object.keys(ownErrors), ...Object.keys(serviceErrors), 'new_code', '__proto__']) {
    assert.ok(Object.values(en).includes(errorText(code, en)), code);
  }
});
