// Boxes into which a page puts the words of one text: rows, lines below each other, tips.
import { expect, fixture, html } from '@open-wc/testing';
import { read, textsOf as sentencesOf } from './page-readers.ts';
import { textsOf } from './texts-of.ts';

it('the day and the month of a date are one sentence, beside or below each other', async () => {
  const root = await fixture(html`
    <div>
      <div style="display: flex">
        <div style="display: flex">
          <div>24</div>
          <div>Nov</div>
        </div>
        <div>
          <h3>Book fair</h3>
          <p>Town Hall</p>
        </div>
      </div>
      <div style="display: flex; flex-direction: column"><span>25</span><span>Nov</span></div>
      <p>
        <time style="display: grid"><span>26</span><span>Nov</span><span>2026</span></time>
      </p>
      <div>
        <div>98%</div>
        <div>of pupils pass</div>
      </div>
      <div style="display: flex">
        <div>Total</div>
        <div>£21,345.00</div>
      </div>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal([
    '24 Nov',
    'Book fair',
    'Town Hall',
    '25 Nov',
    '26 Nov 2026',
    '98% of pupils pass',
    'Total £21,345.00',
  ]);
});

it('the number of a tile or a list of facts belongs to the words beside it, also where the two are paragraphs', async () => {
  const root = await fixture(html`
    <div>
      <div>
        <p>12,400</p>
        <p>members</p>
      </div>
      <dl>
        <div>
          <dt>Founded</dt>
          <dd>1904</dd>
        </div>
        <div>
          <dt>Town</dt>
          <dd>Ayr</dd>
        </div>
      </dl>
      <div>
        <p>How many came?</p>
        <p>42</p>
      </div>
      <p>They came on foot.</p>
      <p>1984</p>
      <p>Then came cars.</p>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal([
    '12,400 members',
    'Founded 1904',
    'Town',
    'Ayr',
    'How many came?',
    '42',
    'They came on foot.',
    '1984',
    'Then came cars.',
  ]);
});

it('words and links in a flex row are one line, and blocks in it are separate texts', async () => {
  const root = await fixture(html`
    <div>
      <div style="display: flex">Sold <b>out</b> today, <i>sorry</i>.</div>
      <div style="display: flex">
        <span>By</span><a href="#ann">Ann</a><span>in</span><a href="#news">News</a>
      </div>
      <h2 style="display: flex"><span>01</span><span>The plan</span></h2>
      <div style="display: flex; flex-direction: column"><a href="#tax">Tax</a><a href="#bins">Bins</a></div>
      <div style="display: flex">
        <p>Left</p>
        <p>Right</p>
      </div>
      <div style="display: flex">
        <a href="#one"
          ><h3>Card</h3>
          <p>Its text</p></a
        >
        <a href="#two"><h3>Another</h3></a>
      </div>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal([
    'Sold out today, sorry.',
    'By Ann in News',
    '01 The plan',
    'Tax',
    'Bins',
    'Left',
    'Right',
    'Card',
    'Its text',
    'Another',
  ]);
});

it('a sentence continues over spans that are lines, as over line breaks', async () => {
  const root = await fixture(html`
    <div>
      <style>
        span {
          display: block;
        }
      </style>
      <h2><span>All about</span><span>the river</span></h2>
      <p>This sentence <span>has a line in it</span> and goes on.</p>
      <a href="#card"><span>Card title</span><span>Its text. And more.</span></a>
      <p><span style="float: left">Opening hours:</span>Nine to five</p>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal([
    'All about the river',
    'This sentence has a line in it and goes on.',
    'Card title',
    'Its text.',
    'And more.',
    'Opening hours:',
    'Nine to five',
  ]);
});

it('an invisible tip in a sentence does not cut it, and letters without a size are not read', async () => {
  const root = await fixture(html`
    <div>
      <p>Hover <span style="position: absolute; visibility: hidden">A tip</span> now.</p>
      <p>
        Weigh <b>it<i style="font-size: 0">hidden</i></b
        >.
      </p>
      <p style="font-size: 0">Words for a mail program <span style="font-size: 16px">Good morning</span></p>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal(['Hover now.', 'Weigh it.', 'Good morning']);
});

it('after an edit in a line, or in a word of a row, the whole line or row is read again', async () => {
  const root = await fixture(html`
    <div>
      <div class="date">
        <div>24</div>
        <div>Nov</div>
      </div>
      <div style="display: flex"><span>By</span><a href="#ann">Ann</a></div>
    </div>
  `);

  let changed = (): void => {};
  const reader = await read(root, { changed: () => changed() });
  const next = (): Promise<void> => new Promise((resolve) => (changed = resolve));
  for (const [selector, words] of [
    ['.date :last-child', 'Dec'],
    ['a', 'Bob'],
  ] as const) {
    root.querySelector(selector)!.textContent = words;
    await next();
  }
  expect(sentencesOf(reader)).to.deep.equal(['24 Dec', 'By Bob']);
});

it('a verse is read line by line, and code is not read', async () => {
  const root = await fixture(html`<div></div>`);
  root.innerHTML =
    '<pre style="font-family: Georgia, serif">Rough winds do shake\nthe darling buds of May,\nAnd summer’s lease hath\nall too short a date.\n\nSo long lives this</pre>' +
    '<pre style="font-family: inherit"><code>npm start</code></pre><pre>a = 1</pre>' +
    '<pre style="font-family: Menlo, monospace">b = 2</pre>';
  expect(textsOf(root)).to.deep.equal([
    'Rough winds do shake the darling buds of May, And summer’s lease hath all too short a date.',
    'So long lives this',
  ]);
});
