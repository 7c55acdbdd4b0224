// Marks of notes, which are not read, and raised text, which is.
import { expect, fixture, html } from '@open-wc/testing';
import { textsOf } from './texts-of.ts';

it('reads no footnote mark and no link back from a footnote, and a raised number that belongs to a word stays with it', async () => {
  const root = await fixture(html`
    <div>
      <p>
        It opened in 1851.<sup><a href="#n1">[1]</a></sup> It is free.<a href="#n2"><sup>2</sup></a> See
        <a href="#more">more</a>.
      </p>
      <p>
        Water is H<sub>2</sub>O, and a room of 9 m<sup>2</sup> is small.<a role="doc-noteref" href="#n3">*</a>
      </p>
      <ol>
        <li id="n1"><a href="#r1">^</a> Report, p. 12. It is long. <a href="#r1">↩</a></li>
        <li>It costs £5.<a href="#n4" style="vertical-align: super">1)</a></li>
        <li>Bus No. 5 stops here. Sgt. Jones said no. 5 people came.</li>
      </ol>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal([
    'It opened in 1851.',
    'It is free.',
    'See more.',
    'Water is H2O, and a room of 9 m2 is small.',
    'Report, p. 12.',
    'It is long.',
    'It costs £5.',
    'Bus No. 5 stops here.',
    'Sgt. Jones said no. 5 people came.',
  ]);
});

it('reads no mark in brackets and no edit link, as MediaWiki writes them', async () => {
  const root = await fixture(html`
    <div>
      <h2>
        History<span class="mw-editsection">[<a href="/edit">edit</a>]</span>
      </h2>
      <p>
        It opened in May.<sup><a href="#note">[note 1]</a></sup> It was free.<sup>: 42 </sup
        ><sup
          >[<a href="/wiki/Citation_needed"><i>citation needed</i></a
          >]</sup
        >
        A square<sup>[sic]</sup> of 9 m<sup><a href="/wiki/Square">2</a></sup
        >.
      </p>
      <p>
        <span class="mw-cite-backlink"
          >^ <a href="#ref-1"><sup>a</sup></a></span
        >
        Jones
      </p>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal([
    'History',
    'It opened in May.',
    'It was free.',
    'A square[sic] of 9 m2.',
    'Jones',
  ]);
});

it('reads no list of footnote marks, as scientific articles have them', async () => {
  const root = await fixture(html`
    <p>
      Bread is old.<sup><a href="#a">1</a>,<a href="#b">2</a>–<a href="#c">4</a></sup> It was baked.
    </p>
  `);
  expect(textsOf(root)).to.deep.equal(['Bread is old.', 'It was baked.']);
});
