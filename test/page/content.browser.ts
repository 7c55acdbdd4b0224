// What is read from a page to be signed.
import { expect, fixture, html } from '@open-wc/testing';
import { readContent } from '../../src/page/content.ts';

const texts = (root: Element): string[] => readContent(root).map(({ text }) => text);

it('reads one item a block, in reading order, inline markup and white space folded', async () => {
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

it('never reads what cannot be seen, code, or what the author skips', async () => {
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
