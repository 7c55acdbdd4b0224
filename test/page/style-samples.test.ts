// Each declaration of the style sheets in the documents changes how an element of the page looks, or what is inside it.
// - Without the declaration the computed style differs. Both are read in the same task, so that nothing else changes meanwhile. A
//   custom property is no style by itself, so it must change another property.
// - The rules for elements that are not defined yet are tried on a page without the code of the elements.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import { ofLanguage, place, type Sample } from '../docs/samples.ts';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;

const samples = ofLanguage('css');
const isForUndefined = ({ code }: Sample): boolean => code.includes(':not(:defined)');

/** Adds the style sheet; resolves with its declarations that change no style of the page. */
async function withoutEffect(page: Page, { code }: Sample): Promise<string[]> {
  // The compiler of the tests names functions by it.
  await page.evaluate('globalThis.__name = (named) => named');
  return page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    // Many pages have this rule.
    const ofPage = new CSSStyleSheet();
    ofPage.replaceSync('* { box-sizing: border-box }');
    document.adoptedStyleSheets = [ofPage, sheet];
    const elementsIn = (root: Document | ShadowRoot): Element[] =>
      [...root.querySelectorAll('*')].flatMap((element) => [
        element,
        ...(element.shadowRoot ? elementsIn(element.shadowRoot) : []),
      ]);
    const all = elementsIn(document);
    for (const { shadowRoot } of all) {
      // Without this a property with a transition would have its old value at first.
      const still = new CSSStyleSheet();
      still.replaceSync('* { transition: none !important }');
      shadowRoot?.adoptedStyleSheets.push(still);
    }
    const styles = (): string =>
      [
        ...all.map((element) => getComputedStyle(element)),
        getComputedStyle(document.body, '::highlight(sign-sentence)'),
      ]
        .map((style) =>
          [...style]
            .filter((name) => !name.startsWith('--'))
            .map((name) => style.getPropertyValue(name))
            .join(),
        )
        .join('\n');
    const unchanged: string[] = [];
    for (const rule of sheet.cssRules as unknown as CSSStyleRule[]) {
      const { cssText } = rule.style;
      for (const declaration of cssText.split('; ')) {
        const before = styles();
        rule.style.removeProperty(declaration.split(':')[0]!);
        if (styles() === before) unchanged.push(`${rule.selectorText} { ${declaration} }`);
        rule.style.cssText = cssText;
      }
    }
    return unchanged;
  }, code);
}

test('there are samples for defined elements, and one for elements that are not defined yet', () =>
  assert.deepEqual([samples.length > 3, samples.filter(isForUndefined).length], [true, 1]));

for (const sample of samples.filter((one) => !isForUndefined(one))) {
  test(`each declaration of ${place(sample)} has an effect, either while nothing is signed or while a sentence is signed`, async () => {
    const { page, problems } = await site.open(`<script type="module" src="${proxy}/elements.js"></script>
      <main id="news"><p>The library in the old town opens at nine o'clock on every day of the week.</p></main>
      <sign-translate class="night" for="news" controls resolution="480p"><p slot="idle">Nobody signs.</p></sign-translate>`);
    await page.waitForSelector('sign-translate:state(idle)');
    const whileIdle = await withoutEffect(page, sample);
    await page.evaluate(() => {
      document
        .querySelector('sign-translate')!
        .play()
        .catch(() => {});
    });
    await page.waitForSelector('sign-translate:state(signing)');
    await page.waitForFunction(() => CSS.highlights.has('sign-sentence'));
    const whileSigning = await withoutEffect(page, sample);
    const never = whileIdle.filter((declaration) => whileSigning.includes(declaration));
    assert.deepEqual(never, []);
    assert.deepEqual(problems, []);
    await page.close();
  });
}

test('each declaration for elements that are not defined yet has an effect before their code is loaded', async () => {
  const kinds = ['', 'controls', 'controls="play"', 'placement="bottom-right"'];
  const names = ['sign-translate', 'sign-live-player', 'sign-silence-loop', 'sign-announcement'];
  const { page } = await site.open(
    names.flatMap((name) => kinds.map((kind) => `<${name} ${kind}></${name}>`)).join('\n'),
  );
  assert.deepEqual(await withoutEffect(page, samples.find(isForUndefined)!), []);
  await page.close();
});
