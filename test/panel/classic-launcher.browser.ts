// The button that the plain script shows before the elements are loaded, on a page with a router.
import { expect } from '@open-wc/testing';
import { collectGarbage } from '../collect-garbage.ts';
import { until } from '../until.ts';

const page = document.createElement('main');
const script = document.createElement('script');
script.type = 'text/plain';
script.dataset['elements'] = '/none/elements.js';

before(() => document.body.append(script, page));
after(() => {
  script.remove();
  page.remove();
});

const buttons = (): number =>
  [...document.querySelectorAll('sign-translate')].filter((one) => one.shadowRoot?.querySelector('.launcher'))
    .length;

/** The pages that were left, outside the test, because Firefox keeps what a waiting function refers to weakly. */
const left: WeakRef<Element>[] = [];

/** Shows a page of the router. */
async function show(): Promise<void> {
  page.innerHTML =
    '<article><sign-translate placement="bottom-right" launcher></sign-translate><p>News.</p></article>';
  await until(() => buttons() === 1);
  left.push(new WeakRef(page.firstElementChild!));
}

it('each page of a router has the button, and a page that was left is not kept', async () => {
  page.innerHTML = '<sign-translate placement="bottom-right" launcher></sign-translate>';
  await import('../../src/cdn.classic.ts');
  for (let pages = 0; pages < 3; pages++) await show();
  page.replaceChildren();
  await until(async () => {
    await collectGarbage();
    return left.every((one) => one.deref() === undefined);
  });
  await show();
  expect(performance.getEntriesByName(new URL('/none/elements.js', location.href).href)).to.deep.equal([]);
});
