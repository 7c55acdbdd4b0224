// How formulas of a page are read.
import { expect, fixture, html } from '@open-wc/testing';
import { textsOf } from './texts-of.ts';

it('reads a formula by the text that its author gives, else its symbols in a row, and skips a formula whose meaning a row would change', async () => {
  const root = await fixture(html`
    <div>
      <p>
        Let
        <math>
          <semantics>
            <mrow
              ><mi>x</mi><mo>=</mo><mo>−</mo><mn>2</mn><mo>+</mo><mi>f</mi><mo>(</mo><mi>y</mi
              ><mo>)</mo></mrow
            >
            <annotation encoding="application/x-tex">x=-2+f(y)</annotation>
          </semantics></math
        >.
      </p>
      <p>
        Half of it,
        <math alttext="one half"
          ><mfrac><mn>1</mn><mn>2</mn></mfrac></math
        >, is enough.
      </p>
      <p>
        Then
        <math display="block" alttext="{\\frac {1}{2}}"
          ><mfrac><mn>1</mn><mn>2</mn></mfrac></math
        >
        remains.
      </p>
    </div>
  `);
  expect(textsOf(root)).to.deep.equal([
    'Let x = −2 + f(y).',
    'Half of it, one half, is enough.',
    'Then remains.',
  ]);
});
