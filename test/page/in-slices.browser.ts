// Edits of thousands of elements while a page is read: the page can do its own work meanwhile.
import { expect, fixture, html } from '@open-wc/testing';
import { read } from './page-readers.ts';

const task = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it('thousands of elements that are added at once are not compared with one another', async () => {
  const root = await fixture(
    html`<div>
      <p>First.</p>
      <section></section>
    </div>`,
  );
  const reader = await read(root);
  const { contains } = Node.prototype;
  let comparisons = 0;
  Node.prototype.contains = function (other) {
    comparisons += 1;
    return contains.call(this, other);
  };
  root.querySelector('section')!.insertAdjacentHTML('beforeend', '<p>Added.</p>'.repeat(3000));
  while (reader.sentences.length === 1) await task();
  Object.assign(Node.prototype, { contains });
  expect(reader.sentences.length).to.equal(3001);
  expect(comparisons).to.be.lessThan(100_000);
});

it('thousands of items that a filter hides are looked at in slices too', async () => {
  const root = await fixture(html`<div><p>First.</p></div>`);
  root.insertAdjacentHTML('beforeend', '<p>Item.</p>'.repeat(10_000));
  const reader = await read(root);
  const { getComputedStyle } = window;
  let looks = 0;
  window.getComputedStyle = (...asked) => {
    looks += 1;
    return getComputedStyle.apply(window, asked);
  };
  for (const item of [...root.children].slice(1)) item.setAttribute('style', 'display: none');
  const each: number[] = [];
  while (reader.sentences.length > 1) {
    looks = 0;
    await task();
    each.push(looks);
  }
  Object.assign(window, { getComputedStyle });
  expect(Math.max(...each)).to.be.lessThan(10_000);
});
