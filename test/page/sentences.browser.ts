// How the text of a page is cut into sentences.
import { expect, fixture, html } from '@open-wc/testing';
import { PageReader } from '../../src/page/page-reader.ts';
import { glossaryOf, type Glossary, type Sentence } from '../../src/page/sentences.ts';

const readers: PageReader[] = [];
afterEach(() => readers.splice(0).forEach((reader) => reader.close()));

/** Reads an element, and follows it until the test is over. */
async function read(target: Element, glossary: Glossary | null = null): Promise<PageReader> {
  const reader = new PageReader({ host: document.body, target, glossary, changed: () => {} });
  readers.push(reader);
  await reader.read();
  return reader;
}

const texts = async (root: Element, glossary?: Glossary | null): Promise<string[]> =>
  (await read(root, glossary)).sentences.map(({ text }) => text);
/** What is written where these sentences are. */
const written = (sentences: readonly Sentence[]): string[] =>
  sentences.map((sentence) => sentence.range().toString().replace(/\s+/g, ' '));

it('reads sentences, each with its place; an abbreviation ends none, and punctuation alone is none', async () => {
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

it('a paragraph that is plainly one sentence is not given to the slow segmenter; any other is', async () => {
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
    expect(await texts(root)).to.deep.equal(['“Come in!”', 'he said.', 'Is it far?', 'It is 3.5 miles.']);
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
