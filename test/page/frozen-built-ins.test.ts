// The cdn build on a page that freezes the built-in objects of JavaScript (docs/frameworks.md).
// - Lit adds `Symbol.metadata` when it is loaded, so the page loads the elements before, or adds it itself.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;

/** Freezes the built-in objects of the page, and the objects in them. */
function freezeBuiltIns(): void {
  const seen = new Set<unknown>();
  const left: unknown[] = [
    Object,
    Function,
    Array,
    Map,
    Set,
    WeakMap,
    Promise,
    RegExp,
    String,
    Symbol,
    Error,
    Date,
  ];
  for (const value of left) {
    if (Object(value) !== value || seen.has(value)) continue;
    seen.add(value);
    left.push(Object.getPrototypeOf(value));
    for (const { get, set, ...held } of Object.values(Object.getOwnPropertyDescriptors(value)))
      left.push(get, set, held.value);
    Object.freeze(value);
  }
}

for (const first of ['loaded the elements', 'added Symbol.metadata']) {
  test(`a text is signed on a page that freezes its built-in objects after it has ${first}`, async () => {
    const { page, problems } = await site.open('<sign-translate></sign-translate>');
    const load = (): Promise<unknown> =>
      page.evaluate((src) => import(src).then(() => {}), `${proxy}/elements.js`);
    if (first === 'loaded the elements') await load();
    else
      await page.evaluate(
        "Object.defineProperty(Symbol, 'metadata', { value: Symbol.metadata ?? Symbol('metadata') })",
      );
    await page.evaluate(freezeBuiltIns);
    if (first !== 'loaded the elements') await load();
    const signed = await page.evaluate(() => document.querySelector('sign-translate')!.sign('Good morning'));
    assert.equal(signed.text, 'Good morning');
    const refused = await page.evaluate(() =>
      document
        .querySelector('sign-translate')!
        .sign(' ')
        .catch(({ name, code }) => [name, code]),
    );
    assert.deepEqual(refused, ['SignError', 'empty_text']);
    assert.deepEqual(problems, []);
    await page.close();
  });
}
