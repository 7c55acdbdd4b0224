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
  // A busy browser brings the time of the last frame late.
  await frames(10);
  const at = element.currentTime;
  await frames(10);
  expect(element.paused).to.equal(true);
  // The time of a video that is paused settles by a few milliseconds.
  expect(element.currentTime).to.be.closeTo(at, 0.02);
  expect(started(said)).to.deep.equal(SENTENCES.slice(0, count));
}

async function expectWhole({ element, said }: Reading): Promise<void> {
  element.playbackRate = 2;
  await until(() => element.queue.every(({ state }) => state === 'signed'));
  expect(started(said)).to.deep.equal(SENTENCES);
}

const dialog = `<dialog open><p id="text">${TEXT}</p><div id="here"></div></dialog>`;
const details = `<details open><summary>More</summary><p id="text">${TEXT}</p><div id="here"></div></details>`;
const accordion = `<details open><summary>More</summary><p id="text">${TEXT}</p></details>`;
const own = `<dialog open id="text"><p>${TEXT}</p><div id="here"></div></dialog>`;
const component = `<in-shade><p id="text">${TEXT}</p></in-shade>`;
const view = `<main><p id="text">${TEXT}</p></main>`;
const contents = `<main><div style="display: contents"><p id="text">${TEXT}</p></div></main>`;
const below = `<div style="height: 300vh"></div>${view}`;

customElements.define(
  'in-shade',
  class extends HTMLElement {
    readonly box = this.attachShadow({ mode: 'open' }).appendChild(document.createElement('div'));
    constructor() {
      super();
      this.box.innerHTML = '<slot></slot>';
    }
  },
);
type Show = (root: HTMLElement, isShown: boolean) => void;
const main: Show = (root, isShown) => (root.querySelector('main')!.hidden = !isShown);
const untilFound: Show = (root, isShown) => {
  if (isShown) root.querySelector('main')!.removeAttribute('hidden');
  else root.querySelector('main')!.setAttribute('hidden', 'until-found');
};
const shade: Show = (root, isShown) =>
  (root.querySelector<HTMLElement & { box: HTMLElement }>('in-shade')!.box.hidden = !isShown);
const cases: [what: string, markup: string, show: Show][] = [
  ['a dialog that is closed', dialog, (root, isShown) => (root.querySelector('dialog')!.open = isShown)],
  ['details that are closed', details, (root, isShown) => (root.querySelector('details')!.open = isShown)],
  ['a view that the page keeps, with the signer beside it', view, main],
  ['a view that is around an element without a box', contents, main],
  [
    'details that are closed, with the signer outside',
    accordion,
    (root, isShown) => (root.querySelector('details')!.open = isShown),
  ],
  ['a view that is hidden until it is found', view, untilFound],
  ['a component that hides what is slotted into it', component, shade],
  ['a part that is hidden itself', view, (root, isShown) => (root.querySelector('p')!.hidden = !isShown)],
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

it('goes on in a dialog that is the part and was closed for longer than a part without text is waited for', async () => {
  const { setTimeout } = window;
  window.setTimeout = ((run: () => void, ms: number) =>
    setTimeout(run, ms === 3000 ? 0 : ms)) as typeof setTimeout;
  try {
    const scene = await reading(own);
    void scene.element.play();
    await heard(scene.element, 'sign-sentence');
    await until(() => scene.element.currentTime > 0);
    cases[0]![2](scene.page, false);
    await expectHeld(scene, 1);
    cases[0]![2](scene.page, true);
    await expectWhole(scene);
  } finally {
    window.setTimeout = setTimeout;
  }
});

it('pauses where what is hidden is out of sight already, and goes on when it is shown there', async () => {
  const scene = await reading(below, { follow: 'none' });
  void scene.element.play();
  await heard(scene.element, 'sign-sentence');
  await frames(3);
  main(scene.page, false);
  await expectHeld(scene, 1);
  main(scene.page, true);
  await expectWhole(scene);
});

it('pauses with its first sentence where it was hidden before that', async () => {
  const scene = await reading(view);
  void scene.element.play();
  await until(() => scene.element.queue.length > 0);
  await frames(3);
  main(scene.page, false);
  await expectHeld(scene, 1);
  main(scene.page, true);
  await expectWhole(scene);
});

it('is read when it was hidden at the first try, and its view is shown now', async () => {
  const scene = await reading(view);
  main(scene.page, false);
  void scene.element.play();
  await heard(scene.element, 'sign-error', ({ error }) => error.code === 'empty_text');
  await frames(3);
  main(scene.page, true);
  void scene.element.play();
  await until(() => scene.element.queue.length > 0);
  await expectWhole(scene);
});

it('stays paused when a visitor has started another reading since', async () => {
  const scene = await reading(`${view}<p id="other">Second one. Is here.</p>`);
  const other = await mount({ for: 'other' });
  void scene.element.play();
  await heard(scene.element, 'sign-sentence');
  main(scene.page, false);
  await until(() => scene.element.paused);
  void other.element.play();
  await until(() => other.element.currentTime > 0);
  main(scene.page, true);
  await frames(5);
  expect([scene.element.paused, other.element.paused]).to.deep.equal([true, false]);
});

it('leaves no pause behind when it is stopped while it is hidden', async () => {
  const scene = await reading(view);
  void scene.element.play();
  await heard(scene.element, 'sign-sentence');
  main(scene.page, false);
  await until(() => scene.element.paused);
  scene.element.stop();
  await scene.element.sign('Hello there.');
});

it('ends with an empty queue where the page takes all of it away', async () => {
  const scene = await reading(view);
  void scene.element.play();
  await heard(scene.element, 'sign-sentence');
  scene.page.querySelector('main')!.remove();
  await until(() => scene.element.queue.length === 0);
});

const minimise = ({ element }: Reading): void =>
  element.shadowRoot!.querySelector<HTMLElement>('.minimise')!.click();
const panels: [what: string, away: (scene: Reading) => void, back: (scene: Reading) => void][] = [
  ['opened', ({ element }) => element.hide(), ({ element }) => element.show()],
  ['restored', minimise, minimise],
];
for (const [what, away, back] of panels) {
  it(`stays paused in a panel that is ${what} while the text is hidden`, async () => {
    const scene = await reading(view, { placement: 'bottom-right', remember: 'none' });
    void scene.element.play();
    await heard(scene.element, 'sign-sentence');
    away(scene);
    await until(() => scene.element.paused);
    main(scene.page, false);
    await frames(3);
    back(scene);
    await frames(10);
    await expectHeld(scene, 1);
    main(scene.page, true);
    await expectWhole(scene);
  });
}

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
