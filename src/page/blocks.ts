// Finds what a person would read in a part of a page: one block for each heading, paragraph, list item, caption or table row, in
// reading order. A caller takes as many blocks at a time as it has time for.
// - Not read: what unread.ts names.
// - Open shadow roots are read as they are shown, with what is slotted into them.
// - `data-sign-text` replaces what is written; `data-sign-src`, a video by a human signer, is preferred to the service. Only
//   http(s) videos count.
// - Each character of white space becomes one space, so that positions in the text are positions in the page. A line break, of
//   `<br>` or kept by `white-space`, becomes a line separator; in a row a vertical tab, because a row is read as one sentence.
import { httpUrl } from '../protocol/http-url.ts';
import { boxFor, boxInside, boxOfParent, isAside } from './aside.ts';
import { isBetweenOperands, isGroup, wordsOf } from './formula.ts';
import { chipOf, ENDS_WORD, isPlain, isSpaceMissing, isWordOver, kindOf, spaced } from './inline-text.ts';
import { shownIn, shownNodes, wholeOf } from './shown-nodes.ts';
import { cutsOff, isClosed, isRaised, isSkipped, isUnseen, SHUT_OFF, standsForText, tidy } from './unread.ts';

/** Where a piece of a block's text comes from: a text node, or an element whose text is stated. */
export interface Run {
  readonly node: Text | Element;
  /** Where it begins in the text of the block. */
  readonly at: number;
  readonly length: number;
}

export interface Block {
  /** The nearest block around the text. */
  readonly element: Element;
  readonly text: string;
  readonly runs: readonly Run[];
  /** A human-signed video of it. */
  readonly src: string | null;
}

/**
 * A block that is all the text of its element. Where the text comes from is looked up when it is first asked for, because the
 * places of 20,000 paragraphs take 3 MB, which the collector would have to move while the page is read.
 */
class WholeBlock implements Block {
  readonly element: Element;
  readonly text: string;
  readonly src = null;
  #runs: readonly Run[] | null = null;

  constructor(element: Element, text: string) {
    this.element = element;
    this.text = text;
  }

  get runs(): readonly Run[] {
    return (this.#runs ??= firstBlock(this.element, true)?.runs ?? []);
  }
}

/** After this number of elements `readBlocks` gives null, so that the caller can stop although no block was found. */
const ELEMENTS_PER_TURN = 100;
/** Of a text with more characters than this, only the end is looked at again. */
const LONG = 1000;

/** The element whose text has to be read anew when something in `element` has changed. */
export function blockAround(element: Element, root: Element): Element {
  let at: Element = element;
  for (let next: Element | null = element; next; next = shownIn(next)) {
    const isWhole =
      next.matches('tr, [role=row], [data-sign-text], [data-sign-src]') || next.shadowRoot !== null;
    if (isWhole || kindOf(at, getComputedStyle(at), shownIn(at)) !== 'block') at = next;
    if (next === root) break;
  }
  return at;
}

/** An element whose nodes are being read. */
interface Visit {
  readonly nodes: readonly Node[];
  /** Index of the next node. */
  at: number;
  /** The element that its text belongs to. */
  readonly inner: Element;
  readonly isSeen: boolean;
  /** It is a row, or in one. */
  readonly inRow: boolean;
  /** What ends with it: a block, a cell, a line, an operator, a chip or a tag (chipOf). */
  readonly ends: 'block' | 'cell' | 'line' | 'operator' | 'chip' | 'tag' | null;
  /** Number of blocks that were found before it. */
  readonly before: number;
  /** The box that cuts off what is in it at the sides. */
  readonly box: Element | null;
}

interface BlockReading {
  /** Is given each element that cuts off what is in it, and may therefore close or open. */
  readonly onClosable?: (box: Element) => void;
  /** Is given each shadow root, also one that holds no text yet. */
  readonly onTree?: (tree: ShadowRoot) => void;
  /** Is given each element that is cut off at a side of a box, and the box; true when it is read nevertheless. */
  readonly isKept?: (element: Element, box: Element) => boolean;
  /** True when the caller needs the runs of each block. */
  readonly keepsRuns?: boolean;
}

/** The blocks under `root`, itself included; null from time to time, so that the caller can stop to let the page work. */
export function* readBlocks(
  root: Element,
  { onClosable, onTree, isKept, keepsRuns = false }: BlockReading = {},
): Generator<Block | null> {
  const { baseURI } = document;
  // A stack and not a recursion: a nested generator would pass each value through all generators around it.
  const open: Visit[] = [];
  const ready: Block[] = [];
  /** The text of the block before `text`, its end. V8 copies a string that was added to when something is searched in it. */
  let begun = '';
  let text = '';
  let runs: Run[] = [];
  /** The next text may need a space before it: the text before is stated and not written, or one of the two is a chip. */
  let isApart = false;
  /** The next text is beside a tag (chipOf), or in one. */
  let isAtTag = false;
  let found = 0;
  const outer = keepsRuns ? null : boxOfParent(root);
  const isCutOff = (element: Element, box: Element | null): boolean =>
    box !== null && !keepsRuns && isAside(element, box) && !isKept?.(element, box);
  /** The box that cuts off what is in the element whose nodes are being read. */
  const boxNow = (): Element | null => (open.length > 0 ? open.at(-1)!.box : outer);
  const add = (block: Block, box = boxNow()): void => {
    found += 1;
    if (!isCutOff(block.element, box)) ready.push(block);
  };
  const take = (element: Element, isWhole = false): void => {
    const whole = begun + text;
    // A copy takes less memory: a list that has grown keeps room for more.
    if (/\S/.test(whole))
      add(isWhole ? new WholeBlock(element, whole) : { element, text: whole, runs: runs.slice(), src: null });
    begun = text = '';
    runs = [];
    isApart = false;
  };
  const write = (node: Text | Element, words: string, inRow: boolean): void => {
    if ((isApart || (isAtTag && isWordOver(text, words))) && isSpaceMissing(text, words)) text += ' ';
    isApart = false;
    isAtTag = false;
    let written = spaced(words, node.parentElement ?? root, text);
    if (inRow) written = written.replace(/\u2028/g, '\v');
    runs.push({ node, at: begun.length + text.length, length: written.length });
    text += written;
    if (text.length < LONG) return;
    // What follows depends on the last character that is no white space.
    const kept = Math.max(0, text.trimEnd().length - 2);
    begun += text.slice(0, kept);
    text = text.slice(kept);
  };
  /** Between the cells of a row. */
  const separate = (): void => {
    if (/[^\s.,:;!?]\s*$/.test(text)) text = `${text.trimEnd()}, `;
    else if (/\S$/.test(text)) text += ' ';
  };
  const endLine = (): void => {
    if (/\S *$/.test(text)) text += '\u2028';
  };
  const cut = (holder: Element, inRow: boolean): void => (inRow ? separate() : take(holder));
  const end = ({ ends, inner, inRow, before }: Visit): void => {
    if (ends === 'cell') separate();
    else if (ends === 'line') endLine();
    else if (ends === 'operator') text += ' ';
    else if (ends === 'chip') isApart = true;
    else if (ends === 'tag') isAtTag = true;
    else if (ends) {
      // No comma after the last cell of a row.
      if (inRow) text = text.replace(/, *$/, '');
      take(inner, before === found && !keepsRuns);
    }
  };

  const begin = (element: Element, holder: Element, inRow: boolean): void => {
    if (isSkipped(element) || (element !== root && element.matches(SHUT_OFF))) {
      // The text between two fields is a sentence of its own: the name of a field, or of one choice in a group.
      if (element.matches('select, textarea, input:not([type=hidden])')) cut(holder, inRow);
      return;
    }
    const style = getComputedStyle(element);
    const { display } = style;
    if (display === 'none') return;
    const { localName } = element;
    // A paragraph or item without attributes is not asked whether it cuts off its text: to ask each takes a tenth of the time.
    const mayCutOff = element.hasAttributes() || (localName !== 'p' && localName !== 'li');
    // An inline element is neither clipped, absolutely placed nor transformed (CSS Containment 2, 4; CSS Position 3, 2; CSS
    // Transforms 1, 2).
    const isBox = display !== 'inline';
    const isPlaced = isBox && mayCutOff;
    const isHidden = isPlaced && isUnseen(element, style);
    if (isHidden ? !standsForText(element) : isBox && style.contentVisibility === 'hidden') return;
    const own = isPlaced ? boxFor(element, style, boxNow()) : boxNow();
    const box = isPlaced ? boxInside(element, style, own) : own;
    // All that it holds is cut off with it.
    if (box !== own && isCutOff(element, own)) return;
    if (isPlaced && cutsOff(element, style)) {
      onClosable?.(element);
      if (isClosed(element)) return;
    }
    // A page often draws a dot or a line between items that stand side by side, which is no text.
    if (display.startsWith('inline') && element.matches('* ~ li, * ~ dt')) separate();
    if (localName === 'br' && !inRow) {
      text += '\u2028';
      return;
    }
    // 5<sup>99</sup> is not 599.
    if (isRaised(element, style) && /\d$/.test(text) && /^\d/.test(element.textContent)) text += ' ';
    const isTableRow = display === 'table-row' || element.matches('tr, [role=row]');
    // A table that holds headings or other tables is the layout of a page: its rows are not read as one sentence each.
    const isRow = isTableRow && !element.querySelector('h1, h2, h3, h4, h5, h6, table');
    // A visible element can be inside an invisible one (CSS Display, visibility).
    const isSeen = style.visibility === 'visible' && style.fontSize !== '0px';
    // An element that is not seen and takes no room in the text, such as a tooltip that shows later, cuts no sentence.
    const isNowhere = isHidden || (!isSeen && style.position === 'absolute');
    const kind = isNowhere ? 'inline' : kindOf(element, style, shownIn(element));
    const begins = kind === 'block' || isRow;
    const inner = begins && !inRow ? element : holder;
    if (begins || (kind === 'line' && inRow)) cut(holder, inRow);
    else if (kind === 'line') endLine();
    // It is at another place of the screen than the words before it, so there may be no space between them in the text.
    else if (isHidden && /[.,:;!?]$/.test(text)) text += ' ';
    const stated = element.getAttribute('data-sign-text');
    const signText = stated ?? (localName === 'math' ? wordsOf(element) : wholeOf(element));
    const src = httpUrl(element.getAttribute('data-sign-src'), baseURI);
    let nodes: readonly Node[] = [];
    if (src !== null && isSeen) {
      take(holder);
      const words = tidy(signText ?? element.textContent);
      const its = [{ node: element, at: 0, length: words.length }];
      add({ element, text: words, runs: its, src }, box);
    } else if (signText !== null && isSeen) {
      if (ENDS_WORD.test(text)) text += ' ';
      write(element, signText, inRow);
      isApart = true;
    } else if (begins && !inRow && !isRow && isSeen && !keepsRuns && isPlain(element)) {
      const written = spaced(element.textContent, element, '');
      if (/\S/.test(written)) add(new WholeBlock(element, written), box);
      return;
    } else {
      nodes = shownNodes(element);
      if (element.shadowRoot) onTree?.(element.shadowRoot);
    }
    const isOperator = isBetweenOperands(element, text);
    if (isOperator) text += ' ';
    const chip = kind === 'word' ? 'chip' : chipOf(element, style);
    isApart ||= chip === 'chip' || (chip === 'tag' && isAtTag);
    isAtTag ||= chip === 'tag';
    const isCut = begins || kind === 'line' || localName === 'br';
    const ends = isCut ? (inRow ? 'cell' : begins ? 'block' : 'line') : isOperator ? 'operator' : chip;
    open.push({
      nodes,
      at: 0,
      inner,
      isSeen: isSeen && !isGroup(element),
      inRow: inRow || isRow,
      ends,
      before: found,
      box,
    });
  };

  begin(root, root, false);
  for (let visited = 1; open.length > 0;) {
    const visit = open.at(-1)!;
    const node = visit.nodes[visit.at++];
    // A node of an iframe's document is no `instanceof` this page's classes.
    if (!node) {
      end(visit);
      open.pop();
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      begin(node as Element, visit.inner, visit.inRow);
      if (++visited % ELEMENTS_PER_TURN === 0) yield null;
    } else if (node.nodeType === Node.TEXT_NODE && visit.isSeen) {
      write(node as Text, (node as Text).data, visit.inRow);
    }
    while (ready.length > 0) yield ready.shift()!;
  }
  take(root);
  yield* ready;
}

/** The first block in an element, which may be one inside another element. */
export function firstBlock(element: Element, keepsRuns = false): Block | null {
  for (const found of readBlocks(element, { keepsRuns })) if (found) return found;
  return null;
}

/** The node itself; for a node in a shadow root, the host that is in one of these parts, else the outermost host. */
export function hostOf<N extends Node>(node: N, parts: readonly Element[]): N | Element {
  const root = node.getRootNode();
  return root instanceof ShadowRoot && !parts.some((one) => one.contains(node))
    ? hostOf(root.host, parts)
    : node;
}

/** Where a block is in the tree of its part. A text node that was replaced is in no tree; its element may still be in one. */
export function anchorOf(block: Block, parts: readonly Element[]): Element | Text {
  const { element } = block;
  const host = hostOf(element, parts);
  if (host !== element || block instanceof WholeBlock) return host;
  const { node } = block.runs[0]!;
  return node.isConnected || !element.isConnected ? node : element;
}
