// Text of a page that is outside the box that cuts it off: slides of a carousel, drawers, and text that a visitor can scroll to.
import { expect, fixture, html } from '@open-wc/testing';
import { until } from '../until.ts';
import { read, textsOf } from './page-readers.ts';
import { textsOf as textsNow } from './texts-of.ts';

const carousel = html`
  <style>
    .carousel {
      width: 300px;
      overflow: hidden;
    }
    .track {
      display: flex;
    }
    .slide {
      flex: none;
      width: 300px;
    }
  </style>
`;

it('reads the visible slide of a carousel, and another one when the carousel has moved to it', async () => {
  const motions = ['', 'transition: translate 50ms', 'transition: transform 50ms'];
  for (const motion of motions) {
    const root = await fixture(html`
      <div>
        ${carousel}
        <p>Before.</p>
        <div class="carousel">
          <div class="track" style=${motion}>
            <div class="slide"><p>One.</p></div>
            <div class="slide">Two. <b>Again.</b></div>
            <div class="slide"><p>Three.</p></div>
          </div>
        </div>
        <p>After.</p>
      </div>
    `);
    const reader = await read(root);
    expect(textsOf(reader), motion).to.deep.equal(['Before.', 'One.', 'After.']);
    const [before] = reader.sentences;
    const track = root.querySelector<HTMLElement>('.track')!;
    const moveTo = (x: string): string =>
      (track.style[motion.includes('translate') ? 'translate' : 'transform'] = x);
    moveTo(motion.includes('translate') ? '-300px' : 'translateX(-300px)');
    await until(() => textsOf(reader).join('|') === 'Before.|Two.|Again.|After.');
    moveTo(motion.includes('translate') ? '-600px' : 'translateX(-600px)');
    await until(() => textsOf(reader).join('|') === 'Before.|Three.|After.');
    moveTo('');
    await until(() => textsOf(reader).join('|') === 'Before.|One.|After.');
    expect(reader.sentences[0]).to.equal(before);
  }
});

it('reads the slide that a script scrolls to', async () => {
  const root = await fixture(html`
    <div>
      ${carousel}
      <div class="carousel track">
        <div class="slide"><p>One.</p></div>
        <div class="slide">
          <article style="overflow: hidden; border-radius: 8px"><p>Two.</p></article>
        </div>
      </div>
    </div>
  `);
  const reader = await read(root);
  expect(textsOf(reader)).to.deep.equal(['One.']);
  root.querySelector('.carousel')!.scrollLeft = 300;
  await until(() => textsOf(reader).join('|') === 'Two.');
});

it('reads text that a visitor can scroll to, and text whose containing block is outside the box that cuts off', async () => {
  const root = await fixture(html`
    <div>
      ${carousel}
      <div class="carousel" style="overflow: auto">
        <div class="track">
          <p class="slide">One.</p>
          <p class="slide">Two.</p>
        </div>
      </div>
      <div class="carousel">
        <div style="overflow-x: auto" class="track">
          <p class="slide">Three.</p>
          <p class="slide">Four.</p>
        </div>
      </div>
      <div style="position: relative; width: 900px">
        <div class="carousel">
          <p>Five.</p>
          <p style="position: absolute; left: 400px; top: 0">Six.</p>
        </div>
      </div>
      <div class="carousel">
        <p style="text-indent: 900px; white-space: nowrap">Seven.</p>
        <div style="display: contents">Eight.</div>
        <div style="height: 1em">
          <p>Nine.</p>
          <p>Ten.</p>
        </div>
      </div>
    </div>
  `);
  expect(textsOf(await read(root))).to.deep.equal([
    'One.',
    'Two.',
    'Three.',
    'Four.',
    'Five.',
    'Six.',
    'Seven.',
    'Eight.',
    'Nine.',
    'Ten.',
  ]);
});

it('reads text that comes into view by itself: text that is moved in when it is scrolled to, and a ticker', async () => {
  const root = await fixture(html`
    <div class="carousel">
      ${carousel}
      <style>
        @keyframes ticker {
          from {
            transform: translateX(100%);
          }
          to {
            transform: translateX(-100%);
          }
        }
        .ticker {
          animation: ticker 20s linear infinite;
        }
      </style>
      <p>Here.</p>
      <div style="transform: translateX(-100%); transition: transform 1s">
        <h2>From the left.</h2>
        <p>With a text.</p>
      </div>
      <p style="translate: 120% 0">From the right.</p>
      <div class="track ticker">
        <p class="slide">One.</p>
        <p class="slide">Two.</p>
      </div>
    </div>
  `);
  expect(textsOf(await read(root))).to.deep.equal([
    'Here.',
    'From the left.',
    'With a text.',
    'From the right.',
    'One.',
    'Two.',
  ]);
});

it('does not read the rest of the page again when something in it moves and a part of it is out of sight', async () => {
  const changes: number[] = [];
  const paragraphs = Array.from({ length: 600 }, (_, at) => html`<p>Paragraph ${at}.</p>`);
  const root = await fixture(html`
    <div class="carousel">
      ${carousel}
      <p style="margin-left: -300px; width: 200px; transition: margin 50ms">Drawer.</p>
      <p class="bar">Bar.</p>
      ${paragraphs}
    </div>
  `);
  const reader = await read(root, { changed: (_, removed) => changes.push(removed.length) });
  expect(reader.sentences).to.have.length(601);
  changes.length = 0;
  root.querySelector<HTMLElement>('.bar')!.style.marginLeft = '1px';
  root.querySelector<HTMLElement>('p')!.style.marginLeft = '0';
  await until(() => textsOf(reader)[0] === 'Drawer.');
  expect(Math.max(...changes)).to.be.at.most(1);
});

it('keeps the slides that an endlessly turning carousel has shown, so that a reading comes to its end', async () => {
  const root = await fixture(html`
    <div>
      ${carousel}
      <div class="carousel">
        <div class="track">
          <div class="slide">One.</div>
          <div class="slide">Two. Again.</div>
          <div class="slide">Three.</div>
        </div>
      </div>
      <p>After.</p>
    </div>
  `);
  const reader = await read(root);
  const track = root.querySelector<HTMLElement>('.track')!;
  const first = ['One.', 'Two.', 'Three.'];
  for (let turn = 1; turn < 15; turn++) {
    track.style.transform = `translateX(${(turn % 3) * -300}px)`;
    await until(() => textsOf(reader).includes(first[turn % 3]!));
  }
  expect(textsOf(reader)).to.deep.equal(['One.', 'Two.', 'Again.', 'Three.', 'After.']);
});

it('reads a drawer when it is in the window, and nothing of it when it is outside, narrow or transparent', async () => {
  const closed = [
    'position: fixed; left: 0; translate: -100%',
    'position: fixed; left: 100%; top: 0',
    'position: fixed; top: 100%',
    'position: absolute; right: 100vw; left: auto',
    'position: absolute; bottom: 100vh; top: auto',
    'position: fixed; width: 0; overflow-x: hidden',
    'width: 0; overflow: hidden; white-space: nowrap',
    'position: absolute; opacity: 0; transition: opacity 50ms',
  ];
  for (const style of closed) {
    const root = await fixture(html`
      <div>
        <p>Here.</p>
        <div class="drawer" style=${style}><p>In the drawer.</p></div>
      </div>
    `);
    const reader = await read(root);
    expect(textsOf(reader), style).to.deep.equal(['Here.']);
    const drawer = root.querySelector<HTMLElement>('.drawer')!;
    drawer.style.cssText = `${style}; inset: 0 auto auto 0; translate: none; width: 200px; opacity: 1`;
    await until(() => textsOf(reader).join('|') === 'Here.|In the drawer.');
    drawer.style.cssText = style;
    await until(() => textsOf(reader).join('|') === 'Here.');
    root.remove();
  }
});

it('reads the part of the page above the scroll position, also where the body scrolls, in quirks mode, or on a page from right to left', async () => {
  const placed = 'position: absolute; top: 0; width: 80px';
  const pages = {
    'without a doctype': `<body><p style="${placed}">Placed.</p><p style="height: 3000px">Long.</p>`,
    'scrolled by its body': `<!doctype html><html style="height: 100%; overflow: hidden"><body style="position: relative; height: 100%; margin: 0;
      overflow: auto"><p style="${placed}">Placed.</p><p style="height: 3000px">Long.</p>`,
    'to the left': `<!doctype html><body dir="rtl"><p style="${placed}; left: -900px">Placed.</p><p>Long.</p>`,
  };
  for (const [what, source] of Object.entries(pages)) {
    const frame = document.body.appendChild(document.createElement('iframe'));
    const page = frame.contentDocument!;
    page.open();
    page.write(source);
    page.close();
    page.body.scrollTop = 1000;
    expect(textsNow(page.body), what).to.deep.equal(['Placed.', 'Long.']);
    frame.remove();
  }
});

it('reads a details element and a dialog each time that it opens, and nothing of it while it is closed', async () => {
  const root = await fixture(html`
    <div>
      <p>Here.</p>
      <details>
        <summary>More.</summary>
        <p>In the details.</p>
      </details>
      <dialog><p>In the dialog.</p></dialog>
    </div>
  `);
  const reader = await read(root);
  const shows = (texts: string): Promise<unknown> => until(() => textsOf(reader).join('|') === texts);
  const details = root.querySelector('details')!;
  const dialog = root.querySelector('dialog')!;
  for (let round = 0; round < 2; round++) {
    await shows('Here.|More.');
    details.open = true;
    await shows('Here.|More.|In the details.');
    details.open = false;
    dialog.showModal();
    await shows('Here.|More.|In the dialog.');
    dialog.close();
  }
});

// Firefox before 125 has no popovers.
if ('showPopover' in HTMLElement.prototype)
  it('reads a popover each time that it opens, and nothing of it while it is closed', async () => {
    const root = await fixture(html`
      <div>
        <p>Here.</p>
        <div popover><p>In the popover.</p></div>
      </div>
    `);
    const reader = await read(root);
    const popover = root.querySelector<HTMLElement>('[popover]')!;
    for (let round = 0; round < 2; round++) {
      await until(() => textsOf(reader).join('|') === 'Here.');
      popover.showPopover();
      await until(() => textsOf(reader).join('|') === 'Here.|In the popover.');
      popover.hidePopover();
    }
  });
