// What is read from a page to be signed.
import { expect, fixture, html } from '@open-wc/testing';
import { findParts } from '../../src/page/parts.ts';
import { read, textsOf } from './page-readers.ts';

const texts = async (root: Element): Promise<string[]> => textsOf(await read(root));

it('reads one item for each block, in reading order, without inline markup and extra white space', async () => {
  const root = await fixture(html`
    <article>
      <h2>A title</h2>
      <p>
        One <b>bold</b>
        move.
      </p>
      Loose words
      <ul>
        <li>First<br />Line</li>
        <li>second</li>
      </ul>
    </article>
  `);
  expect(await texts(root)).to.deep.equal([
    'A title',
    'One bold move.',
    'Loose words',
    'First',
    'Line',
    'second',
  ]);
});

it('never reads invisible content, code outside a sentence, or content with data-sign-skip', async () => {
  const root = await fixture(html`
    <div>
      <p>seen</p>
      <p hidden>hidden</p>
      <p style="display: none">display none</p>
      <p style="visibility: hidden">invisible</p>
      <p aria-hidden="true">decoration</p>
      <p data-sign-skip>skipped <b>with all inside</b></p>
      <script type="text/plain">
        script
      </script>
      <pre>code</pre>
      <p><code>npm test</code></p>
      <p>Run <code>npm start</code> z. B. now.</p>
      <textarea>typed</textarea>
      <p>also <span data-sign-skip>(aside)</span> seen</p>
    </div>
  `);
  expect(await texts(root)).to.deep.equal(['seen', 'Run npm start z. B. now.', 'also seen']);
});

it('reads visible content inside invisible elements, and nothing of a closed details element', async () => {
  const root = await fixture(html`
    <div>
      <details>
        <summary>Opening times</summary>
        <p>folded</p>
        loose and <b>folded</b>
      </details>
      <details open>
        <summary>Address</summary>
        <p>unfolded</p>
        loose
      </details>
      <details data-sign-text="Prices">
        <summary>£</summary>
        folded
      </details>
      <div style="visibility: hidden">
        invisible
        <p style="visibility: visible">seen</p>
      </div>
      <p style="content-visibility: hidden">skipped by the browser</p>
      <div style="display: contents">no box of its own</div>
    </div>
  `);
  expect(await texts(root)).to.deep.equal([
    'Opening times',
    'Address',
    'unfolded',
    'loose',
    'Prices',
    'seen',
    'no box of its own',
  ]);
});

it('reads shadow roots as they are shown, with slotted content, and no content without a slot', async () => {
  const root = await fixture(html`
    <div>
      <div>in a slot</div>
      <div>in none<b>in none</b></div>
      <p>half: <meter value="0.5">fallback</meter><progress value="0.5">fallback</progress></p>
    </div>
  `);
  const [slotted, unslotted] = root.children;
  slotted!.attachShadow({ mode: 'open' }).append(document.createElement('slot'));
  unslotted!.attachShadow({ mode: 'open' }).append('of its own');
  expect(await texts(root)).to.deep.equal(['in a slot', 'of its own', 'half:']);
});

it('reads nodes that were adopted from an iframe', async () => {
  const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`);
  const inner = frame.contentDocument!;
  const p = inner.createElement('p');
  p.append('From a ', inner.createElement('b'));
  p.lastElementChild!.append('frame');
  const root = await fixture(html`<div></div>`);
  root.append(document.adoptNode(p));
  expect(await texts(root)).to.deep.equal(['From a frame']);
});

it('signs data-sign-text instead of what is written, inline and for a whole block', async () => {
  const root = await fixture(html`
    <div>
      <p>Meet at <abbr data-sign-text="Saint Pancras station">St P.</abbr> at noon.</p>
      <p>
        Ask (your <abbr data-sign-text="doctor">GP</abbr>), or <abbr data-sign-text="the nurse">RN</abbr>.
      </p>
      <p data-sign-text="Plain words">Complicated <i>words</i></p>
    </div>
  `);
  expect(await texts(root)).to.deep.equal([
    'Meet at Saint Pancras station at noon.',
    'Ask (your doctor), or the nurse.',
    'Plain words',
  ]);
});

it('a human-signed video is used in place of the service, and only an http(s) address counts', async () => {
  const root = await fixture(html`
    <div>
      <p data-sign-src="/videos/hello.mp4">Hello</p>
      <p data-sign-src="javascript:alert(1)">Script</p>
      <p data-sign-src="data:video/mp4,x">Data</p>
    </div>
  `);
  const { sentences } = await read(root);
  expect(sentences.map(({ text, src }) => ({ text, src }))).to.deep.equal([
    { text: 'Hello', src: new URL('/videos/hello.mp4', document.baseURI).href },
    { text: 'Script', src: null },
    { text: 'Data', src: null },
  ]);
});

it('an id or selector is searched in the tree of the element, then in the document; an invalid selector finds nothing', async () => {
  const root = await fixture(
    html`<div>
      <p id="named">of the document</p>
      <div></div>
    </div>`,
  );
  const shadow = root.lastElementChild!.attachShadow({ mode: 'closed' });
  shadow.innerHTML = '<p id="named">of its own tree</p><b></b>';
  const host = shadow.querySelector('b')!;
  const named = (from: Element, target: string): string[] =>
    findParts(from, target).map(({ textContent }) => textContent?.trim() ?? '');
  expect(named(host, 'named')).to.deep.equal(['of its own tree']);
  expect(named(root, 'named')).to.deep.equal(['of the document']);
  expect(named(host, 'div > #named')).to.deep.equal(['of the document']);
  expect(named(host, '[[')).to.deep.equal([]);
  expect(named(document.createElement('b'), 'named')).to.deep.equal(['of the document']);
});

it('commas separate several parts, read in the order of the page; a comma in brackets separates nothing, and no part is inside another', async () => {
  const root = await fixture(html`
    <div>
      <h2 class="one">A</h2>
      <p class="two">B <b class="one">b</b></p>
      <p class="one">C</p>
    </div>
  `);
  const named = (target: string): (string | null)[] =>
    findParts(root, target).map((part) => part.textContent);
  expect(named('.two, .one')).to.deep.equal(['A', 'B b', 'C']);
  expect(named(':is(.two, h2)')).to.deep.equal(['A', 'B b']);
});

it('of a thousand parts, each is compared with what it is in, and not with all others', async () => {
  const root = await fixture(html`<div></div>`);
  root.innerHTML = '<p>One.</p>'.repeat(1000);
  const { contains } = Node.prototype;
  let comparisons = 0;
  Node.prototype.contains = function (other) {
    comparisons += 1;
    return contains.call(this, other);
  };
  const reader = await read(root, { target: 'div > p' });
  Object.assign(Node.prototype, { contains });
  expect(reader.sentences.length).to.be.greaterThan(999);
  expect(comparisons).to.be.lessThan(10_000);
});

it('reads the name of each field by itself', async () => {
  const root = await fixture(html`
    <form>
      <label
        >Country
        <select>
          <option>Wales</option>
        </select></label
      >
      <label>Town <input /></label>
      <label>More <textarea></textarea></label> <label>Your <input type="hidden" />name</label>
    </form>
  `);
  expect(textsOf(await read(root))).to.deep.equal(['Country', 'Town', 'More', 'Your name']);
});

it('reads each choice of a group by itself', async () => {
  const root = await fixture(html`
    <div>
      <p>
        Do you live here? <label><input type="radio" /> Yes</label> <label><input type="radio" /> No</label>
      </p>
      <div>
        <label for="yes">Agreed</label><input id="yes" type="checkbox" /> <label for="no">Refused</label
        ><input id="no" type="checkbox" />
      </div>
      <table>
        <tr>
          <td>Size: <input type="radio" /> small <input type="radio" /> large</td>
        </tr>
      </table>
    </div>
  `);
  expect(await texts(root)).to.deep.equal([
    'Do you live here?',
    'Yes',
    'No',
    'Agreed',
    'Refused',
    'Size: small, large',
  ]);
});

it('never reads navigation, buttons and text for screen readers only; a table row is one sentence', async () => {
  const root = await fixture(html`
    <main>
      <nav>Home</nav>
      <div role="toolbar">Bold</div>
      <p>Read <button>press</button><span style="position: absolute; clip-path: inset(50%)">unseen</span></p>
      <table>
        <caption>
          Trains
        </caption>
        <tr>
          <td>10:30</td>
          <td><p>Leeds</p></td>
          <td>On time.</td>
        </tr>
      </table>
      <figure><figcaption>A picture</figcaption></figure>
    </main>
  `);
  expect(await texts(root)).to.deep.equal(['Read', 'Trains', '10:30, Leeds, On time.', 'A picture']);
});

it('never reads content that is outside the page, deleted or editable by the visitor', async () => {
  const root = await fixture(html`
    <div>
      <p style="position: absolute; left: -9999px">for screen readers</p>
      <p>It costs <del>£9</del> <s>£7</s> £5.</p>
      <div contenteditable="true">a letter to a friend</div>
      <div contenteditable="plaintext-only">a draft</div>
      <div contenteditable="false">Fixed.</div>
    </div>
  `);
  expect(await texts(root)).to.deep.equal(['It costs £5.', 'Fixed.']);
});

it('a table with headings or tables in it is a layout table of an old page, and its cells are read as text elsewhere', async () => {
  const root = await fixture(html`
    <table>
      <tr>
        <td>
          <h2>News</h2>
          <p>We have moved. Come and see.</p>
          <table>
            <tr>
              <td>Monday</td>
              <td>9 to 5</td>
            </tr>
          </table>
        </td>
        <td>Ring us.</td>
      </tr>
    </table>
  `);
  expect(textsOf(await read(root))).to.deep.equal([
    'News',
    'We have moved.',
    'Come and see.',
    'Monday, 9 to 5',
    'Ring us.',
  ]);
});
