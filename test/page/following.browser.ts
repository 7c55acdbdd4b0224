// The page scrolls to the sentence that is signed, whichever of its boxes scrolls.
import { expect } from '@open-wc/testing';
import { heard, mount, unmountAll, until } from '../elements/harness.ts';

const page = document.createElement('main');

beforeEach(() => {
  page.id = 'followed';
  document.body.append(page);
});

afterEach(async () => {
  await unmountAll();
  page.remove();
  for (const { style } of [document.documentElement, document.body]) style.cssText = '';
  scrollTo(0, 0);
});

const filler = '<div style="height: 2500px"></div>';
const target = '<p id="target">This sentence is signed.</p>';

type Signer = Awaited<ReturnType<typeof mount>>['element'];

/** Signs the target of this page, and waits until it can be seen. */
async function follow(markup: string): Promise<Signer> {
  page.innerHTML = markup;
  const { element } = await mount({ for: 'followed', placement: 'top-left' });
  const paragraph = document.getElementById('target')!;
  element.addEventListener('sign-start', () => element.pause());
  const begun = heard(element, 'sign-start');
  await element.read(paragraph);
  void element.play().catch(() => {});
  await begun;
  await until(() => {
    const { right, top, bottom } = paragraph.getBoundingClientRect();
    // Left of the scroll bar that WebKitGTK draws over the content.
    return document.elementFromPoint(right - 40, (top + bottom) / 2) === paragraph;
  });
  expect(CSS.highlights.get('sign-sentence')?.size).to.equal(1);
  return element;
}

const isRejoinShown = (element: Signer): boolean =>
  element.shadowRoot!.querySelector('.rejoin.shown') !== null;

it('the page does not follow when the reader follows a link of the page, or goes to one by the Tab key', async () => {
  const links = '<a id="up" href="#first">Up</a><a id="first" href="#first">First</a>';
  const go: ((link: HTMLElement) => void)[] = [
    (link) => link.click(),
    (link) => {
      link.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }));
      document.getElementById('first')!.focus();
    },
  ];
  for (const away of go) {
    const element = await follow(`${links}${filler}${target}${filler}`);
    away(document.getElementById('up')!);
    await until(() => isRejoinShown(element));
    await unmountAll();
  }
});

it('the page goes on following when it moves after a key that the signer handled', async () => {
  const element = await follow(`${filler}${target}${filler}`);
  const control = document.createElement('button');
  control.slot = 'controls';
  element.append(control);
  for (const pressed of [element, control]) {
    pressed.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true, composed: true }));
    const moved = new Promise((resolve) => addEventListener('scroll', resolve, { once: true }));
    scrollBy({ top: 20, behavior: 'instant' });
    await moved;
    expect(isRejoinShown(element)).to.equal(false);
  }
});

it('the page goes on following when it moves after a key that a field of the page uses, unless the key scrolls', async () => {
  const fields =
    '<input id="field"><select id="choice"></select><textarea id="area"></textarea>' +
    '<div contenteditable><b id="edited">A</b></div><input type="checkbox" id="box">';
  const element = await follow(`${fields}${filler}${target}${filler}`);
  const move = async (id: string, key: string): Promise<void> => {
    document.getElementById(id)!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const moved = new Promise((resolve) => addEventListener('scroll', resolve, { once: true }));
    scrollBy({ top: 20, behavior: 'instant' });
    await moved;
  };
  for (const id of ['field', 'choice', 'area', 'edited'])
    for (const key of [' ', 'ArrowDown', 'Home']) {
      await move(id, key);
      expect([id, key, isRejoinShown(element)]).to.deep.equal([id, key, false]);
    }
  for (const [id, key] of [
    ['field', 'PageDown'],
    ['box', 'ArrowDown'],
  ] as const) {
    await move(id, key);
    await until(() => isRejoinShown(element));
    element.shadowRoot!.querySelector<HTMLElement>('.rejoin')!.click();
    await until(() => !isRejoinShown(element));
  }
});

it('the page does not scroll back to the sentence when the reader scrolls away as soon as it is there', async () => {
  const life = new AbortController();
  const away = (): void => {
    // The page of the test before may also end a scroll.
    if (scrollY === 0) return;
    life.abort();
    dispatchEvent(new WheelEvent('wheel'));
    scrollTo(0, 0);
  };
  page.innerHTML = `${filler}${target}${filler}`;
  const { element } = await mount({ for: 'followed', placement: 'top-left' });
  element.addEventListener('sign-start', () => element.pause());
  // This listener runs before that of the signer, which scrolls to the sentence again if it has moved. WebKitGTK 2.50 has no such
  // event.
  addEventListener('onscrollend' in window ? 'scrollend' : 'scroll', away, {
    capture: true,
    signal: life.signal,
  });
  await element.read(document.getElementById('target')!);
  void element.play().catch(() => {});
  await until(() => isRejoinShown(element));
  expect(scrollY).to.equal(0);
});

it('the page scrolls to a sentence in a scrolling box that is outside the window', () =>
  follow(`${filler}<div style="height: 300px; overflow: auto">${filler}${target}${filler}</div>${filler}`));

it('a box as large as the window scrolls to a sentence until it is beside the signer', () =>
  follow(
    `<div style="position: fixed; inset: 0; overflow: auto">${filler}<p id="target" style="width: 200px">Signed.</p>${filler}</div>`,
  ));

it('a box scrolls to a sentence in a section that is drawn when it comes into view', () =>
  follow(
    `<section style="content-visibility: auto">
      <div style="height: 300px; overflow: auto">${filler}${target}${filler}</div>
    </section>${filler}`,
  ));

it('the page scrolls to a sentence where its body scrolls and its root does not', () => {
  document.documentElement.style.cssText = 'height: 100%; overflow: hidden';
  document.body.style.cssText = 'height: 100%; margin: 0; overflow: auto';
  return follow(`${filler}${target}${filler}`);
});

it('the page scrolls to a sentence below sections that get their height when they come into view', () => {
  const words = '<p>x</p>'.repeat(40);
  const section = (content: string): string =>
    `<section style="content-visibility: auto; contain-intrinsic-size: auto 300px">${content}</section>`;
  return follow(section(words).repeat(10) + section(`${words}${target}${words}`) + filler);
});

it('a row of cards that a person scrolls to the side scrolls to the sentence, and back', async () => {
  const card = (content: string): string => `<div style="flex: none">${content}</div>`;
  const others = card('<p>Another card.</p>').repeat(5);
  const element = await follow(
    `${filler}<div id="row" style="display: flex; width: 320px; overflow-x: auto">${others}${card(target)}${others}</div>${filler}`,
  );
  const row = document.getElementById('row')!;
  const begun = heard(element, 'sign-start');
  await element.read(row);
  void element.play().catch(() => {});
  await begun;
  expect(row.scrollLeft).to.equal(0);
});

it('a page of vertical lines scrolls to the sentence', () => {
  document.documentElement.style.cssText = 'writing-mode: vertical-rl';
  const wide = '<div style="width: 2500px"></div>';
  return follow(`${wide}<p id="target" style="padding: 0 40px">This sentence is signed.</p>${wide}`);
});

it('a box in the shadow root of an app’s shell scrolls to the sentence, until the reader scrolls it', async () => {
  customElements.define(
    'scrolling-shell',
    class extends HTMLElement {
      constructor() {
        super();
        this.attachShadow({ mode: 'open' }).innerHTML =
          '<div style="height: 300px; overflow: auto"><slot></slot></div>';
      }
    },
  );
  const element = await follow(`<scrolling-shell>${filler}${target}${filler}</scrolling-shell>`);
  dispatchEvent(new WheelEvent('wheel'));
  document.querySelector('scrolling-shell')!.shadowRoot!.firstElementChild!.scrollTo(0, 0);
  await until(() => isRejoinShown(element));
});
