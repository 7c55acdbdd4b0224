// What `sign-elements/define` under the condition `development` reports of a tag to a developer.
import { expect } from '@open-wc/testing';
import '../../src/development/define.ts';

const warnings: string[] = [];

/** The warnings when these tags are on the page. */
async function warningsOf(html: string): Promise<string[]> {
  const { warn } = console;
  warnings.length = 0;
  console.warn = (text: string) => warnings.push(text);
  try {
    const place = document.createElement('div');
    place.innerHTML = html;
    document.body.append(place);
    await Promise.resolve();
    await Promise.resolve();
    place.remove();
  } finally {
    console.warn = warn;
  }
  return warnings.filter((text) => text.startsWith('Sign Elements: <'));
}

it('a misspelt attribute is reported once, with the one that was meant', async () => {
  const html = '<sign-translate resoluton="480p" idleafter="2"></sign-translate>';
  expect(await warningsOf(html)).to.deep.equal([
    'Sign Elements: <sign-translate resoluton> does nothing. Did you mean resolution?',
    'Sign Elements: <sign-translate idleafter> does nothing. Did you mean idle-after?',
  ]);
  expect(await warningsOf(html)).to.deep.equal([]);
});

it('an object that a framework has written into an attribute is reported with the property to set', async () => {
  const [warning, ...others] = await warningsOf(
    '<sign-translate generateoptions="[object Object]"></sign-translate>',
  );
  expect(warning).to.match(
    /generateOptions is a property .*element\.generateOptions; in Vue :generateOptions\.prop/,
  );
  expect(others).to.deep.equal([]);
});

it('correct attributes, global attributes and attributes of frameworks are not reported', async () => {
  const html = `<sign-live-player id="one" class="a" style="order: 1" data-v-1 aria-label="b" onclick="" _ngcontent-x src=""
    target-latency="2" placement="inline" lang="cy" hidden></sign-live-player><sign-announcement bg-colour="1,2,3" calling-at="KGX"></sign-announcement>`;
  expect(await warningsOf(html)).to.deep.equal([]);
});
