// Text that is hidden from sight, and text that is hidden from screen readers because other text says the same.
import { expect, fixture, html } from '@open-wc/testing';
import { PageReader } from '../../src/page/page-reader.ts';
import { until } from '../until.ts';

const readers: PageReader[] = [];
afterEach(() => readers.splice(0).forEach((reader) => reader.close()));

async function read(target: Element): Promise<PageReader> {
  const reader = new PageReader({ host: document.body, target, glossary: null, changed: () => {} });
  readers.push(reader);
  await reader.read();
  return reader;
}

const textsOf = ({ sentences }: PageReader): string[] => sentences.map(({ text }) => text);

const forScreenReaders = html`<style>
  .sr {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip: rect(0, 0, 0, 0);
  }
</style>`;

it('text that is scaled or clipped to nothing is not read, except text that keeps its place and appears when it is scrolled to', async () => {
  const root = await fixture(html`
    <div>
      <p>Here.</p>
      <div style="position: absolute; transform: scaleY(0)"><p>Closed.</p></div>
      <div style="position: fixed; transform: translateX(5px) scaleX(0)"><p>Closed.</p></div>
      <p style="position: absolute; transform: scale(0)">Closed.</p>
      <div style="position: absolute; scale: 0"><p>Closed.</p></div>
      <p style="position: absolute; scale: 1 0">Closed.</p>
      <p style="position: absolute; scale: 0.5">Small.</p>
      <p style="position: absolute; clip-path: inset(50%)">Cut off.</p>
      <p style="position: absolute; clip-path: inset(100% 0 0)">Cut off.</p>
      <p style="position: absolute; clip-path: inset(50% 0 0)">Half.</p>
      <p style="transform: scale(0)">Appears.</p>
      <p style="transform: rotate(90deg)">Turned.</p>
      <p style="transform: scale(0.1)">Small.</p>
    </div>
  `);
  expect(textsOf(await read(root))).to.deep.equal([
    'Here.',
    'Small.',
    'Half.',
    'Appears.',
    'Turned.',
    'Small.',
  ]);
});

it('a panel that grows from nothing is read when it has grown, and no longer when it is closed again', async () => {
  const root = await fixture(html`
    <div>
      <style>
        .panel {
          position: absolute;
          transform: scaleY(0);
          transition: transform 50ms;
        }
        .panel.open {
          transform: none;
        }
      </style>
      <p>Here.</p>
      <div class="panel"><p>In the panel.</p></div>
    </div>
  `);
  const reader = await read(root);
  expect(textsOf(reader)).to.deep.equal(['Here.']);
  root.querySelector('.panel')!.classList.add('open');
  await until(() => reader.sentences.length === 2);
  expect(textsOf(reader)).to.deep.equal(['Here.', 'In the panel.']);
  root.querySelector('.panel')!.classList.remove('open');
  await until(() => reader.sentences.length === 1);
});

it('a paragraph that comes with an animation from nothing is read', async () => {
  const root = await fixture(html`
    <div>
      <style>
        @keyframes grow {
          from {
            transform: scale(0);
          }
        }
        .new {
          animation: grow 50ms;
        }
      </style>
      <p>Here.</p>
    </div>
  `);
  const reader = await read(root);
  const added = document.createElement('p');
  added.className = 'new';
  added.textContent = 'Just added.';
  root.append(added);
  await until(() => reader.sentences.length === 2);
  expect(textsOf(reader)).to.deep.equal(['Here.', 'Just added.']);
});

it('a text for screen readers is read when the content that it replaces is on screen beside it: a price, a formula, a first letter, stars', async () => {
  const root = await fixture(html`
    <div>
      ${forScreenReaders}
      <p>
        <del aria-hidden="true">£20</del> <span class="sr">Original price was: £20.</span
        ><ins aria-hidden="true">£15</ins><span class="sr">Current price is: £15.</span>
      </p>
      <p>
        So
        <span
          ><span class="sr"
            ><math><mi>x</mi><mo>=</mo><mn>2</mn></math></span
          ><span aria-hidden="true">x=2</span></span
        >
        holds.
      </p>
      <p>
        MathJax:
        <span
          ><span aria-hidden="true" style="display: inline-block; width: 9px; height: 9px"></span
          ><span class="sr"
            ><math><mi>y</mi><mo>=</mo><mn>3</mn></math></span
          ></span
        >
        too.
      </p>
      <p><span aria-hidden="true" style="float: left">T</span><span class="sr">T</span>he end.</p>
      <p><span aria-hidden="true">★★★★☆</span> <span class="sr">4 out of 5 stars</span></p>
      <p><svg aria-hidden="true"></svg><span class="sr">Opens a new window.</span></p>
      <h2>
        Tax <a href="#tax"><span class="sr">Link to this part.</span> <span aria-hidden="true">#</span></a>
      </h2>
      <div>
        <p class="sr">News for screen readers.</p>
        <div aria-hidden="true" style="display: none">Closed.</div>
      </div>
      <p>Read on<span class="sr"> about tax</span></p>
    </div>
  `);
  expect(textsOf(await read(root))).to.deep.equal([
    'Original price was: £20.',
    'Current price is: £15.',
    'So x = 2 holds.',
    'MathJax: y = 3 too.',
    'The end.',
    '4 out of 5 stars',
    'Tax',
    'Read on',
  ]);
});

it('text that a page has cut into pieces for an animation, hidden from screen readers and named as a whole, is read', async () => {
  const root = await fixture(html`
    <div>
      <h1 aria-label="Hello big world">
        ${['Hello big', 'world'].map((line) => html`<div aria-hidden="true">${line}</div>`)}
      </h1>
      <p aria-label="Come in.">
        ${['Come', 'in.'].map(
          (word) => html`<span aria-hidden="true" style="display: inline-block">${word}</span> `,
        )}
      </p>
      <p>
        <a href="#shop" aria-label="Shop"><svg aria-hidden="true"></svg></a>
      </p>
    </div>
  `);
  const reader = await read(root);
  expect(textsOf(reader)).to.deep.equal(['Hello big world', 'Come in.']);
  expect(String(reader.sentences[0]!.range()).replace(/\s+/g, '')).to.equal('Hellobigworld');
});

it('the name that draws an icon of Google’s fonts is not read', async () => {
  const root = await fixture(html`
    <div>
      <p><i class="material-icons left">menu</i>Open the menu.</p>
      <p><span class="material-symbols-outlined">home</span> Go home.</p>
      <section class="has-material-icons"><p>With icons.</p></section>
    </div>
  `);
  expect(textsOf(await read(root))).to.deep.equal(['Open the menu.', 'Go home.', 'With icons.']);
});
