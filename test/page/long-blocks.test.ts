// A block of a page may have tens of thousands of lines, as a book in one element: it is read in a time that grows with its
// length. The square of these lengths would take minutes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readBlocks, type Run } from '../../src/page/blocks.ts';
import { sentencesOf } from '../../src/page/sentences.ts';
import { replaceGlobals } from '../replace-globals.ts';

const LINES = 40_000;
const WORDS = '\nOne line of a book, of about fifty characters.';

interface Look {
  readonly display: string;
}

/** An element with these nodes, or with these words in each of its lines. */
function elementOf(localName: string, { display }: Look, childNodes: readonly object[]): object {
  const element = {
    nodeType: 1,
    localName,
    display,
    shadowRoot: null,
    firstElementChild: null,
    children: { length: 0 },
    hasAttributes: () => false,
    getAttribute: () => null,
    matches: (selectors: string) => localName === 'span' && selectors.startsWith('span'),
    querySelector: () => ({}),
    closest: () => null,
    firstChild: childNodes[0] ?? null,
  };
  childNodes.forEach((node, at) =>
    Object.assign(node, {
      parentElement: element,
      parentNode: element,
      nextSibling: childNodes[at + 1] ?? null,
    }),
  );
  return element;
}

const textOf = (data: string): object => ({ nodeType: 3, data });
const lineBreak = (): object => elementOf('br', { display: 'inline' }, []);
const box = (): object => elementOf('span', { display: 'block' }, [textOf(WORDS.trim())]);

for (const [what, line] of [
  ['end in a line break', () => [textOf(WORDS), lineBreak()]],
  ['are boxes', () => [textOf('\n'), box()]],
] as const) {
  test(`a text of ${LINES} lines that ${what} is read as one of two lines is`, (t) => {
    replaceGlobals(t, {
      Node: { ELEMENT_NODE: 1, TEXT_NODE: 3 },
      ShadowRoot: class {},
      document: { baseURI: 'http://localhost/' },
      getComputedStyle: ({ display }: Look) => ({
        display,
        visibility: 'visible',
        overflowX: 'visible',
        paddingInline: '0px',
        marginInline: '0px',
        whiteSpace: 'normal',
      }),
    });
    const lines = Array.from({ length: LINES }, line);
    const book = elementOf('article', { display: 'block' }, lines.flat()) as Element;
    const [block] = [...readBlocks(book)].filter((found) => found !== null);
    const read = block!.text.split('\u2028').map((one) => one.trim());
    assert.deepEqual(
      read.filter((one) => one !== ''),
      lines.map(() => WORDS.trim()),
    );
    const at = block!.runs.map((run) => block!.text.slice(run.at, run.at + run.length).trim());
    assert.deepEqual(
      at.filter((one) => one !== ''),
      lines.map(() => WORDS.trim()),
    );
  });
}

test(`of ${LINES} pieces of a text, at most a hundred are looked at for the place of a sentence`, (t) => {
  replaceGlobals(t, { Node: { TEXT_NODE: 3 } });
  let looks = 0;
  const nodes = Array.from({ length: LINES }, () => ({ nodeType: 3, length: 5 }) as Text);
  const runs = nodes.map((node, index): Run => {
    const at = (): number => {
      looks += 1;
      return index * 5;
    };
    return Object.defineProperty({ node, length: 5, at: 0 }, 'at', { get: at });
  });
  const places: unknown[] = [];
  const place = (node: Node, offset: number): unknown => places.push([nodes.indexOf(node as Text), offset]);
  const element = {
    closest: () => ({ getAttribute: () => 'en' }),
    ownerDocument: { createRange: () => ({ setStart: place, setEnd: place }) },
  } as unknown as Element;
  const text = 'Yes. '.repeat(LINES);
  const sentences = [...sentencesOf({ element, text, runs, src: null }, null)];
  looks = 0;
  for (const index of [0, LINES / 2, LINES - 1]) {
    places.length = 0;
    sentences[index]!.range();
    assert.deepEqual(places, [
      [index, 0],
      [index, 4],
    ]);
  }
  assert.ok(looks < 300, `${looks} were looked at`);
});
