// Text of a page that is out of sight for a time: accordions, slides, and the page behind a dialog.
import { expect, fixture, html } from '@open-wc/testing';
import { until } from '../until.ts';
import { read, textsOf } from './page-readers.ts';

it('reads an accordion when it opens, and not the invisible text of a closed one', async () => {
  const closed = [
    'height: 0; overflow: hidden',
    'max-height: 0; overflow: clip',
    'display: grid; grid-template-rows: 0fr; overflow: hidden',
  ];
  for (const style of closed) {
    const root = await fixture(
      html`<div>
        <p>Shown.</p>
        <div style=${style}>
          <div style="min-height: 0; overflow: hidden">Folded. <b>Too.</b></div>
        </div>
        <p>
          <span style="overflow: hidden"><b>After.</b></span>
        </p>
      </div>`,
    );
    const reader = await read(root);
    expect(textsOf(reader), style).to.deep.equal(['Shown.', 'After.']);
    const panel = root.querySelector('div')!;
    panel.firstElementChild!.append(' And more.');
    root.querySelector('p')!.textContent = 'Still shown.';
    root.querySelector('span > b')!.textContent = 'Behind.';
    await until(() => textsOf(reader).join('|') === 'Still shown.|Behind.');
    panel.setAttribute('style', 'transition: height 0.1s; height: auto');
    await until(() => textsOf(reader).join('|') === 'Still shown.|Folded.|Too.|And more.|Behind.');
  }
});

it('reads the heading of an accordion, although it is a button, and no button beside the words of a heading', async () => {
  const root = await fixture(html`
    <div>
      <h3><button aria-expanded="true">What does it cost?</button></h3>
      <p>Nothing.</p>
      <div role="heading" aria-level="3"><a role="button" href="#when">When is it?</a></div>
      <h2>
        <button>
          <span>Who can come?</span>
          <span class="govuk-accordion__section-toggle">Show</span>
        </button>
      </h2>
      <h3>Where is it? <button>Copy the link</button></h3>
      <h3 hidden><button>Gone</button></h3>
      <p><button>Send</button></p>
    </div>
  `);
  expect(textsOf(await read(root))).to.deep.equal([
    'What does it cost?',
    'Nothing.',
    'When is it?',
    'Who can come?',
    'Where is it?',
  ]);
});

it('reads the control that opens a part of the page without a heading: a div, a name in a list, and a button when it is pressed', async () => {
  const root = await fixture(html`
    <div>
      <div role="button" aria-expanded="false"><a>What does it cost?</a></div>
      <dl>
        <dt><button aria-expanded="false">Who are you?</button></dt>
      </dl>
      <div>
        <button aria-expanded="false"><span>Where are you?</span></button>
        <p hidden>In Cardiff.</p>
      </div>
      <div><button aria-expanded="true" aria-haspopup="true">Sort</button><i>by date</i></div>
      <div>
        <p>All of it.</p>
        <button aria-expanded="true">Show less</button>
      </div>
    </div>
  `);
  const reader = await read(root);
  const before = ['What does it cost?', 'Who are you?'];
  const after = ['by date', 'All of it.'];
  expect(textsOf(reader)).to.deep.equal([...before, ...after]);
  const button = root.querySelector('p[hidden]')!.previousElementSibling!;
  button.setAttribute('aria-expanded', 'true');
  button.nextElementSibling!.removeAttribute('hidden');
  await until(() => textsOf(reader).length === 6);
  expect(textsOf(reader)).to.deep.equal([...before, 'Where are you?', 'In Cardiff.', ...after]);
});

it('leaves out an accordion that closes after it was read, also one that is a paragraph or an item', async () => {
  const root = await fixture(html`
    <div>
      <p>Shown.</p>
      <div class="panel" style="overflow: hidden; transition: height 0.1s"><p>Folded.</p></div>
      <ul>
        <li>Item.</li>
        <li class="panel" style="overflow: hidden">Hidden item.</li>
      </ul>
      <p class="panel" style="overflow: hidden">Hidden paragraph.</p>
    </div>
  `);
  const reader = await read(root);
  const [shown] = reader.sentences;
  const setHeight = (height: string): void => {
    for (const panel of root.querySelectorAll<HTMLElement>('.panel')) panel.style.height = height;
  };
  for (let round = 0; round < 2; round++) {
    expect(textsOf(reader).join('|')).to.equal('Shown.|Folded.|Item.|Hidden item.|Hidden paragraph.');
    setHeight('0');
    await until(() => textsOf(reader).join('|') === 'Shown.|Item.');
    setHeight('auto');
    await until(() => reader.sentences.length === 5);
  }
  expect(reader.sentences[0]).to.equal(shown);
});

it('leaves out an accordion that was opened, read and closed again before the page was painted', async () => {
  const root = await fixture(html`
    <div>
      <p>Shown.</p>
      <div style="overflow: hidden"><p>Folded.</p></div>
    </div>
  `);
  const reader = await read(root);
  const panel = root.querySelector('div')!;
  panel.style.height = '0';
  await until(() => textsOf(reader).join('|') === 'Shown.');
  await new Promise(requestAnimationFrame);
  panel.style.height = 'auto';
  // The reader's mutation observers report the change now, before the size observers of this frame run.
  await Promise.resolve();
  await reader.read();
  expect(textsOf(reader)).to.deep.equal(['Shown.', 'Folded.']);
  panel.style.height = '0';
  await until(() => textsOf(reader).join('|') === 'Shown.');
});

it('a panel is no longer watched when it has left the page, and again when it is put back', async () => {
  const root = await fixture(html`
    <div>
      <p>Shown.</p>
      <div style="overflow: hidden"><p>Folded.</p></div>
    </div>
  `);
  const reader = await read(root);
  const panel = root.querySelector('div')!;
  const { unobserve } = ResizeObserver.prototype;
  const left: Element[] = [];
  ResizeObserver.prototype.unobserve = function (box) {
    left.push(box);
    unobserve.call(this, box);
  };
  panel.remove();
  await until(() => left.includes(panel));
  Object.assign(ResizeObserver.prototype, { unobserve });
  root.append(panel);
  await until(() => textsOf(reader).join('|') === 'Shown.|Folded.');
  panel.style.height = '0';
  await until(() => textsOf(reader).join('|') === 'Shown.');
});

it('a panel that opens beside another one without an edit of the page raises no error of undelivered notifications', async () => {
  const root = await fixture(html`
    <div>
      <style>
        .panel {
          display: inline-block;
          overflow: hidden;
          height: 0;
        }
        .other {
          display: none;
        }
        :checked ~ .panel {
          display: inline-block;
          height: auto;
        }
      </style>
      <input type="checkbox" />
      <span class="panel">Folded.</span>
      <span class="panel other">Beside it.</span>
    </div>
  `);
  const reader = await read(root);
  root.querySelector('input')!.checked = true;
  await until(() => textsOf(reader).join('|') === 'Folded.|Beside it.');
  // An error of the window fails the test.
  await new Promise(requestAnimationFrame);
});

it('reads nothing that is inert, such as a hidden slide, and goes on behind an open dialog', async () => {
  const root = await fixture(html`
    <div>
      <p>Before.</p>
      <section inert><p>Slide one.</p></section>
      <section><p>Slide two.</p></section>
    </div>
  `);
  const reader = await read(root);
  expect(textsOf(reader)).to.deep.equal(['Before.', 'Slide two.']);
  const [one, two] = root.querySelectorAll('section');
  const { sentences } = reader;
  const [before] = sentences;
  // As behind a dialog: the part that is read, then the whole page, is inert and still in sight.
  for (const behind of [root, document.body]) {
    behind.toggleAttribute('inert', true);
    one!.inert = !one!.inert;
    two!.inert = !two!.inert;
    await until(() => textsOf(reader).join('|') === `Before.|Slide ${one!.inert ? 'two' : 'one'}.`);
    behind.toggleAttribute('inert', false);
  }
  expect(reader.sentences[0]).to.equal(before);
});

it('a reading goes on when its whole part is hidden from screen readers, as behind a dialog of Radix', async () => {
  const root = await fixture(html`
    <div>
      <p>Before.</p>
      <p aria-hidden="true">Never.</p>
      <p><i aria-hidden="true">Nor this.</i> After.</p>
    </div>
  `);
  const reader = await read(root);
  root.setAttribute('aria-hidden', 'true');
  root.querySelector('p')!.textContent = 'Before all.';
  await until(() => textsOf(reader).join('|') === 'Before all.|After.');
  expect(textsOf(await read(root))).to.deep.equal(['Before all.', 'After.']);
});

it('reads content that is placed outside an element without height, and in a body whose overflow applies to the window', async () => {
  const root = await fixture(html`
    <div style="overflow: hidden">
      <div style="position: absolute; top: 0"><p>Placed.</p></div>
    </div>
  `);
  expect(textsOf(await read(root))).to.deep.equal(['Placed.']);
  const { body } = root.ownerDocument;
  body.style.cssText = 'overflow: hidden; height: 0';
  try {
    expect(textsOf(await read(body))).to.include('Placed.');
  } finally {
    body.style.cssText = '';
  }
});
