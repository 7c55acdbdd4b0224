// Which signer signs which language.
import assert from 'node:assert/strict';
import test from 'node:test';
import { resolveSigner, type Language } from '../../src/protocol/signers.ts';

const pairs: [signer: string | undefined, language: Language | undefined, resolved: [string, Language]][] = [
  [undefined, undefined, ['RAE', 'BSL']],
  [undefined, 'BSL', ['RAE', 'BSL']],
  [undefined, 'ASL', ['MAX', 'ASL']],
  ['RAE', undefined, ['RAE', 'BSL']],
  ['jay', undefined, ['jay', 'ASL']],
  ['Max', 'ASL', ['Max', 'ASL']],
  [' rae ', 'BSL', ['rae', 'BSL']],
  ['', 'ASL', ['MAX', 'ASL']],
  ['   ', undefined, ['RAE', 'BSL']],
  ['OUR-OWN', undefined, ['OUR-OWN', 'BSL']],
  ['OUR-OWN', 'ASL', ['OUR-OWN', 'ASL']],
  ['constructor', undefined, ['constructor', 'BSL']],
];

for (const [signer, language, [resolvedSigner, resolvedLanguage]] of pairs) {
  test(`signer ${signer} and language ${language} are ${resolvedSigner} in ${resolvedLanguage}`, () => {
    assert.deepEqual(resolveSigner(signer, language), { signer: resolvedSigner, language: resolvedLanguage });
  });
}

for (const [signer, language] of [
  ['RAE', 'ASL'],
  ['jay', 'BSL'],
  [' max', 'BSL'],
] as const) {
  test(`${signer} does not sign ${language}, which is invalid_signer`, () => {
    assert.throws(() => resolveSigner(signer, language), { name: 'SignError', code: 'invalid_signer' });
  });
}
