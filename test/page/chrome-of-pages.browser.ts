// The parts of a page around its text, and text that a page moves away or hides by its style.
import { expect, fixture, html } from '@open-wc/testing';
import { until } from '../until.ts';
import { read, textsOf as sentencesOf } from './page-readers.ts';
import { textsOf } from './texts-of.ts';

it('reads no breadcrumbs, no numbers of pages and no links that share the page, and all other links', async () => {
  const root = await fixture(html`
    <main>
      <ol class="c-breadcrumb">
        <li><a href="/">Home</a></li>
      </ol>
      <p id="breadcrumbs"><a href="/">Home</a> » News</p>
      <ul>
        <li><a href="https://www.facebook.example/sharer/sharer.php?u=x">Facebook</a></li>
        <li><a href="https://x.example/intent/post?text=x">X</a></li>
        <li><a href="https://www.linkedin.example/shareArticle?mini=true&url=x">LinkedIn</a></li>
        <li><a href="mailto:?subject=News">Email</a></li>
      </ul>
      <p class="no-breadcrumbs">
        Read the <a href="/shareholders">report</a> or <a href="mailto:us@example.org?subject=x">write</a> to
        us.
      </p>
      <div class="pagination"><a href="?page=1">1</a> <a href="?page=2">2</a></div>
    </main>
  `);
  expect(textsOf(root)).to.deep.equal(['Read the report or write to us.']);
});

it('reads nothing that is outside of the page in a transformed wrapper, as routers make it for a change of routes', async () => {
  const root = await fixture(html`
    <main style="transform: translateZ(0)">
      <a href="#here" style="position: absolute; top: -500px">Skip to here</a>
      <div style="position: fixed; left: -300px; width: 200px; top: 0">In the drawer.</div>
      <p>Here.</p>
      <div style="position: fixed; top: 3000px">Far down.</div>
      <div style="overflow: auto; height: 50px; position: relative">
        <p style="position: absolute; top: -10px">Scrolled.</p>
      </div>
    </main>
  `);
  expect(textsOf(root)).to.deep.equal(['Here.', 'Far down.', 'Scrolled.']);
});

it('leaves out what a page makes invisible after it was read, and reads what it makes visible', async () => {
  const root = await fixture(html`
    <div>
      <div class="one"><p>Tab one.</p></div>
      <div class="two" style="visibility: hidden"><p>Tab two.</p></div>
    </div>
  `);
  const reader = await read(root);
  expect(sentencesOf(reader)).to.deep.equal(['Tab one.']);
  root.querySelector<HTMLElement>('.one')!.style.visibility = 'hidden';
  root.querySelector<HTMLElement>('.two')!.style.visibility = 'visible';
  await until(() => sentencesOf(reader).join() === 'Tab two.');
});
