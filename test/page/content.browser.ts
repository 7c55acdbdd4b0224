// What is read from a page to be signed.
import { expect, fixture, html } from '@open-wc/testing';
import { readContent, readPart } from '../../src/page/content.ts';

const texts = (root: Element): string[] => readContent(root).map(({ text }) => text);

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
        <li>first<br />line</li>
        <li>second</li>
      </ul>
    </article>
  `);
  expect(texts(root)).to.deep.equal(['A title', 'One bold move.', 'Loose words', 'first', 'line', 'second']);
});

it('never reads invisible content, code, or content with data-sign-skip', async () => {
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
      <textarea>typed</textarea>
      <p>also <span data-sign-skip>(aside)</span> seen</p>
    </div>
  `);
  expect(texts(root)).to.deep.equal(['seen', 'also seen']);
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
  expect(texts(root)).to.deep.equal([
    'Opening times',
    'Address',
    'unfolded',
    'loose',
    'Prices',
    'seen',
    'no box of its own',
  ]);
});

it('reads slotted content, and nothing that has no slot in a shadow root', async () => {
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
  expect(texts(root)).to.deep.equal(['in a slot', 'half:']);
});

it('reads nodes that were adopted from an iframe', async () => {
  const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`);
  const inner = frame.contentDocument!;
  const p = inner.createElement('p');
  p.append('From a ', inner.createElement('b'));
  p.lastElementChild!.append('frame');
  const root = await fixture(html`<div></div>`);
  root.append(document.adoptNode(p));
  expect(texts(root)).to.deep.equal(['From a frame']);
});

it('signs data-sign-text instead of what is written, inline and for a whole block', async () => {
  const root = await fixture(html`
    <div>
      <p>Meet at <abbr data-sign-text="Saint Pancras station">St P.</abbr> at noon.</p>
      <p data-sign-text="Plain words">Complicated <i>words</i></p>
    </div>
  `);
  expect(texts(root)).to.deep.equal(['Meet at Saint Pancras station at noon.', 'Plain words']);
});

it('a human-signed video wins over the service, and only http(s) counts as one', async () => {
  const root = await fixture(html`
    <div>
      <p data-sign-src="/videos/hello.mp4">Hello</p>
      <p data-sign-src="javascript:alert(1)">Script</p>
      <p data-sign-src="data:video/mp4,x">Data</p>
    </div>
  `);
  expect(readContent(root)).to.deep.equal([
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
  const read = (from: Element, target: string): string[] => readPart(from, target).map(({ text }) => text);
  expect(read(host, 'named')).to.deep.equal(['of its own tree']);
  expect(read(root, 'named')).to.deep.equal(['of the document']);
  expect(read(host, 'div > #named')).to.deep.equal(['of the document']);
  expect(read(host, '[[')).to.deep.equal([]);
  expect(read(document.createElement('b'), 'named')).to.deep.equal(['of the document']);
});
