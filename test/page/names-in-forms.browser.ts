// A form of a page, whose fields have the names of members of an element: the browser gives the field in place of the member.
import { expect, fixture, html } from '@open-wc/testing';
import { read, textsOf } from './page-readers.ts';

it('a form that asks for the number of children is read like any other', async () => {
  const root = await fixture(html`
    <article>
      <h2>Our hotel</h2>
      <form>
        <p>Choose the days of your stay.</p>
        <label>Children <input name="children" /></label>
      </form>
      <form>
        <div>Who comes with you?</div>
        <select name="children">
          <option>0</option>
          <option>1</option>
        </select>
      </form>
      <p>Breakfast is included.</p>
    </article>
  `);
  expect(textsOf(await read(root))).to.deep.equal([
    'Our hotel',
    'Choose the days of your stay.',
    'Children',
    'Who comes with you?',
    'Breakfast is included.',
  ]);
});
