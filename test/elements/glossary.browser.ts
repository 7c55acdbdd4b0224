// The glossary of a page that is read, by its address: what happens when it does not load.
import { expect } from '@open-wc/testing';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { heard, inOrder, mount, unmountAll, until, type Said } from './harness.ts';
import { frames } from './on-page.ts';

const { fetch } = window;
const { timeout } = AbortSignal;
const article = document.createElement('article');
article.id = 'part';
article.innerHTML = '<p>See the GP.</p>';

beforeEach(() => document.body.append(article));

afterEach(async () => {
  Object.assign(window, { fetch });
  Object.assign(AbortSignal, { timeout });
  article.remove();
  await unmountAll();
});

/** A signer that reads the article with the glossary of this request. */
function reading(
  answer: (init?: RequestInit) => Promise<Response>,
): Promise<{ element: SignTranslate; said: Said[] }> {
  window.fetch = (input, init) => {
    const isGlossary = String(input instanceof Request ? input.url : input).endsWith('/glossary.json');
    return isGlossary ? answer(init) : fetch(input, init);
  };
  return mount({ for: 'part', glossary: '/glossary.json' });
}

const started = (said: Said[]): string[] => inOrder(said, 'sign-start').map((line) => line.slice(11));

it('a glossary that did not load is requested again, and the next reading has its words', async () => {
  const answers = [new Response('', { status: 503 }), Response.json({ GP: 'doctor' })];
  const { element, said } = await reading(() => Promise.resolve(answers.shift()!));
  element.playbackRate = 2;
  for (const text of ['See the GP.', 'See the doctor.', 'See the doctor.']) {
    void element.read();
    await heard(element, 'sign-end');
    expect(started(said).at(-1)).to.equal(text);
  }
});

it('a reading waits 8 s for a glossary without an answer, and then the text is read as it is written', async () => {
  const waits: number[] = [];
  AbortSignal.timeout = (ms) => {
    waits.push(ms);
    return AbortSignal.abort(new DOMException('', 'TimeoutError'));
  };
  const { element, said } = await reading(
    (init) =>
      new Promise((_, reject) => {
        if (init?.signal?.aborted) reject(init.signal.reason as Error);
      }),
  );
  void element.read();
  await heard(element, 'sign-start');
  expect(started(said)).to.deep.equal(['See the GP.']);
  expect(waits).to.deep.equal([8_000]);
});

it('while a glossary is loading the signer says once that the signs are coming, and shows no button to begin', async () => {
  let answer: ((response: Response) => void) | undefined;
  const { element, said } = await reading(() => new Promise((resolve) => (answer = resolve)));
  const root = element.shadowRoot!;
  const spoken: string[] = [];
  const listener = new MutationObserver(() => spoken.push(root.querySelector('[role=status]')!.textContent));
  listener.observe(root, { childList: true, characterData: true, subtree: true });
  void element.play();
  await until(() => element.stats !== null && answer !== undefined);
  await element.updateComplete;
  void element.play();
  await element.updateComplete;
  expect(root.querySelector('[part~=message]')?.textContent.trim()).to.equal('The signs are coming…');
  expect(root.querySelector('[part~=start]')).to.equal(null);
  answer!(Response.json({ GP: 'doctor' }));
  await heard(element, 'sign-end');
  listener.disconnect();
  expect(started(said)).to.deep.equal(['See the doctor.']);
  const changes = spoken.filter((text, at) => text && text !== spoken[at - 1]);
  expect(changes).to.deep.equal(['The signs are coming…', 'See the doctor.']);
});

it('a page is not followed for a signer that left it while the glossary was on its way', async () => {
  let answer: ((response: Response) => void) | undefined;
  const { element } = await reading(() => new Promise((resolve) => (answer = resolve)));
  const { observe } = MutationObserver.prototype;
  const observed: Node[] = [];
  MutationObserver.prototype.observe = function (node, options) {
    observed.push(node);
    observe.call(this, node, options);
  };
  void element.read();
  await until(() => answer !== undefined);
  await unmountAll();
  observed.length = 0;
  answer!(Response.json({ GP: 'doctor' }));
  await frames(5);
  Object.assign(MutationObserver.prototype, { observe });
  expect(observed.includes(document)).to.equal(false);
});
