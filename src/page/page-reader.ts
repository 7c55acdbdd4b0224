// The sentences of the parts of a page that are named by id or selector, kept as the page changes.
// - It works in slices (slices.ts) that end also inside a block, and between elements that were edited together.
// - After an edit the edited elements are read again; all is read again only when a named part is another element than before.
// - Blocks and sentences that an edit leaves alone stay the same objects.
// - Parts that lose all their text keep what was read for 3 s: routers and loading data empty a part before they fill it.
import { anchorOf, blockAround, hostOf, readBlocks } from './blocks.ts';
import { ClosableBoxes, SideBoxes } from './cut-off-boxes.ts';
import { changedBy, editedIn, isStyling, OBSERVED, TextWait } from './edits.ts';
import { findParts, indexOfPart } from './parts.ts';
import { changesBetween, contains, indexFrom, placeAmong, replaceIn, type ReadBlock } from './read-blocks.ts';
import { pause, Slices } from './slices.ts';
import { sentencesOf, type Glossary, type Sentence } from './sentences.ts';
import { isOutOfSight } from './unread.ts';

interface PageReaderOptions {
  /** Parts are searched in the tree of this node, then in the document. */
  readonly host: Element;
  /** Ids or selectors, by commas; or the one element to be read. */
  readonly target: string | Element;
  readonly glossary: Glossary | null;
  /** `removed` sentences from index `at` on have been replaced by `added`; `anew` when all was read again. */
  readonly changed: (
    at: number,
    removed: readonly Sentence[],
    added: readonly Sentence[],
    anew: boolean,
  ) => void;
}

export class PageReader {
  readonly #options: PageReaderOptions;
  readonly #edits = new MutationObserver((records) => {
    this.#records = this.#records.concat(records);
    this.#readChanges();
  });
  /** Edits that were not looked at yet. */
  #records: MutationRecord[] = [];
  readonly #moves = new MutationObserver(() => this.#onMoves());
  readonly #closable = new ClosableBoxes((box) => this.#readChanges(box));
  #parts: readonly Element[] = [];
  #blocks: ReadBlock[] = [];
  #sentences: Sentence[] = [];
  readonly #sideBoxes = new SideBoxes((element) =>
    this.#movedBy(element).forEach((one) => this.#readChanges(one)),
  );
  /** Elements that have to be read again. */
  readonly #dirty = new Set<Element>();
  #reading: Promise<void> | null = null;
  readonly #slices = new Slices();
  #isClosed = false;
  #begin!: () => void;
  /** Resolves when the first sentences are here, or there are none. */
  readonly begun = new Promise<void>((resolve) => (this.#begin = resolve));
  #isWhole = false;
  /** The blocks are from other parts than the present ones. */
  #isMoved = false;
  readonly #textWait = new TextWait(() => this.#readChanges());

  constructor(options: PageReaderOptions) {
    this.#options = options;
  }

  /** All sentences read so far, in order. */
  get sentences(): readonly Sentence[] {
    return this.#sentences;
  }

  /** False until the parts have been read to their end. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Reads the parts, once; a part without text again, because what it is in may be shown now. Resolves when all is read. */
  read(): Promise<void> {
    if (!this.#reading) {
      this.#parts = this.#find();
      this.#observe();
      this.#slices.begin();
      this.#reading = this.#readAll();
      // A part in the shadow root of the signer is replaced there.
      for (const root of [document, this.#options.host.getRootNode()])
        this.#moves.observe(root, { childList: true, subtree: true });
    } else this.#parts.filter((part) => !this.#isKnown(part)).forEach((part) => this.#readChanges(part));
    return this.#reading;
  }

  close(): void {
    this.#isClosed = true;
    this.#textWait.close();
    this.#closable.close();
    this.#edits.disconnect();
    this.#moves.disconnect();
    this.#sideBoxes.close();
  }

  /** Resolves when the first sentence in or after this place is here, or all is read. */
  async reaches(place: Element): Promise<void> {
    while (!this.#isWhole && !this.#isClosed && this.indexAt(place) >= this.#sentences.length) await pause();
  }

  /** Index of the first sentence in or after this place; the number of sentences when there is none. */
  indexAt(from: Element | Range): number {
    const place = document.createRange();
    if (from instanceof Range) place.setStart(from.startContainer, from.startOffset);
    else place.setStartBefore(from);
    const { startContainer: holder, startOffset } = place;
    const node = holder instanceof Text ? holder : (holder.childNodes[startOffset] ?? holder);
    // The block that begins before the place may continue after it.
    const before = this.#blocks[Math.max(0, this.#placeOf(this.#hostOf(node)) - 1)];
    return indexFrom(this.#sentences, before ? this.#sentences.indexOf(before.sentences[0]!) : 0, place);
  }

  #find(): Element[] {
    const { host, target } = this.#options;
    return target instanceof Element ? [target] : findParts(host, target);
  }

  #observe(): void {
    this.#edits.disconnect();
    for (const part of this.#parts) this.#edits.observe(part, OBSERVED);
  }

  async #readAll(): Promise<void> {
    for (const part of this.#parts) {
      // Each slice is added as soon as it is read, so that signing can begin before the page has been read to its end.
      await this.#inSlices(part, (read) => {
        if (this.#parts.includes(part)) this.#splice(this.#blocks.length, 0, read);
      });
    }
    this.#isWhole = true;
    this.#begin();
    this.#options.changed(this.#sentences.length, [], [], false);
  }

  /** Reads an element; gives what it has found at the end of each slice. */
  async #inSlices(element: Element, take: (read: ReadBlock[]) => void): Promise<void> {
    if (!this.#isSeen(element)) return;
    let read: ReadBlock[] = [];
    const nextSlice = async (): Promise<void> => {
      if (!this.#isClosed) take(read);
      read = [];
      await this.#slices.next();
    };
    const blocks = readBlocks(element, {
      onClosable: (box) => this.#closable.add(box),
      // An edit in a shadow root is reported only to an observer of that root.
      onTree: (tree) => this.#edits.observe(tree, OBSERVED),
      isKept: (aside, box) => this.#sideBoxes.add(aside, box) && this.#isKnown(aside),
    });
    for (const block of blocks) {
      if (this.#isClosed) return;
      if (block) {
        const found = sentencesOf(block, this.#options.glossary);
        const isList = Array.isArray(found);
        const sentences = isList ? found : [];
        // The sentences of a generator are cut as they are taken, which may take longer than a slice.
        for (const sentence of isList ? [] : found) {
          sentences.push(sentence);
          if (this.#slices.isOver) await nextSlice();
        }
        if (sentences.length > 0) read.push({ block, sentences });
      }
      if (this.#slices.isOver) await nextSlice();
    }
    if (!this.#isClosed) take(read);
  }

  #splice(at: number, count: number, added: readonly ReadBlock[], anew = false): void {
    if (count === 0 && added.length === 0) return;
    const next = this.#blocks[at];
    const first = next ? this.#sentences.indexOf(next.sentences[0]!) : this.#sentences.length;
    const old = replaceIn(this.#blocks, at, count, added);
    const removed = old.flatMap(({ sentences }) => sentences);
    const sentences = added.flatMap((block) => block.sentences);
    replaceIn(this.#sentences, first, removed.length, sentences);
    this.#options.changed(first, removed, sentences, anew);
    this.#begin();
  }

  /** A named part may be another element than before. */
  #onMoves(): void {
    const parts = this.#find();
    if (parts.length === this.#parts.length && parts.every((part, i) => part === this.#parts[i])) return;
    this.#parts = parts;
    this.#observe();
    this.#isMoved = true;
    this.#readChanges();
  }

  async #readMoved(): Promise<void> {
    const parts = this.#parts;
    this.#records = [];
    this.#dirty.clear();
    const read: ReadBlock[] = [];
    for (const part of parts) await this.#inSlices(part, (some) => read.push(...some));
    if (parts !== this.#parts || this.#textWait.isOn(read.length === 0 && this.#blocks.length > 0)) return;
    this.#isMoved = false;
    this.#splice(0, this.#blocks.length, read, true);
  }

  /** Finds the elements that have to be read again after the edits. */
  async #findDirty(): Promise<void> {
    const records = this.#records.splice(0);
    const holders = new Set(this.#blocks.map(({ block }) => block.element));
    for (const record of records) {
      if (this.#slices.isOver) await this.#slices.next();
      const element = editedIn(record);
      if (!element) continue;
      if (isStyling(record)) {
        const moved = this.#movedBy(element);
        for (const changed of moved) this.#dirty.add(changed);
        if (!moved.includes(element)) continue;
      }
      for (const changed of changedBy(record, element, holders)) this.#dirty.add(changed);
    }
  }

  /** What is read again after the look of this element has changed: it may now be scaled or clipped to nothing, or no more. */
  #movedBy(element: Element): Element[] {
    const moved = this.#sideBoxes.around(element);
    const isSeen = this.#isSeen(element) && getComputedStyle(element).visibility === 'visible';
    return this.#isKnown(element) === isSeen ? moved : [element, ...moved];
  }

  /** @param element has to be read again */
  #readChanges(element?: Element): void {
    if (element) this.#dirty.add(element);
    this.#reading = this.#queue(() => (this.#isMoved ? this.#readMoved() : this.#readDirty()));
  }

  /** True when text of this element is among the blocks. */
  #isKnown(element: Element): boolean {
    const host = this.#hostOf(element);
    const next = this.#blocks[this.#placeOf(host)];
    return next !== undefined && contains(host, next);
  }

  #isSeen(element: Element): boolean {
    const part = this.#partOf(element);
    return part !== undefined && !isOutOfSight(element, part);
  }

  /** Reads run one after the other, so that the last one finds the page as it is now. */
  async #queue(work: () => Promise<void>): Promise<void> {
    await this.#reading;
    if (this.#isClosed) return;
    this.#slices.begin();
    await work();
  }

  async #readDirty(): Promise<void> {
    if (this.#records.length > 0) await this.#findDirty();
    if (this.#dirty.size === 0) return;
    const elements = [...this.#dirty];
    this.#dirty.clear();
    const units = new Set<Element>();
    for (const element of elements) {
      if (this.#slices.isOver) await this.#slices.next();
      const host = this.#hostOf(element);
      const part = this.#partOf(host);
      if (part) units.add(blockAround(host, part));
    }
    const isInOther = (node: Node | null): boolean =>
      node !== null && (units.has(node as Element) || isInOther(node.parentNode));
    const found = new Map<Element, ReadBlock[]>();
    for (const unit of units) {
      if (isInOther(unit.parentNode)) continue;
      if (this.#slices.isOver) await this.#slices.next();
      const read: ReadBlock[] = [];
      await this.#inSlices(unit, (some) => read.push(...some));
      found.set(unit, read);
    }
    // All is changed at once: where one paragraph replaces another, the reading must not end between the two changes. The blocks
    // that were read again are removed first: the page may have moved them, and a place is found only among blocks in order.
    const isRead = (node: Node | null): boolean =>
      node !== null && (found.has(node as Element) || isRead(node.parentNode));
    const anchors = this.#blocks.map(({ block }) => anchorOf(block, this.#parts));
    const next = this.#blocks.filter((_, at) => this.#partOf(anchors[at]!) && !isRead(anchors[at]!));
    for (const [unit, read] of found)
      if (this.#partOf(unit)) replaceIn(next, this.#placeOf(unit, next), 0, read);
    if (this.#textWait.isOn(next.length === 0 && this.#blocks.length > 0, this.#parts)) {
      for (const element of elements) this.#dirty.add(element);
      return;
    }
    for (const { at, count, added } of changesBetween([...this.#blocks], next))
      this.#splice(at, count, added);
  }

  #hostOf<N extends Node>(node: N): N | Element {
    return hostOf(node, this.#parts);
  }

  #partOf(node: Node): Element | undefined {
    return this.#parts[indexOfPart(this.#parts, node)];
  }

  #placeOf(unit: Node, blocks: readonly ReadBlock[] = this.#blocks): number {
    return placeAmong(blocks, unit, this.#parts);
  }
}
