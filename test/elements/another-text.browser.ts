// A visitor goes to another text while one is signed: by a router that keeps the elements of the page, or to another tab.
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { inOrder, mount, unmountAll, until, type Said } from './harness.ts';

const address = location.href;
let article: HTMLElement;

afterEach(async () => {
  history.replaceState(null, '', address);
  article.remove();
  await unmountAll();
});

/** A reading that is paused at the second sentence of this text. */
async function reading(markup: string): Promise<{ element: SignTranslate; said: Said[] }> {
  article = document.createElement('article');
  article.id = 'part';
  article.innerHTML = markup;
  document.body.append(article);
  const { element, said } = await mount({ for: 'part' });
  element.playbackRate = 2;
  await element.play();
  await until(
    () => element.queue[1]?.state,
    (state) => state === 'signing',
  );
  element.pause();
  return { element, said };
}

const signedAfter = async (element: SignTranslate, said: Said[], count: number): Promise<string[]> => {
  await element.play();
  await until(() => element.queue.every(({ state }) => state === 'signed'));
  return inOrder(said, 'sign-start')
    .slice(count)
    .map((line) => line.slice('sign-start '.length));
};

const write = (texts: readonly string[]): void =>
  [...article.querySelectorAll('.page > *')].forEach((element, at) => {
    (element.firstChild as Text).data = texts[at]!;
  });

const page = '<div class="page"><h1>Ducks</h1><p>They swim.</p><p>They fly.</p></div><p>Share this.</p>';

it('the next page of a router, which keeps the elements, is signed from its title on', async () => {
  const { element, said } = await reading(page);
  history.pushState(null, '', '?geese');
  write(['Geese', 'They are loud.', 'They walk.']);
  await until(() => element.queue[0]?.text === 'Geese');
  expect(await signedAfter(element, said, 2)).to.deep.equal([
    'Geese',
    'They are loud.',
    'They walk.',
    'Share this.',
  ]);
});

it('when a text is translated in place, also with a new hash in the address, the reading goes on where it was', async () => {
  const { element, said } = await reading(page);
  location.hash = 'place';
  write(['Enten', 'Sie schwimmen.', 'Sie fliegen.']);
  await until(() => element.queue[0]?.text === 'Enten');
  expect(await signedAfter(element, said, 2)).to.deep.equal(['Sie fliegen.', 'Share this.']);
});

it('the panel of another tab is signed from its beginning, and the slides of a carousel that turns by itself are signed once', async () => {
  const tabs =
    '<section><p>One swims.</p><p>One flies.</p></section><section hidden><p>Two swim.</p><p>Two fly.</p></section>';
  const turn = (): void => article.querySelectorAll('section').forEach((one) => (one.hidden = !one.hidden));
  for (const press of [true, false]) {
    const { element, said } = await reading(`${tabs}<p>Share this.</p>`);
    if (press) {
      await sendKeys({ press: 'a' });
    } else {
      // The browser counts a press as user activation for some seconds.
      await until(() => !navigator.userActivation.isActive);
    }
    turn();
    await until(() => element.queue[0]?.text === 'Two swim.');
    const rest = await signedAfter(element, said, 2);
    expect(rest).to.deep.equal([...(press ? ['Two swim.', 'Two fly.'] : []), 'Share this.']);
    article.remove();
    element.remove();
  }
});
