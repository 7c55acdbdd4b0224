// Paragraphs with only words and links, which are read as one text.
import { expect, fixture, html } from '@open-wc/testing';
import { read, textsOf } from './page-readers.ts';

it('does not read the text nodes of a plain paragraph one by one, and finds the places of its sentences when they are needed', async () => {
  const root = await fixture(
    html`<article>
      ${[1, 2, 3].map(
        () =>
          html`<p>
            Come <b>at</b> ten.<!-- x -->
            Go.
          </p>`,
      )}
    </article>`,
  );
  const { get } = Object.getOwnPropertyDescriptor(Node.prototype, 'nextSibling')!;
  let looked = 0;
  Object.defineProperty(Node.prototype, 'nextSibling', {
    get(this: Node) {
      if (this instanceof Text && this.parentElement !== root) looked += 1;
      return get!.call(this) as unknown;
    },
    configurable: true,
  });
  try {
    const reader = await read(root);
    expect(looked).to.equal(0);
    expect(textsOf(reader)).to.deep.equal([
      'Come at ten.',
      'Go.',
      'Come at ten.',
      'Go.',
      'Come at ten.',
      'Go.',
    ]);
    expect(String(reader.sentences[2]!.range())).to.equal('Come at ten.');
  } finally {
    Object.defineProperty(Node.prototype, 'nextSibling', { get: get!, configurable: true });
  }
});

it('in a plain paragraph too, words that are not shown are left out, and data-sign-text is read in place of what is written', async () => {
  const root = await fixture(html`
    <article>
      <style>
        .unread b {
          display: none;
        }
        .unseen b {
          visibility: hidden;
        }
        .apart b {
          display: block;
        }
      </style>
      <p class="unread">One<b> not</b>.</p>
      <p class="unseen">Two<b> not</b>.</p>
      <p class="apart">Three<b>Four</b></p>
      <p>Five<span aria-hidden="true"> not</span>.</p>
      <p>
        See <a href="#s"><b data-sign-text="Doctor">Dr</b></a> Six.
      </p>
      <p>Seven<span inert> not</span>.</p>
      <p>Eight<span style="position: absolute; clip-path: inset(50%)"> not</span>.</p>
    </article>
  `);
  expect(textsOf(await read(root))).to.deep.equal([
    'One.',
    'Two.',
    'Three',
    'Four',
    'Five.',
    'See Doctor Six.',
    'Seven.',
    'Eight.',
  ]);
});

it('a paragraph of 200,000 sentences is read', async () => {
  const root = await fixture(html`<article><p></p></article>`);
  root.firstElementChild!.textContent = 'Ha! Ha! '.repeat(100_000);
  const { sentences } = await read(root);
  expect(sentences.length).to.equal(200_000);
});
