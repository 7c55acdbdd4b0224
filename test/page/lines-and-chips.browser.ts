// Words that the style of a page keeps apart, although there is no block and no space between them.
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

it('inline boxes with space at a side are separate words, and boxes without space are parts of a word', async () => {
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

it('chips that are parts of a line are separate words, and marked parts of a word are not', async () => {
  const root = await fixture(html`
    <div>
      <style>
        .tag {
          padding: 0 4px;
        }
        mark {
          padding: 0 2px;
        }
      </style>
      <p><span class="tag">News</span><span class="tag">Sport</span></p>
      <p>
        <a class="tag" href="#tax">Tax</a><a class="tag" href="#bins">Bins</a> and <a href="#more">more</a>
      </p>
      <p>un<mark>believ</mark>able</p>
      <p><span class="word">un</span><span class="word">believable</span></p>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal(['News Sport', 'Tax Bins and more', 'unbelievable', 'unbelievable']);
});

it('words with a mark of a style sheet between them are separate words', async () => {
  const root = await fixture(html`
    <div>
      <style>
        .meta span + span::before {
          content: ' · ';
        }
        .tags a:not(:last-child)::after {
          content: ', ';
        }
        .clear span::after {
          content: '';
        }
        .room span {
          padding: 0 4px;
        }
      </style>
      <p class="meta"><span class="by">by Ann</span><span>in Life</span><span>3 comments</span></p>
      <p class="tags"><a>Art</a><a>Music</a></p>
      <p class="clear"><span>un</span><span>believable</span></p>
      <p class="room"><span>Design</span><span>85%</span></p>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal([
    'by Ann in Life 3 comments',
    'Art Music',
    'unbelievable',
    'Design 85%',
  ]);
});

it('an inline part with space beside its text is separate from the words around it, unless a word continues in it', async () => {
  const root = await fixture(html`
    <div>
      <style>
        .room {
          margin-inline-start: 8px;
        }
        .mark {
          padding: 0 2px;
        }
      </style>
      <h2>Inbox<span class="room">4</span></h2>
      <p>Price<span class="room">£30</span></p>
      <p><strong class="mark">Beta</strong>This is new.</p>
      <p><span>News</span><span class="room">Sport</span></p>
      <p>
        Open <code class="mark">file</code>s and <b class="mark">un</b>mark them, the 1<i class="mark">st</i>.
      </p>
      <p>9 m<sup class="mark">2</sup>, H<sub class="mark">2</sub>O</p>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal([
    'Inbox 4',
    'Price £30',
    'Beta This is new.',
    'News Sport',
    'Open files and unmark them, the 1st.',
    '9 m2, H2O',
  ]);
});

it('raised pence are not read as digits of the pounds, whatever style raises them', async () => {
  const root = await fixture(html`
    <div>
      <p>£89<sup style="vertical-align: baseline">99</sup></p>
      <p>£<span>89</span><span style="vertical-align: super">99</span></p>
      <p><b>£89</b><small style="vertical-align: text-top">99</small> a month</p>
      <p>£<b>8</b><b>9</b></p>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal(['£89 99', '£89 99', '£89 99 a month', '£89']);
});

it('the letters of an ordinal number belong to it, although its number is a chip', async () => {
  const root = await fixture(html`
    <div>
      <style>
        span {
          display: inline-block;
          margin-right: 2px;
        }
      </style>
      <p>The <span>1</span>st and the <span>22</span>nd of May</p>
      <p><span>3</span>steps</p>
      <p>Le <span>1</span><sup>er</sup> mai</p>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal(['The 1st and the 22nd of May', '3 steps', 'Le 1er mai']);
});

it('the lines of a cell have a comma between them, because a row is one sentence', async () => {
  const root = await fixture(html`
    <table>
      <tr>
        <th>Opening hours</th>
        <td style="white-space: pre-line">${'Monday 9 to 5\nTuesday closed\n\nCall us:\n 029'}</td>
        <td>Free</td>
      </tr>
    </table>
  `);
  expect(textsOf(root)).to.deep.equal(['Opening hours, Monday 9 to 5, Tuesday closed, Call us: 029, Free']);
});

it('chips of one letter are separate words, and so are keys', async () => {
  const root = await fixture(html`
    <div>
      <style>
        .size {
          display: inline-block;
          padding: 4px;
        }
        kbd {
          padding: 0 3px;
        }
      </style>
      <div><span class="size">S</span><span class="size">M</span><span class="size">L</span></div>
      <p>Press <kbd>Ctrl</kbd><kbd>K</kbd> to find.</p>
      <p><span class="size">T</span>he end</p>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal(['S M L', 'Press Ctrl K to find.', 'The end']);
});

it('an inline box that is wider than its text is separate from the text beside it', async () => {
  const root = await fixture(html`
    <ul>
      <style>
        span {
          display: inline-block;
        }
        .amount {
          width: 80px;
        }
      </style>
      <li><span class="amount">225 g</span>flour</li>
      <li><span>un</span>salted <span class="amount">butter</span>, soft</li>
    </ul>
  `);
  expect(textsOf(root)).to.deep.equal(['225 g flour', 'unsalted butter, soft']);
});

it('the names of a description list in a line have commas before them', async () => {
  const root = await fixture(html`
    <dl>
      <style>
        dt,
        dd {
          display: inline;
          margin: 0;
        }
        dd::after {
          content: '';
          display: block;
        }
      </style>
      <dt>Doors:</dt>
      <dd>7pm</dd>
      <dt>Age:</dt>
      <dd>14+</dd>
    </dl>
  `);
  expect(textsOf(root)).to.deep.equal(['Doors: 7pm, Age: 14+']);
});

it('the items of a list in a line have commas between them', async () => {
  const root = await fixture(html`
    <div>
      <style>
        li {
          display: inline;
        }
        .blocks li {
          display: inline-block;
        }
      </style>
      <ul>
        <li>Foss</li>
        <li><a href="#wharfe">Wharfe</a></li>
        <li>Nidd.</li>
        <li>Swale</li>
      </ul>
      <ul class="blocks">
        <li>News</li>
        <li>Sport</li>
      </ul>
      <table>
        <tr>
          <th>Rivers</th>
          <td>
            <ul>
              <li>Foss</li>
              <li>Wharfe</li>
            </ul>
          </td>
        </tr>
      </table>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal([
    'Foss, Wharfe, Nidd.',
    'Swale',
    'News, Sport',
    'Rivers, Foss, Wharfe',
  ]);
});
