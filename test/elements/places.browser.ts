// The signers that a page asks for by `data-` attributes, where the text of an untrusted author has such attributes too.
import { expect } from '@open-wc/testing';
import '../../src/define/sign-translate.ts';

const page = document.createElement('main');
after(() => page.remove());

it('a name that no attribute can have keeps no signer from the places after it', async () => {
  page.innerHTML =
    '<div data-sign-translate data-for="news" data- data-1="x" data-@click="y" data-controls></div>' +
    '<div data-sign-translate data-for="sport"></div>';
  document.body.append(page);
  await import('../../src/internal/place-signers.ts');
  const placed = [...page.querySelectorAll('sign-translate')];
  expect(placed.map((one) => [one.for, one.controls])).to.deep.equal([
    ['news', true],
    ['sport', false],
  ]);
});
