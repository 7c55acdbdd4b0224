// A reading whose signer or text the page hides while it plays: nobody sees it, and each sentence would be billed.
import { expect } from '@open-wc/testing';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { frames } from './on-page.ts';
import { heard, inOrder, mount, unmountAll, until, type Said } from './harness.ts';

let page: HTMLElement | null = null;
afterEach(async () => {
  await unmountAll();
  page?.remove();
});

const TEXT = 'Come early. Sit down. Look at us.';
const SENTENCES = ['Come early.', 'Sit down.', 'Look at us.'];

interface Reading {
  readonly element: SignTranslate;
  readonly said: Said[];
  readonly page: HTMLElement;
}

/** A page with the text in `#text`; the signer stands in `#here`, if there is one. */
async function reading(markup: string, attributes: Record<string, string> = {}): Promise<Reading> {
  page = document.createElement('div');
  page.innerHTML = markup;
  document.body.append(page);
  const { element, said } = await mount({ for: 'text', ...attributes });
  page.querySelector('#here')?.append(element);
  // A busy page may stand still for a second, and the first sentence must not be over then.
  element.playbackRate = 0.5;
  return { element, said, page };
}

const started = (said: Said[]): string[] => inOrder(said, 'sign-start').map((line) => line.slice(11));

/** The reading pauses by itself when this many sentences have begun; ten frames later its picture stands still. */
async function expectHeld({ element, said }: Reading, count: number): Promise<void> {
  await until(() => element.paused);
  await frames(2);
  const at = element.currentTime;
  await frames(10);
  expect([element.paused, element.currentTime]).to.deep.equal([true, at]);
  expect(started(said)).to.deep.equal(SENTENCES.slice(0, count));
}

async function expectWhole({ element, said }: Reading): Promise<void> {
  element.playbackRate = 2;
  await until(() => element.queue.every(({ state }) => state === 'signed'));
  expect(started(said)).to.deep.equal(SENTENCES);
}

const dialog = `<dialog open><p id="text">${TEXT}</p><div id="here"></div></dialog>`;
const details = `<details open><summary>More</summary><p id="text">${TEXT}</p><div id="here"></div></details>`;
const view = `<main><p id="text">${TEXT}</p></main>`;
const contents = `<main><div style="display: contents"><p id="text">${TEXT}</p></div></main>`;
const below = `<div style="height: 300vh"></div>${view}`;
type Show = (root: HTMLElement, isShown: boolean) => void;
const main: Show = (root, isShown) => (root.querySelector('main')!.hidden = !isShown);
const cases: [what: string, markup: string, show: Show][] = [
  ['a dialog that is closed', dialog, (root, isShown) => (root.querySelector('dialog')!.open = isShown)],
  ['details that are closed', details, (root, isShown) => (root.querySelector('details')!.open = isShown)],
  ['a view that the page keeps, with the signer beside it', view, main],
  ['a view that is around an element without a box', contents, main],
];
for (const [what, markup, show] of cases) {
  it(`pauses in ${what}, and goes on where it was when it is shown again`, async () => {
    const scene = await reading(markup);
    void scene.element.play();
    await heard(scene.element, 'sign-sentence');
    await until(() => scene.element.currentTime > 0);
    show(scene.page, false);
    await expectHeld(scene, 1);
    show(scene.page, true);
    await expectWhole(scene);
  });
}

it('pauses with the next sentence where what was hidden was out of sight already', async () => {
  const scene = await reading(below, { follow: 'none' });
  void scene.element.play();
  await heard(scene.element, 'sign-sentence');
  await frames(3);
  main(scene.page, false);
  await heard(scene.element, 'sign-sentence');
  await expectHeld(scene, 2);
  main(scene.page, true);
  scene.page.querySelector('main')!.scrollIntoView();
  await expectWhole(scene);
});

it('does not go on by itself where the visitor had paused it, and a reading that was hidden from its beginning is read', async () => {
  const scene = await reading(view);
  const { element } = scene;
  void element.play();
  await heard(element, 'sign-sentence');
  element.pause();
  main(scene.page, false);
  await frames(5);
  main(scene.page, true);
  await frames(5);
  expect(element.paused).to.equal(true);
  main(scene.page, false);
  await frames(5);
  await element.play();
  await expectWhole(scene);
});

it('plays on in picture-in-picture when the page hides the signer', async () => {
  const scene = await reading(dialog);
  void scene.element.play();
  await heard(scene.element, 'sign-sentence');
  Object.defineProperty(scene.element.shadowRoot!, 'pictureInPictureElement', {
    get: () => scene.element.media,
  });
  cases[0]![2](scene.page, false);
  await expectWhole(scene);
});
