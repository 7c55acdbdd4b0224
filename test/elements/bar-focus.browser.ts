// Where the keyboard focus goes when the control of the bar that has it is disabled or removed.
import { expect } from '@open-wc/testing';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { heard, mount, unmountAll, until } from './harness.ts';
import { frames } from './on-page.ts';

/** Puts this text on the page, in place of the one before. */
function show(text: string): void {
  document.getElementById('read')?.remove();
  const article = document.createElement('article');
  article.id = 'read';
  article.textContent = text;
  document.body.append(article);
}

afterEach(async () => {
  document.getElementById('read')!.remove();
  await unmountAll();
});

/** A reading that has begun and does not go on by itself. */
async function reading(): Promise<SignTranslate> {
  show('One. Two.');
  const { element } = await mount({ for: 'read', controls: '' });
  const one = heard(element, 'sign-start', () => {
    element.pause();
    return true;
  });
  await element.read();
  await one;
  return element;
}

const controlOf = (element: SignTranslate, name: string): HTMLInputElement =>
  element.shadowRoot!.querySelector<HTMLInputElement>(`[part~=${name}]`)!;

/** A browser takes the focus from a disabled control in the next frame. */
async function untilDisabled(element: SignTranslate, name: string): Promise<void> {
  await until(() => controlOf(element, name).disabled);
  await frames(3);
}

it('after the last sentence the focus moves from the report button to the first button of the bar', async () => {
  const element = await reading();
  await until(() => !controlOf(element, 'report').disabled);
  controlOf(element, 'report').focus();
  element.playbackRate = 2;
  void element.play().catch(() => {});
  await heard(element, 'sign-end', ({ text }) => text === 'Two.');
  await untilDisabled(element, 'report');
  expect(element.shadowRoot!.activeElement === controlOf(element, 'toggle')).to.equal(true);
});

for (const name of ['next', 'seek']) {
  it(`when the page shows another text, the focus moves from the control "${name}" to the first button of the bar`, async () => {
    const element = await reading();
    await until(() => !controlOf(element, name).disabled);
    controlOf(element, name).focus();
    show('Another.');
    await untilDisabled(element, name);
    expect(element.shadowRoot!.activeElement === controlOf(element, 'toggle')).to.equal(true);
  });
}
