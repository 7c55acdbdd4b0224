// A part of a page that changes while it is read.
import { expect, fixture, html } from '@open-wc/testing';
import { until } from '../until.ts';
import { read, readerOf, textsOf } from './page-readers.ts';

const { checkVisibility } = Element.prototype;
afterEach(() => void (Element.prototype.checkVisibility = checkVisibility));

it('the reader follows edits, and leaves the sentences of all other blocks as they are', async () => {
  const root = await fixture(
    html`<div>
      <h2>Title</h2>
      <p>One.</p>
      <section>
        <p>Two.</p>
        <p>Three.</p>
      </section>
    </div>`,
  );
  const reader = await read(root);
  const [title, one, , three] = reader.sentences;
  const untilRead = async (wanted: string[]): Promise<void> => {
    await until(() => textsOf(reader).join('|') === wanted.join('|'));
    expect(reader.sentences.includes(title!)).to.equal(true);
  };
  const section = root.querySelector('section')!;
  section.firstElementChild!.firstChild!.nodeValue = 'Two, at first.';
  await untilRead(['Title', 'One.', 'Two, at first.', 'Three.']);
  section.firstElementChild!.textContent = 'Two, edited.';
  await untilRead(['Title', 'One.', 'Two, edited.', 'Three.']);
  section.insertAdjacentHTML('beforebegin', '<p>Between.</p>');
  await untilRead(['Title', 'One.', 'Between.', 'Two, edited.', 'Three.']);
  section.hidden = true;
  await untilRead(['Title', 'One.', 'Between.']);
  section.hidden = false;
  await untilRead(['Title', 'One.', 'Between.', 'Two, edited.', 'Three.']);
  section.style.display = 'none';
  await untilRead(['Title', 'One.', 'Between.']);
  section.style.display = '';
  section.firstElementChild!.append(' More.');
  await untilRead(['Title', 'One.', 'Between.', 'Two, edited.', 'More.', 'Three.']);
  section.insertAdjacentHTML('beforeend', '<p>Four <b>and five</b>.</p>');
  await untilRead(['Title', 'One.', 'Between.', 'Two, edited.', 'More.', 'Three.', 'Four and five.']);
  section.querySelector('b')!.hidden = true;
  await untilRead(['Title', 'One.', 'Between.', 'Two, edited.', 'More.', 'Three.', 'Four .']);
  section.lastElementChild!.remove();
  section.lastElementChild!.remove();
  root.querySelectorAll('p')[1]!.remove();
  await untilRead(['Title', 'One.', 'Two, edited.', 'More.']);
  expect(reader.sentences.includes(one!)).to.equal(true);
  expect(reader.sentences.includes(three!)).to.equal(false);
});

it('a sentence whose paragraph the page has taken out still has a place, because reading goes on from there', async () => {
  const root = await fixture(
    html`<div>
      <p>One. And more.</p>
      <p>Two.</p>
      <a href="#three">Three.</a>
    </div>`,
  );
  const reader = await read(root);
  const sentences = [...reader.sentences];
  root.replaceChildren(...[...root.children].map((one) => one.cloneNode(true)));
  for (const sentence of sentences) expect(String(sentence.range())).to.include(sentence.text);
});

it('paragraphs that the page moves, as when a list is sorted, are read once, at their new places', async () => {
  const root = await fixture(
    html`<div>
      <h2>Title</h2>
      <p>One.</p>
      <p>Two.</p>
      <p>Three.</p>
      <p>Four.</p>
    </div>`,
  );
  const reader = await read(root);
  const [, , two, three, four] = root.children;
  root.append(four!, three!, two!);
  await until(() => textsOf(reader).at(-1) === 'Two.');
  expect(textsOf(reader)).to.deep.equal(['Title', 'One.', 'Four.', 'Three.', 'Two.']);
});

it('reads nothing that is added to a hidden part, also in a browser without checkVisibility()', async () => {
  for (const tells of [checkVisibility, undefined]) {
    Object.assign(Element.prototype, { checkVisibility: tells });
    const root = await fixture<HTMLElement>(
      html`<div>
        <p>Shown.</p>
        <div hidden><p>Hidden.</p></div>
        <details>
          <summary>More</summary>
          <div><p>Folded.</p></div>
        </details>
      </div>`,
    );
    const reader = await read(root);
    for (const hidden of root.querySelectorAll('div > p')) hidden.append(' And more.');
    root.querySelector('p')!.textContent = 'Still shown.';
    await until(() => textsOf(reader).join('|') === 'Still shown.|More');
  }
});

it('a whole row is read again when one of its cells changes', async () => {
  const root = await fixture(html`
    <div>
      <div role="row">
        <div>Leeds</div>
        <div>6</div>
      </div>
    </div>
  `);
  const reader = await read(root);
  root.querySelector('[role="row"]')!.lastElementChild!.textContent = '7';
  await until(() => textsOf(reader).join('|') !== 'Leeds, 6');
  expect(textsOf(reader)).to.deep.equal(['Leeds, 7']);
});

it('follows the text of a component that comes late, or is directly in its shadow root', async () => {
  const root = await fixture(
    html`<div>
      <p>Before.</p>
      <section></section>
      <section></section>
    </div>`,
  );
  const [first, second] = [...root.querySelectorAll('section')].map((one) =>
    one.attachShadow({ mode: 'open' }),
  );
  second!.append('At the root.');
  const reader = await read(root);
  expect(textsOf(reader)).to.deep.equal(['Before.', 'At the root.']);
  first!.innerHTML = '<p>Late.</p>';
  await until(() => textsOf(reader).join('|') === 'Before.|Late.|At the root.');
  second!.firstChild!.nodeValue = 'In other words.';
  await until(() => textsOf(reader).join('|') === 'Before.|Late.|In other words.');
});

it('follows edits in an open shadow root', async () => {
  const root = await fixture(
    html`<div>
      <p>Before.</p>
      <span></span>
      <p>After.</p>
    </div>`,
  );
  const shadow = root.querySelector('span')!.attachShadow({ mode: 'open' });
  const inner = document.createElement('p');
  inner.textContent = 'Inside.';
  shadow.append(inner);
  const reader = await read(root);
  expect(textsOf(reader)).to.deep.equal(['Before.', 'Inside.', 'After.']);
  inner.textContent = 'Changed.';
  await until(() => textsOf(reader).join('|') === 'Before.|Changed.|After.');
});

it('the reader follows a part that shares a shadow root with the signer: its edits, and another element in its place', async () => {
  const card = await fixture(html`<div></div>`);
  const shadow = card.attachShadow({ mode: 'open' });
  shadow.innerHTML = '<article id="part"><p>One.</p><p>Two. Three.</p></article><b></b>';
  const reader = await read(card, { host: shadow.querySelector('b')!, target: 'part' });
  const [first, second] = shadow.querySelectorAll('p');
  first!.textContent = 'Changed.';
  await until(() => textsOf(reader).join('|') === 'Changed.|Two.|Three.');
  expect(reader.indexAt(second!)).to.equal(1);
  first!.before(Object.assign(document.createElement('p'), { textContent: 'New.' }));
  await until(() => textsOf(reader).join('|') === 'New.|Changed.|Two.|Three.');
  second!.remove();
  await until(() => textsOf(reader).join('|') === 'New.|Changed.');
  const other = document.createElement('article');
  Object.assign(other, { id: 'part', innerHTML: '<p>Other.</p>' });
  // WebKitGTK 2.50 sets no `outerHTML` directly in a shadow root.
  shadow.querySelector('article')!.replaceWith(other);
  await until(() => textsOf(reader).join('|') === 'Other.');
});

it('the part is read again when it is another element, as after a route change', async () => {
  const root = await fixture(html`<div><article id="route">Old page.</article></div>`);
  const changes: boolean[] = [];
  const reader = readerOf(root, {
    host: root,
    target: 'route',
    changed: (_at, removed, _added, anew) => removed.length > 0 && changes.push(anew),
  });
  await reader.read();
  root.innerHTML = '<article id="route">New page.</article>';
  await until(() => textsOf(reader).join() === 'New page.');
  expect(changes).to.deep.equal([true]);
});

it('a part that is empty for a moment gives one change from its old text to its new text', async () => {
  const nextTask = (): Promise<unknown> =>
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const emptied: Record<string, (root: Element) => void> = {
    'the text': (root) => (root.firstElementChild!.innerHTML = ''),
    'the part': (root) => (root.innerHTML = ''),
    'the part, and an empty one comes': (root) => (root.innerHTML = '<article id="filled"></article>'),
  };
  for (const [what, empty] of Object.entries(emptied)) {
    const root = await fixture(html`<div></div>`);
    root.innerHTML = '<article id="filled"><p>Old text.</p><p>Same text.</p></article>';
    const changes: string[] = [];
    const reader = readerOf(root, {
      host: root,
      target: 'filled',
      changed: (_at, removed, added) =>
        removed.length > 0 && changes.push(`${removed.length} by ${added.length}`),
    });
    await reader.read();
    empty(root);
    await nextTask();
    const filled = root.querySelector('#filled') ?? root.appendChild(document.createElement('article'));
    filled.id = 'filled';
    await nextTask();
    filled.innerHTML = '<p>New text.</p><p>Same text.</p>';
    await until(() => textsOf(reader).join('|') === 'New text.|Same text.');
    expect(changes, what).to.deep.equal(['2 by 2']);
    root.remove();
    reader.close();
  }
});

it('a part that stays empty has no text left', async () => {
  const root = await fixture(html`<div><p>Old text.</p></div>`);
  const reader = await read(root);
  root.innerHTML = '';
  await until(() => textsOf(reader).length === 0);
});

it('finds the sentence at an element, or after a position in the text', async () => {
  const root = await fixture(
    html`<div>
      <p>One. Two.</p>
      <aside hidden></aside>
      <p>Three.</p>
    </div>`,
  );
  const reader = await read(root);
  const at = (from: Element | Range): string | undefined => reader.sentences[reader.indexAt(from)]?.text;
  const [first, second] = root.querySelectorAll('p');
  expect(at(root)).to.equal('One.');
  expect(at(second!)).to.equal('Three.');
  expect(at(root.querySelector('aside')!)).to.equal('Three.');
  const range = document.createRange();
  range.setStart(first!.firstChild!, 6);
  expect(at(range)).to.equal('Two.');
});

it('reads 20,000 paragraphs without blocking the page', async () => {
  const root = document.createElement('article');
  for (let n = 0; n < 20_000; n++)
    root.appendChild(document.createElement('p')).textContent = `This is number ${n}.`;
  document.body.append(root);
  const reader = readerOf(root);
  const whole = reader.read();
  await reader.begun;
  const early = reader.sentences.length;
  let turns = 0;
  const counter = setInterval(() => turns++);
  await whole;
  clearInterval(counter);
  root.remove();
  expect(early).to.be.above(0).and.below(20_000);
  expect(reader.sentences.length).to.equal(20_000);
  expect(turns).to.be.above(1);
});

it('reads one paragraph of 20,000 sentences without blocking the page', async () => {
  const root = document.createElement('p');
  root.textContent = Array.from({ length: 20_000 }, (_, n) => `This is number ${n}.`).join(' ');
  document.body.append(root);
  const reader = readerOf(root);
  let turns = 0;
  const counter = setInterval(() => turns++);
  await reader.read();
  clearInterval(counter);
  root.remove();
  expect(reader.sentences.length).to.equal(20_000);
  expect(turns).to.be.above(1);
});
