// A page that is read sentence by sentence: what is signed, the queue, and the sentence that is marked.
import { expect } from '@open-wc/testing';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { setFaults } from '../backend/client.ts';
import { heard, inOrder, mount, unmountAll, until, type Said } from './harness.ts';

const parts: Element[] = [];

afterEach(async () => {
  for (const part of parts.splice(0)) part.remove();
  await unmountAll();
  await setFaults([]);
});

/** A signer and the part that it reads. */
async function reading(
  markup: string,
  attributes: Record<string, string> = {},
): Promise<{ element: SignTranslate; said: Said[]; article: HTMLElement }> {
  const article = document.createElement('article');
  article.id = 'part';
  article.innerHTML = markup;
  parts.push(article);
  document.body.append(article);
  const { element, said } = await mount({ for: 'part', ...attributes });
  element.playbackRate = 2;
  return { element, said, article };
}

const states = ({ queue }: SignTranslate): string[] => queue.map(({ text, state }) => `${text} ${state}`);
const marked = (): string[] => [...(CSS.highlights.get('sign-sentence') ?? [])].map(String);
const started = (said: Said[]): string[] => inOrder(said, 'sign-start').map((line) => line.slice(11));
const untilOver = (element: SignTranslate): Promise<unknown> =>
  until(() => element.queue.length > 0 && element.queue.every(({ state }) => state === 'signed'));

it('signs sentence after sentence, marks each in the page while it is signed, and none at the end', async () => {
  const { element, said } = await reading('<h2>Eyes</h2><p>Come <b>early</b>. Sit down.</p>');
  const seen: string[] = [];
  element.addEventListener('sign-sentence', ({ detail }) => {
    seen.push(`${detail.text}|${String(detail.range)}|${marked().join()}`);
    const { ref } = element.queue.find(({ state }) => state === 'signing')!;
    expect(detail.ref).to.equal(ref);
  });
  await element.play();
  await untilOver(element);
  expect(started(said)).to.deep.equal(['Eyes', 'Come early.', 'Sit down.']);
  expect(seen).to.deep.equal(['Eyes', 'Come early.', 'Sit down.'].map((text) => `${text}|${text}|${text}`));
  expect(marked()).to.deep.equal([]);
  // The whole page is signed again, from the videos that the element has kept.
  const results = inOrder(said, 'sign-result').length;
  await element.play();
  await heard(element, 'sign-end', ({ text }) => text === 'Sit down.');
  expect(started(said).slice(3)).to.deep.equal(['Eyes', 'Come early.', 'Sit down.']);
  expect(inOrder(said, 'sign-result').length).to.equal(results);
});

it('announces once that the signs are coming, then each sentence, and nothing between two that are loaded', async () => {
  const { element } = await reading('<p>This is the first one. Two. Three.</p>');
  const status = element.shadowRoot!.querySelector('[role=status]')!;
  const spoken: string[] = [];
  const listener = new MutationObserver(() => status.textContent && spoken.push(status.textContent));
  listener.observe(status, { childList: true, characterData: true, subtree: true });
  void element.play().catch(() => {});
  await heard(element, 'sign-start');
  element.pause();
  await until(() => element.queue.slice(1).every(({ state }) => state === 'ready'));
  await element.play();
  await untilOver(element);
  listener.disconnect();
  expect(spoken.join(' | ')).to.equal('The signs are coming… | This is the first one. | Two. | Three.');
});

it('sends only the next few sentences ahead, and the queue shows the state of each', async () => {
  const { element, said } = await reading('One. Two. Three. Four. Five. Six.'.replace(/\w+\./g, '<p>$&</p>'));
  const seenStates = new Set<string>();
  element.addEventListener('sign-queuechange', ({ detail }) => {
    for (const { text, state } of detail.queue) seenStates.add(`${text} ${state}`);
    const sent = detail.queue.filter(({ state }) => /preparing|ready|signing/.test(state));
    expect(sent.length).to.be.at.most(4);
  });
  await element.play();
  await heard(element, 'sign-start', ({ text }) => text === 'One.');
  expect(states(element).slice(4)).to.deep.equal(['Five. waiting', 'Six. waiting']);
  element.pause();
  element.skip(element.queue[1]!.ref);
  element.skip(element.queue.find(({ text }) => text === 'Six.')!.ref);
  await element.play();
  await until(() => element.queue.length === 4 && element.queue.every(({ state }) => state === 'signed'));
  for (const state of ['waiting', 'preparing', 'ready', 'signing', 'signed']) {
    expect([...seenStates]).to.include(`Five. ${state}`);
  }
  expect(started(said)).to.deep.equal(['One.', 'Three.', 'Four.', 'Five.']);
});

it('reads from an element, or the sentences that a range touches; next and previous go through them', async () => {
  const { element, said, article } = await reading('<p>One. Two.</p><p>Three. Four.</p><p>Five.</p>');
  await element.read(article.children[1]);
  await heard(element, 'sign-start', ({ text }) => text === 'Three.');
  const four = heard(element, 'sign-start', ({ text }) => text === 'Four.');
  element.next();
  await four;
  const three = heard(element, 'sign-start', ({ text }) => text === 'Three.');
  element.previous();
  await three;
  const two = heard(element, 'sign-start', ({ text }) => text === 'Two.');
  element.previous();
  await two;
  const range = document.createRange();
  range.setStart(article.children[0]!.firstChild!, 6);
  range.setEnd(article.children[1]!.firstChild!, 3);
  await element.read(range);
  await untilOver(element);
  expect(states(element)).to.deep.equal(['Two. signed', 'Three. signed']);
  expect(started(said)).to.deep.equal(['Three.', 'Four.', 'Three.', 'Two.', 'Two.', 'Three.']);
});

it('signs from a paragraph near the beginning of a long page before the page is read to its end', async () => {
  const { element } = await reading('<p>One.</p>'.repeat(20_000));
  // Without this the page would be read to its end while the code of the first sign is loading.
  await element.connect();
  await element.read(document.querySelector('#part')!.children[2]!);
  const early = element.queue.length;
  await until(() => element.queue.length === 19_998);
  element.stop();
  expect(early).to.be.above(0).and.below(19_998);
});

it('only one reading plays at a time: one that begins, or plays on after a pause, pauses the other', async () => {
  const { element: one, article } = await reading(`<p>${'Word. '.repeat(60)}</p>`);
  const second = article.cloneNode(true) as HTMLElement;
  second.id = 'second';
  parts.push(second);
  article.after(second);
  const { element: other } = await mount({ for: 'second' });
  const last = ({ queue }: SignTranslate): string | undefined => queue.at(-1)?.state;
  for (const [begins, pauses] of [
    [one, null],
    [other, one],
    [one, other],
  ] as const) {
    void begins.play().catch(() => {});
    await heard(begins, 'sign-start');
    await until(() => pauses?.paused ?? true);
    // The event of a video that plays no longer may come late.
    pauses?.dispatchEvent(new Event('playing'));
    // The other one is in the middle of its reading.
    expect([begins.paused, last(pauses ?? begins)]).to.deep.equal([false, 'waiting']);
  }
});

it('stop() ends the reading, and play() begins it again', async () => {
  const { element, said } = await reading('<p>One. Two.</p>');
  await element.play();
  await heard(element, 'sign-start');
  element.stop();
  expect(element.queue).to.deep.equal([]);
  expect(marked()).to.deep.equal([]);
  await element.play();
  await until(() => element.queue.length > 0);
  await untilOver(element);
  expect(started(said)).to.deep.equal(['One.', 'One.', 'Two.']);
});

const shownAgain: Record<string, (element: SignTranslate) => unknown> = {
  'a seek back': (element) => (element.currentTime = 0),
  'previous()': (element) => element.previous(),
  '`loop`': (element) => (element.loop = true),
  'play() after the end': (element) => untilOver(element).then(() => element.play()),
};
for (const [how, showAgain] of Object.entries(shownAgain))
  it(`stop() ends a repetition that ${how} began, and play() begins the reading again`, async () => {
    const { element, said } = await reading('<p>One. Two.</p>');
    const second = heard(element, 'sign-start', ({ text }) => text === 'Two.');
    await element.play();
    await second;
    const again = heard(element, 'sign-start');
    void showAgain(element);
    await again;
    element.stop();
    element.loop = false;
    expect(element.paused).to.equal(true);
    // WebKitGTK undoes a pause in the moment of a start; the player pauses again.
    await until(() => element.media!.paused);
    expect(marked()).to.deep.equal([]);
    await element.play();
    await untilOver(element);
    expect(started(said)).to.deep.equal(['One.', 'Two.', 'One.', 'One.', 'Two.']);
  });

it('a sentence that fails is skipped, and retry() sends it again', async () => {
  const { element, said } = await reading('<p>One. Two.</p>');
  await setFaults([{ fault: 'error', text: 1, code: 'internal_error' }]);
  await element.play();
  await until(() => states(element).some((state) => state.endsWith('failed')));
  await until(() => element.queue.every(({ state }) => /signed|failed/.test(state)));
  await setFaults([]);
  const failed = element.queue.find(({ state }) => state === 'failed')!;
  element.retry(failed.ref);
  await untilOver(element);
  expect(started(said).toSorted()).to.deep.equal(['One.', 'Two.']);
});

it('a waiting sentence is signed with the words that the page has by then, and with the glossary', async () => {
  const { element, said, article } = await reading('<p>One.</p><p>Two.</p>');
  element.glossary = { GP: 'doctor' };
  element.pause();
  const begun = element.read();
  article.insertAdjacentHTML('beforeend', '<p>See the GP.</p>');
  await begun;
  await until(() => element.queue.length === 3);
  article.children[1]!.remove();
  await until(() => element.queue.length === 2);
  await element.play();
  await untilOver(element);
  expect(started(said)).to.deep.equal(['One.', 'See the doctor.']);
});

it('when the page replaces the sentence being signed, the new words are marked; when it removes them, nothing is marked', async () => {
  const { element, article } = await reading('<p>One two three.</p><p>Four.</p>');
  await element.play();
  await heard(element, 'sign-start');
  element.pause();
  article.children[0]!.innerHTML = 'One <b>two</b> more.';
  await until(() => element.queue[0]?.text === 'One two more.');
  expect(marked()).to.deep.equal(['One two more.']);
  article.children[0]!.textContent = 'One two more.';
  await until(() => marked().join() === 'One two more.');
  article.children[0]!.remove();
  await until(() => element.queue.length === 1);
  expect(marked()).to.deep.equal([]);
  expect(CSS.highlights.has('sign-sentence')).to.equal(false);
});

it('a reading goes on with the new text of a part that is empty for a moment, as while a page loads its data', async () => {
  const { element, said, article } = await reading('<p>One.</p><p>Two.</p>');
  await element.play();
  await heard(element, 'sign-start');
  article.innerHTML = '';
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  article.innerHTML = '<p>Three.</p>';
  await until(() => element.queue.at(-1)?.text === 'Three.');
  await untilOver(element);
  expect(started(said)).to.deep.equal(['One.', 'Three.']);
});

it('a reading goes on when the page replaces all its paragraphs by equal ones, as frameworks do, and marks the new ones', async () => {
  const { element, said, article } = await reading('<p>One. Two.</p><p>Three.</p>');
  await element.play();
  await heard(element, 'sign-start');
  element.pause();
  await until(() => element.queue.slice(1).every(({ state }) => state === 'ready'));
  for (const paragraph of [...article.children]) paragraph.replaceWith(paragraph.cloneNode(true));
  await until(() => element.queue[0]?.element === article.children[0]);
  expect(states(element)).to.deep.equal(['One. signing', 'Two. ready', 'Three. ready']);
  expect(marked()).to.deep.equal(['One.']);
  await element.play();
  await untilOver(element);
  expect(started(said)).to.deep.equal(['One.', 'Two.', 'Three.']);
  expect(inOrder(said, 'sign-result').length).to.equal(3);
});

it('with highlight="none" nothing is marked; otherwise the mark has a default style that a page can change', async () => {
  const { element } = await reading('<p>One.</p>', { highlight: 'none' });
  await element.play();
  await heard(element, 'sign-start');
  expect(marked()).to.deep.equal([]);
  element.highlight = 'sentence';
  await element.read();
  await heard(element, 'sign-start');
  expect(marked()).to.deep.equal(['One.']);
  const look = getComputedStyle(document.getElementById('part')!, '::highlight(sign-sentence)');
  expect(look.backgroundColor).to.equal('rgb(255, 255, 0)');
});

it('the default style of the mark is set before the first sentence, because its first frame must not wait until a long page is styled', async () => {
  const { element, said, article } = await reading('<div></div>');
  const shadow = article.firstElementChild!.attachShadow({ mode: 'open' });
  shadow.innerHTML = '<p>One.</p>';
  await element.read();
  expect(started(said)).to.deep.equal([]);
  const sheets = (): number => document.adoptedStyleSheets.length + shadow.adoptedStyleSheets.length;
  const before = sheets();
  expect(getComputedStyle(shadow.firstElementChild!, '::highlight(sign-sentence)').backgroundColor).to.equal(
    'rgb(255, 255, 0)',
  );
  await untilOver(element);
  expect(sheets()).to.equal(before);
});

it('a reading ends when its element is removed, and another one works when the element is put back', async () => {
  const { element } = await reading('<p>One. Two.</p>');
  await element.play();
  await heard(element, 'sign-start');
  element.remove();
  await until(() => element.queue.length === 0);
  expect(marked()).to.deep.equal([]);
  document.body.append(element);
  await element.play();
  await untilOver(element);
});
