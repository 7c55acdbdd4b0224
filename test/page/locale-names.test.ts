// A page that states its language as `de_DE`, the name of a locale in Java and PHP, in place of the BCP 47 tag `de-DE`.
import assert from 'node:assert/strict';
import test from 'node:test';
import { sentencesOf } from '../../src/page/sentences.ts';
import { panelStrings } from '../../src/panel/panel-strings.ts';

for (const lang of ['de-DE', 'de_DE']) {
  test(`with lang="${lang}" a text is cut by the rules of German, and the panel speaks German`, () => {
    const element = { closest: () => ({ getAttribute: () => lang }) } as unknown as Element;
    const text = 'Am 3. Mai geht es los. Es kostet ggf. 5 Euro.';
    const sentences = [...sentencesOf({ element, text, runs: [], src: null }, null)];
    assert.deepEqual(
      sentences.map((sentence) => sentence.text),
      ['Am 3. Mai geht es los.', 'Es kostet ggf. 5 Euro.'],
    );
    assert.equal(panelStrings(lang).close, 'Schließen');
  });
}
