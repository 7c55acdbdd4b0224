// The button that opens a closed panel, as a visitor meets it on a page.
import { expect } from '@open-wc/testing';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { heard, unmountAll, until } from '../elements/harness.ts';
import { edges, inside, panel } from './panel-harness.ts';
import { frames } from '../elements/on-page.ts';

beforeEach(async () => {
  localStorage.clear();
  await setViewport({ width: 390, height: 844 });
});
afterEach(unmountAll);

const closed = (attributes: Record<string, string> = {}): Promise<SignTranslate> =>
  panel({ launcher: '', ...attributes });

it('the button of a launcher is above a bar that is fixed at the same edge of the window, and at the edge again when the bar is gone', async () => {
  const bar = document.createElement('div');
  bar.style.cssText = 'position:fixed;inset:auto 0 0;padding:24px;background:#eee;text-align:right;';
  const accept = Object.assign(document.createElement('button'), { textContent: 'Accept all cookies' });
  bar.append(accept);
  const element = await closed();
  const launcher = inside(element, '.launcher');
  const home = edges(launcher);
  document.body.append(bar);
  await until(() => launcher.getBoundingClientRect().bottom < bar.getBoundingClientRect().top);
  const { left, right, top, bottom } = accept.getBoundingClientRect();
  for (const x of [left + 2, right - 2]) {
    for (const y of [top + 2, bottom - 2])
      expect(document.elementFromPoint(x, y) === accept, `${x} ${y}`).to.equal(true);
  }
  bar.style.display = 'none';
  await until(() => edges(launcher).join() === home.join());
  bar.remove();
});

it('the button stands above a bar that a component of the page fixes at the same edge', async () => {
  const component = document.createElement('div');
  const bar =
    '<aside style="position: fixed; inset: auto 0 0; padding: 24px; background: #eee">Accept</aside>';
  component.attachShadow({ mode: 'open' }).innerHTML = bar;
  const element = await closed();
  const launcher = inside(element, '.launcher');
  document.body.append(component);
  const { top } = component.shadowRoot!.firstElementChild!.getBoundingClientRect();
  await until(() => launcher.getBoundingClientRect().bottom < top);
  component.remove();
});

it('with `launcher` there is a button alone, a text waits until it is pressed, and the focus goes into the panel that opens and back to the button', async () => {
  const element = await closed({ text: 'Hello' });
  expect(element.open).to.equal(false);
  const launcher = inside(element, '.launcher');
  expect(launcher.textContent).to.equal('Sign language');
  expect(edges(element)).to.deep.equal(edges(launcher));
  const { width, height } = launcher.getBoundingClientRect();
  expect([width < 300, height]).to.deep.equal([true, 48]);
  await frames(3);
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  expect(loaded.filter((name) => name.includes('translate-controller'))).to.deep.equal([]);
  const started = heard(element, 'sign-start');
  launcher.focus();
  await sendKeys({ press: 'Enter' });
  expect((await started).text).to.equal('Hello');
  expect(document.activeElement === element).to.equal(true);
  inside(element, '.close').click();
  await element.updateComplete;
  expect(element.shadowRoot!.activeElement === inside(element, '.launcher')).to.equal(true);
});
