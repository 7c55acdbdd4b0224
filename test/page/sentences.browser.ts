// How the text of a page is split into sentences.
import { expect, fixture, html } from '@open-wc/testing';
import { glossaryOf } from '../../src/page/glossary.ts';
import type { Glossary, Sentence } from '../../src/page/sentences.ts';
import { read, textsOf } from './page-readers.ts';

const texts = async (root: Element, glossary: Glossary | null = null): Promise<string[]> =>
  textsOf(await read(root, { glossary }));
/** The text of the page at these sentences. */
const written = (sentences: readonly Sentence[]): string[] =>
  sentences.map((sentence) => sentence.range().toString().replace(/\s+/g, ' '));

it('reads sentences, each with its place; an abbreviation ends no sentence, and punctuation alone is no sentence', async () => {
  const root = await fixture(html`
    <div>
      <p>See Dr. Smith at <b>ten.</b> Take your letter. Is it far? …</p>
    </div>
  `);
  const { sentences } = await read(root);
  const said = ['See Dr. Smith at ten.', 'Take your letter.', 'Is it far?'];
  expect(sentences.map(({ text }) => text)).to.deep.equal(said);
  expect(written(sentences)).to.deep.equal(said);
});

it('a single small letter may end a sentence, and an abbreviation of two letters, as “z. B.”, does not', async () => {
  const root = await fixture(html`
    <div>
      <p>Choose option a. Next choose b. John J. Smith says (so does plan c). Then wait.</p>
      <p>a. It opens at nine. It closes at five.</p>
      <p>Autos u. a. Dinge, z. B. Räder. Dann geht es d. h. Punkt für Punkt weiter.</p>
    </div>
  `);
  expect(await texts(root)).to.deep.equal([
    'Choose option a.',
    'Next choose b.',
    'John J. Smith says (so does plan c).',
    'Then wait.',
    'a. It opens at nine.',
    'It closes at five.',
    'Autos u. a. Dinge, z. B. Räder.',
    'Dann geht es d. h. Punkt für Punkt weiter.',
  ]);
});

it('a name with an exclamation or question mark does not end a sentence before a small letter', async () => {
  const root = await fixture(html`
    <div>
      <p>
        Yahoo! is a firm. Did you see Who’s There? on Friday? iPhone owners did. Stop! Now go. Jeopardy! was
        won.
      </p>
      <p lang="de">Ach! wie schön. Kommst du? Ja!</p>
    </div>
  `);
  expect(await texts(root)).to.deep.equal([
    'Yahoo! is a firm.',
    'Did you see Who’s There? on Friday?',
    'iPhone owners did.',
    'Stop!',
    'Now go.',
    'Jeopardy! was won.',
    'Ach! wie schön.',
    'Kommst du?',
    'Ja!',
  ]);
});

it('abbreviations of articles in English and German end no sentence, and a caption stays with its number', async () => {
  const root = await fixture(html`
    <div>
      <p>Table 1. Tolls in pounds</p>
      <p>
        On Sun. 3 Nov. it was 2 % of G.D.P. See a.k.a. Joe, viz. Smith, for max. 5 people. See Fig. 1. It is
        old.
      </p>
      <p lang="de">
        Vgl. Abb. 2 und Kap. 4 in Bd. 3 davon. Die sog. Brücke kostet inkl. Steuer 3 € zzgl. Versand. Hr.
        Meier, geb. Müller, zahlt ggf. Gebühren, lt. Vertrag mind. 5 €, evtl. Rabatt. Es kamen rd. 3.000.
      </p>
      <p lang="de">Abbildung 3. Die Brücke</p>
    </div>
  `);
  expect(await texts(root)).to.deep.equal([
    'Table 1. Tolls in pounds',
    'On Sun. 3 Nov. it was 2 % of G.D.P.',
    'See a.k.a. Joe, viz. Smith, for max. 5 people.',
    'See Fig. 1.',
    'It is old.',
    'Vgl. Abb. 2 und Kap. 4 in Bd. 3 davon.',
    'Die sog. Brücke kostet inkl. Steuer 3 € zzgl. Versand.',
    'Hr. Meier, geb. Müller, zahlt ggf. Gebühren, lt. Vertrag mind. 5 €, evtl. Rabatt.',
    'Es kamen rd. 3.000.',
    'Abbildung 3. Die Brücke',
  ]);
});

it('dates, times, initials and names of firms and states stay whole, and one of them may end a sentence', async () => {
  const root = await fixture(html`
    <div>
      <p>
        24 Nov. 2026, 10 a.m. Monday. J.K. Rowling met the U.S. President. He left the U.S. The end is near.
      </p>
      <p>Apple Inc. CEO Tim Cook and Sen. Lee spoke. Smith v. Jones. Plan B. Then C, in Reg. 7. Q. No?</p>
      <p lang="de">Am 3. Mai kam die 2. Auflage für ca. 5 Mio. Euro. Dr. med. Müller kam.</p>
      <h2>Q. What is it?</h2>
    </div>
  `);
  expect(await texts(root)).to.deep.equal([
    '24 Nov. 2026, 10 a.m. Monday.',
    'J.K. Rowling met the U.S. President.',
    'He left the U.S.',
    'The end is near.',
    'Apple Inc. CEO Tim Cook and Sen. Lee spoke.',
    'Smith v. Jones.',
    'Plan B.',
    'Then C, in Reg. 7.',
    'Q. No?',
    'Am 3. Mai kam die 2. Auflage für ca. 5 Mio. Euro.',
    'Dr. med. Müller kam.',
    'Q. What is it?',
  ]);
});

it('direct speech stays with its speaker, and quotes and brackets with their sentence, in each language', async () => {
  const root = await fixture(html`
    <div>
      <p>“Why?” he asked. “Now!” She left.</p>
      <p lang="fr">Il dit : « Bonjour ! » Puis il part. « Oui ! » dit-elle.</p>
      <p lang="de">„Warum?“ fragte er. »Wann?« fragte sie. ‚Ja?‘ rief er. Er rief: „Nein!“ Dann ging er.</p>
      <p lang="ja">雨でしょう！「行きますか？」と聞いた。はい。</p>
    </div>
  `);
  const { sentences } = await read(root);
  const said = [
    '“Why?” he asked.',
    '“Now!”',
    'She left.',
    'Il dit : « Bonjour ! »',
    'Puis il part.',
    '« Oui ! » dit-elle.',
    '„Warum?“ fragte er.',
    '»Wann?« fragte sie.',
    '‚Ja?‘ rief er.',
    'Er rief: „Nein!“',
    'Dann ging er.',
    '雨でしょう！',
    '「行きますか？」と聞いた。',
    'はい。',
  ];
  expect(sentences.map(({ text }) => text)).to.deep.equal(said);
  expect(written(sentences)).to.deep.equal(said);
});

it('a line ends a sentence, unless it ends in a comma or the next line goes on with a small letter', async () => {
  const root = await fixture(html`
    <div>
      <h1>Opening times<br />change in spring</h1>
      <p>10 High St.,<br />London<br />SW1A 1AA<br /><br />and so on</p>
      <p>- tea<br />- milk.<br />the end</p>
    </div>
  `);
  expect(await texts(root)).to.deep.equal([
    'Opening times change in spring',
    '10 High St., London',
    'SW1A 1AA',
    'and so on',
    '- tea',
    '- milk.',
    'the end',
  ]);
});

it('invisible hyphens and marks are not signed', async () => {
  const root = await fixture(html`<p>Donau&shy;dampf&shy;schiff&nbsp;2 is&#x200b;land&#x200e;. Yes.</p>`);
  const { sentences } = await read(root);
  expect(sentences.map(({ text }) => text)).to.deep.equal(['Donaudampfschiff 2 island.', 'Yes.']);
  expect(written(sentences)[1]).to.equal('Yes.');
});

it('characters that draw the icons of a font are not signed', async () => {
  const root = await fixture(html`
    <div>
      <p><i>&#xe603;</i> Search here. Or <i>&#xf015;</i> go home.</p>
      <p><i>&#xe900;</i></p>
    </div>
  `);
  const { sentences } = await read(root);
  expect(sentences.map(({ text }) => text)).to.deep.equal(['Search here.', 'Or go home.']);
});

it('a number before a heading or a paragraph is no sentence, and a row ends without a comma', async () => {
  const root = await fixture(html`
    <div>
      <h2>1.2. What you pay</h2>
      <p>(3) You pay at once. It was 12. You may appeal.</p>
      <table>
        <tr>
          <th>Fee</th>
          <td>£4</td>
        </tr>
      </table>
    </div>
  `);
  expect(await texts(root)).to.deep.equal([
    '1.2. What you pay',
    '(3) You pay at once.',
    'It was 12.',
    'You may appeal.',
    'Fee, £4',
  ]);
});

it('only a paragraph that may have several sentences is given to the slow segmenter', async () => {
  const { segment } = Intl.Segmenter.prototype;
  const segmented: string[] = [];
  Intl.Segmenter.prototype.segment = function (text) {
    segmented.push(text);
    return segment.call(this, text);
  };
  try {
    const root = await fixture(html`
      <div>
        <h2>Appeals</h2>
        <p>You may appeal to <b>us</b> (“now or later!”)</p>
        <p>Wait for us…</p>
        <p>Is it far? It is.</p>
        <p lang="el">Πού; Εδώ.</p>
      </div>
    `);
    const said = [
      'Appeals',
      'You may appeal to us (“now or later!”)',
      'Wait for us…',
      'Is it far?',
      'It is.',
    ];
    expect(await texts(root)).to.deep.equal([...said, 'Πού;', 'Εδώ.']);
    expect(segmented.map((text) => text.trim())).to.deep.equal(['Is it far? It is.', 'Πού; Εδώ.']);
  } finally {
    Intl.Segmenter.prototype.segment = segment;
  }
});

it('without the platform’s segmenter it reads sentences as well', async () => {
  const { Segmenter } = Intl;
  Reflect.deleteProperty(Intl, 'Segmenter');
  try {
    const root = await fixture(html`<p>“Come in!” he said. Is it far? It is 3.5 miles.</p>`);
    expect(await texts(root)).to.deep.equal(['“Come in!” he said.', 'Is it far?', 'It is 3.5 miles.']);
  } finally {
    Object.defineProperty(Intl, 'Segmenter', { value: Segmenter, configurable: true, writable: true });
  }
});

it('a glossary replaces whole words as they are written, the longest first', async () => {
  const root = await fixture(html`<p>Meet at R. 12, NHS, NHS trust and NHSX.</p>`);
  const glossary = glossaryOf({
    NHS: 'health service',
    'NHS trust': 'hospital',
    'R.': 'Street',
    x: 7,
    '': 'y',
  });
  expect(await texts(root, glossary)).to.deep.equal([
    'Meet at Street 12, health service, hospital and NHSX.',
  ]);
  expect(glossaryOf('junk')).to.equal(null);
});

it('a large first letter, ruby and a raised number belong to their word, and a cell is never joined to the one before', async () => {
  const root = await fixture(html`
    <div>
      <p>
        <span style="float: left">T</span>his is a story of
        <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> for £5<sup>99</sup>.
      </p>
      <table>
        <tr>
          <td>York.</td>
          <td>–</td>
          <td>5</td>
        </tr>
      </table>
      <div role="row">
        <div>Leeds</div>
        <div>6</div>
      </div>
    </div>
  `);
  expect(await texts(root)).to.deep.equal(['This is a story of 漢 for £5 99.', 'York. –, 5', 'Leeds, 6']);
});

it('of a sentence that is in two trees, the words in the tree that has most of it are marked', async () => {
  const root = await fixture(html`<div><div>The light text is long.</div></div>`);
  root.firstElementChild!.attachShadow({ mode: 'open' }).innerHTML = '<p>Note: <slot></slot></p>';
  const { sentences } = await read(root);
  expect(sentences.map(({ text }) => text)).to.deep.equal(['Note: The light text is long.']);
  expect(String(sentences[0]!.range())).to.equal('The light text is long.');
});
