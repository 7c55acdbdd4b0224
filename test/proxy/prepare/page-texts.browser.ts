// The pages that sign-prepare reads in Node, read by the code of the page in a browser.
import { expect } from '@open-wc/testing';
import { readBlocks } from '../../../src/page/blocks.ts';
import { sentencesOf } from '../../../src/page/sentences.ts';
import { pages } from './pages.ts';

for (const { name, html, texts } of pages) {
  it(`the page reads ${name} as sign-prepare does`, () => {
    const body = document.createElement('div');
    body.lang = 'en';
    body.innerHTML = html;
    document.body.append(body);
    const read = [...readBlocks(body)].flatMap((block) => (block ? [...sentencesOf(block, null)] : []));
    body.remove();
    expect(read.map(({ text }) => text)).to.deep.equal(texts);
  });
}
