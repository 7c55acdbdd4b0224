// Reads the texts of a page as `<sign-translate for>` reads them in a browser: with the same code, in a DOM of Node.
// - Scripts of the page are not run. Its style sheets count, because they hide texts; those that do not load are left out.
// - It reads the part that `--for` names, else the `for` of the page's own element, else `main`, else the body.
// - A page has at most 100,000 elements, nested at most 512 deep as in browsers: the time for its styles grows with the square of
//   both numbers. Some selectors take hours even on a small page, so the parser and the reading are each ended after a minute.
// - A sentence that has a video of a person (`data-sign-src`) needs no clip.
import { runInNewContext } from 'node:vm';
import type { Window as PageWindow } from 'happy-dom';
import { readBlocks } from '../../src/page/blocks.ts';
import { findParts } from '../../src/page/parts.ts';
import { sentencesOf, type Glossary } from '../../src/page/sentences.ts';
import { withoutComments } from './without-comments.ts';

interface PageSource {
  readonly url: string;
  readonly html: string;
}

export interface ReadOptions {
  /** Ids or selectors as in the attribute `for`. */
  readonly target: string | null;
  readonly glossary: Glossary | null;
  /** The content of a style sheet, null when it does not load. */
  readonly loadStyle: (url: string) => Promise<string | null>;
}

/** How a browser shows what happy-dom has no rule for (HTML, Rendering, 15.3.8). */
const DISPLAY: Readonly<Record<string, string>> = {
  TABLE: 'table',
  CAPTION: 'table-caption',
  THEAD: 'table-header-group',
  TBODY: 'table-row-group',
  TFOOT: 'table-footer-group',
  TR: 'table-row',
  TD: 'table-cell',
  TH: 'table-cell',
};

const OWN_ELEMENT = 'sign-translate[for], [data-sign-translate][data-for], script[data-for]';

const targetOf = (element: Element): string | null =>
  element.getAttribute('for') ?? element.getAttribute('data-for');

const READ_MS = 60_000;

/** The texts of a page, in order, each once. `readMs` is for tests. */
export async function readTexts(page: PageSource, options: ReadOptions, readMs = READ_MS): Promise<string[]> {
  const { Window } = await import('happy-dom');
  const window = new Window({
    url: page.url,
    settings: {
      disableJavaScriptFileLoading: true,
      disableCSSFileLoading: true,
      disableIframePageLoading: true,
    },
  });
  try {
    inTime(() => window.document.write(page.html), readMs);
    checkSize(window.document as unknown as Document);
    await loadStyles(window, options.loadStyle);
    const read = (): string[] => {
      const document = window.document as unknown as Document;
      // happy-dom looks through the whole page for a `<base>` each time that it is asked.
      Object.defineProperty(document, 'baseURI', { value: document.baseURI });
      const target = options.target ?? ownTarget(document);
      const found = findParts(document.documentElement, target);
      const texts = new Set<string>();
      for (const part of found) for (const text of textsIn(part, options.glossary)) texts.add(text);
      return [...texts];
    };
    return withPage(window, () => inTime(read, readMs));
  } finally {
    await window.happyDOM.close();
  }
}

/** The sentences of a part that have no video of their own. */
function* textsIn(part: Element, glossary: Glossary | null): Generator<string> {
  for (const block of readBlocks(part)) {
    if (!block) continue;
    for (const { text, src } of sentencesOf(block, glossary)) if (src === null) yield text;
  }
}

/**
 * Runs a synchronous function for at most `ms`.
 * @throws Error when it takes longer; the function is then stopped, and not even its `finally` runs
 */
function inTime<Value>(run: () => Value, ms: number): Value {
  try {
    return runInNewContext('run()', { run }, { timeout: ms }) as Value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Error(`it takes more than ${ms / 1000} s to read`, { cause: error });
  }
}

const MOST_ELEMENTS = 100_000;
const DEEPEST = 512;

/** @throws Error for a page that would take minutes */
function checkSize({ documentElement }: Document): void {
  let count = 0;
  let level: readonly Element[] = [documentElement];
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (count > MOST_ELEMENTS) throw new Error(`it has more than ${MOST_ELEMENTS} elements`);
    if (depth > DEEPEST) throw new Error(`it has more than ${DEEPEST} elements in one another`);
    level = level.flatMap((element) => [...element.children]);
  }
}

function ownTarget(document: Document): string {
  const own = document.querySelector(OWN_ELEMENT);
  return (own && targetOf(own)) ?? (document.querySelector('main') ? 'main' : 'body');
}

/** The properties that `readBlocks()` reads. */
const READ =
  /\b(?:display|visibility|position|clip|clip-path|float|flex-direction)\b|\bwidth:\s*1px|\b(?:left|top):\s*-\d{3}/;

/** With these values a line break in the text is a line break on screen. */
const KEEPS_LINES = /\bwhite-space:\s*(?:pre|break)/;

/** What `readBlocks()` reads of a `pre`. */
const READ_OF_PRE = /\bfont(?:-family)?\s*:/;

/** Keeps the rules of a style sheet in which one of these patterns is found, because each rule costs time at each element. */
function rulesWith(sheet: string, patterns: readonly RegExp[]): string {
  const parts = withoutComments(sheet, '/*', '*/').split(/([{}])/);
  let kept = '';
  for (let at = 0; at < parts.length;) {
    const [prelude = '', opened = '', inside = '', closed = ''] = parts.slice(at, at + 4);
    // happy-dom takes an `@charset` or `@import` for a part of the selector after it.
    const before = prelude.slice(prelude.lastIndexOf(';') + 1);
    const isRule = opened === '{' && closed === '}';
    if (!isRule) kept += before + opened;
    else if (patterns.some((pattern) => pattern.test(inside))) kept += `${before}{${inside}}`;
    at += isRule ? 4 : 2;
  }
  return kept;
}

async function loadStyles({ document }: PageWindow, load: ReadOptions['loadStyle']): Promise<void> {
  const patterns = [READ, KEEPS_LINES, ...(document.querySelector('pre') ? [READ_OF_PRE] : [])];
  for (const style of document.querySelectorAll('style'))
    style.textContent = rulesWith(style.textContent, patterns);
  for (const link of document.querySelectorAll('link[rel~="stylesheet" i][href]')) {
    const sheet = await load((link as unknown as HTMLLinkElement).href);
    if (sheet === null) continue;
    const style = document.createElement('style');
    const media = link.getAttribute('media');
    if (media !== null) style.setAttribute('media', media);
    style.textContent = rulesWith(sheet, patterns);
    link.replaceWith(style);
  }
}

/** Runs a function for which `document` and other global names of a browser are those of the page. It must be synchronous. */
function withPage<Value>(window: PageWindow, read: () => Value): Value {
  const { document, ShadowRoot, HTMLDocument: Document, HTMLSlotElement, Node } = window;
  const names = { document, ShadowRoot, Document, HTMLSlotElement, Node, getComputedStyle: styleIn(window) };
  const before = Object.keys(names).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(names))
    Object.defineProperty(globalThis, name, { value, configurable: true });
  try {
    return read();
  } finally {
    for (const [name, was] of before) {
      if (was) Object.defineProperty(globalThis, name, was);
      else Reflect.deleteProperty(globalThis, name);
    }
  }
}

/** Gives the value of a rule as it is written, empty without one. It takes long, so it is read at its first use and kept. */
function writtenIn(window: PageWindow) {
  const known = new WeakMap<Element, Map<string, string>>();
  return (element: Element, name: string): string => {
    const values = known.get(element) ?? new Map<string, string>();
    known.set(element, values);
    let value = values.get(name);
    if (value === undefined) {
      value = window.getComputedStyle(element as never).getPropertyValue(name);
      values.set(name, value);
    }
    return value;
  };
}

/** Gives the values that a browser computes; happy-dom has those that are written. */
function styleIn(window: PageWindow) {
  const written = writtenIn(window);
  /** An inherited value; a `pre` without a value of its own has the one of browsers' style sheets, `ofPre`. */
  const inherited = (element: Element, name: string, ofPre: string): string => {
    const value = written(element, name);
    const parent = element.parentElement;
    if (parent === null || value !== written(parent, name)) return value;
    return element.tagName === 'PRE' ? ofPre : inherited(parent, name, ofPre);
  };
  const { document } = window;
  const keepsLines =
    document.querySelector('pre, [style*="white-space"]') !== null ||
    [...document.querySelectorAll('style')].some(({ textContent }) => KEEPS_LINES.test(textContent));
  const displayOf = (element: Element): string =>
    written(element, 'display') || DISPLAY[element.tagName] || 'inline';
  /** CSS Display 3, 2.7. */
  const isBlockified = (element: Element): boolean =>
    (element.parentElement !== null && /flex|grid/.test(displayOf(element.parentElement))) ||
    /absolute|fixed/.test(written(element, 'position')) ||
    /left|right|inline/.test(written(element, 'float'));
  return (element: Element): Partial<CSSStyleDeclaration> => ({
    get display() {
      const display = displayOf(element);
      return display.startsWith('inline') && isBlockified(element) ? 'block' : display;
    },
    get flexDirection() {
      return written(element, 'flex-direction');
    },
    get fontFamily() {
      return inherited(element, 'font-family', 'monospace');
    },
    get whiteSpace() {
      return keepsLines ? inherited(element, 'white-space', 'pre') : 'normal';
    },
    get visibility() {
      return written(element, 'visibility') || 'visible';
    },
    get contentVisibility() {
      return written(element, 'content-visibility');
    },
    get position() {
      return written(element, 'position');
    },
    get clip() {
      return written(element, 'clip');
    },
    get clipPath() {
      return written(element, 'clip-path');
    },
    get width() {
      return written(element, 'width');
    },
    get cssFloat() {
      return written(element, 'float') || 'none';
    },
    get left() {
      return written(element, 'left');
    },
    get top() {
      return written(element, 'top');
    },
  });
}
