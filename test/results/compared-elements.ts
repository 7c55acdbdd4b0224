// A file of browser tests that fail, for values-as-text.test.ts. The values that they compare cannot be copied.
import { expect } from '@open-wc/testing';

it('compares elements', () => {
  expect(document.body).to.equal(document.head);
});

describe('group', () => {
  it('compares functions', () => {
    expect({ run: () => {} }).to.deep.equal({ run: null });
  });
});
