// Words that the look of a page keeps apart, although no element and no space is between them.
import { expect, fixture, html } from '@open-wc/testing';
import { textsOf } from './texts-of.ts';

it('a line break that white-space keeps ends a sentence as a written one does, and no other line break does', async () => {
  const root = await fixture(html`
    <div>
      <p style="white-space: pre-line">${'Monday: open\nTuesday: closed'}</p>
      <p style="white-space: pre-wrap">Come to <b>Cardiff</b>${'!\nHigh Street,\nsecond floor\n'}</p>
      <p style="white-space: nowrap">${'Come\nTomorrow'}</p>
      <p><span style="white-space: pre-line">${'Open\nFree'}</span></p>
      <p style="white-space: pre-line"><mark>Snow</mark>${'\nStay in'}</p>
      <p style="white-space: pre-line">${'Rain\r\nGo out'}</p>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal([
    'Monday: open',
    'Tuesday: closed',
    'Come to Cardiff!',
    'High Street, second floor',
    'Come Tomorrow',
    'Open',
    'Free',
    'Snow',
    'Stay in',
    'Rain',
    'Go out',
  ]);
});

it('boxes in a line with room at a side are words of their own, and boxes without are parts of a word', async () => {
  const root = await fixture(html`
    <div>
      <style>
        span,
        a {
          display: inline-block;
        }
        .chip {
          padding: 0 4px;
        }
        .link {
          margin-right: 4px;
        }
      </style>
      <p>
        <span class="chip">News</span><span class="chip">Sport</span>today, <span class="chip">new</span>!
      </p>
      <p>Taxes (<span class="chip">new</span>) for “<span class="chip">all</span>”</p>
      <p><a class="link" href="#tax">Tax</a><a class="link" href="#bins">Bins</a></p>
      <p><span>un</span><span>believable</span></p>
      <p><span class="link">T</span>he end</p>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal([
    'News Sport today, new!',
    'Taxes (new) for “all”',
    'Tax Bins',
    'unbelievable',
    'The end',
  ]);
});
