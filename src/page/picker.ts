// Finds where a reader may start: the paragraph under the pointer, the finger or the focus, or what is selected.
// - It only listens: it prevents no default, so that links and forms get every click.
// - The button is shown only where it covers no link, field or button of the page and no part of the signer.
// - A button that is shown for the pointer disappears when the pointer goes above or below the paragraph. A pointer that goes to
//   the side can reach the button in the margin.
// - When the page scrolls, the button goes with its paragraph, and disappears with it. That of a selection comes again when the
//   page rests: to find the place of a selection of 5,000 paragraphs takes 70 ms.
import { blockAround, firstBlock, hostOf } from './blocks.ts';
import { isOutOfSight } from './unread.ts';

/** Elements that use a click themselves. */
export const INTERACTIVE =
  'a, area, button, input, select, textarea, label, summary, option, audio, video, iframe, embed, object, ' +
  '[role=button], [role=link], [role=tab], [role=menuitem], [contenteditable]:not([contenteditable="false" i])';
const GAP = 8;
const REST_MS = 150;

/** Upper left corner of the button, in pixels of the window. */
export interface PickPlace {
  readonly x: number;
  readonly y: number;
}

interface PickerOptions {
  /** The signer, whose own text is never picked. */
  readonly host: Element;
  readonly parts: () => readonly Element[];
  /** True where a reader may start from `paragraphs`, or from a `selection`. */
  readonly picks: (what: string) => boolean;
  /** Where the button is to be shown; null for nowhere. */
  readonly changed: (place: PickPlace | null) => void;
}

/** Width and height of the button: WCAG 2.2 SC 2.5.8 asks for 24 px, and a finger for 44. */
export const pickSize = (): number => (matchMedia('(pointer: coarse)').matches ? 44 : 32);

/** True for a place that is over no element that uses a click, and not over the signer. */
function isFree(x: number, y: number, size: number, host: Element): boolean {
  const signer = host.getBoundingClientRect();
  const isBeside = x + size <= signer.left || x >= signer.right;
  if (!isBeside && y + size > signer.top && y < signer.bottom) return false;
  const steps = [1, size / 2, size - 1];
  return steps.every((right) =>
    steps.every((down) =>
      document
        .elementsFromPoint(x + right, y + down)
        .every((one) => one === host || !one.closest(INTERACTIVE)),
    ),
  );
}

export class Picker {
  readonly #options: PickerOptions;
  readonly #life = new AbortController();
  #picked: Element | Range | null = null;
  /** It was reached with the keyboard, and stays until the focus goes. */
  #isHeld = false;
  /**
   * The type of the last pointer: a click has none in Safari before 18.2 and Firefox before 129, and a wrong one in Safari 18.2.
   * It begins as `touch`, because a finger may come down before this listens, while a mouse moves before it clicks.
   */
  #pointerType = 'touch';
  /** The button is shown for a finger that has just come down: the click of this tap must not hide it. */
  #isEarly = false;

  constructor(options: PickerOptions) {
    this.#options = options;
    const listening = { passive: true, signal: this.#life.signal };
    document.addEventListener('pointerover', (event) => this.#onPointer(event), listening);
    document.addEventListener('click', (event) => this.#onClick(event as PointerEvent), listening);
    document.addEventListener('focusin', ({ target }) => this.#onFocus(target as Element), listening);
    document.addEventListener('selectionchange', () => this.#onSelection(), listening);
    let rest = 0;
    const onMove = (): void => {
      if (this.#isHeld || this.#picked instanceof Element) return this.#show(this.#picked);
      this.#hide();
      clearTimeout(rest);
      rest = window.setTimeout(() => this.#life.signal.aborted || this.#onSelection(), REST_MS);
    };
    document.addEventListener('scroll', onMove, { ...listening, capture: true });
    window.addEventListener('resize', onMove, listening);
  }

  close(): void {
    this.#life.abort();
    this.#hide();
  }

  /** What the button signs now. */
  get picked(): Element | Range | null {
    return this.#picked;
  }

  /** The button has got or lost the focus. Without a place it goes to the first paragraph on screen. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) this.#hide();
    else if (!this.#picked) this.move(1);
  }

  /** A reader has pointed at this node, or selected something, before there was a picker. */
  pickAt(node: Node): void {
    this.#onSelection();
    const block = this.#picked ? null : this.#paragraphAt(node);
    if (!block) return;
    this.#show(block);
    this.#isEarly = true;
  }

  /** Goes to the paragraph after or before, and brings it on screen. */
  move(step: 1 | -1): void {
    const picked = this.#picked instanceof Range ? this.#blockAt(this.#picked.startContainer) : this.#picked;
    const next = picked ? this.#blocksFrom(picked, step).next().value : this.#firstOnScreen();
    if (!next) return;
    const { top, bottom } = next.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) next.scrollIntoView({ block: 'center' });
    this.#show(next);
  }

  /** The block that a reader means with this node, if it has text that is read. */
  #blockAt(node: Node | null): Element | null {
    const element = node instanceof Element ? node : (node?.parentElement ?? null);
    if (!element || element === this.#options.host) return null;
    const parts = this.#options.parts();
    const outer = hostOf(element, parts);
    const part = parts.find((one) => one.contains(outer));
    if (!part) return null;
    const around = blockAround(outer, part);
    if (isOutOfSight(around, part)) return null;
    // To read a text of thousands of elements at each of them would take longer than a frame.
    return around === this.#picked || hasText(around) ? around : null;
  }

  /** The same, where a reader may start from a paragraph. */
  #paragraphAt(node: Node): Element | null {
    return this.#options.picks('paragraphs') ? this.#blockAt(node) : null;
  }

  /** The blocks after this element, or before it, in order; without one, all of them. Only those that are wanted. */
  *#blocksFrom(
    element: Element | null,
    step: 1 | -1,
    isWanted: (one: Element) => boolean = () => true,
  ): Generator<Element, void> {
    const all = this.#options.parts().flatMap((part) => [part, ...part.querySelectorAll('*')]);
    for (let at = (element ? all.indexOf(element) : -1) + step; all[at]; at += step)
      if (isWanted(all[at]!) && this.#blockAt(all[at]!) === all[at]) yield all[at]!;
  }

  #firstOnScreen(): Element | null {
    // An element has its place at once. Whether it is a block takes so long that it is not asked of a long page above the window.
    const isBelow = (one: Element): boolean => one.getBoundingClientRect().bottom > 0;
    for (const block of this.#blocksFrom(null, 1, isBelow)) return block;
    for (const block of this.#blocksFrom(null, 1)) return block;
    return null;
  }

  #onPointer({ target, pointerType, clientY }: PointerEvent): void {
    this.#pointerType = pointerType;
    if (this.#isHeld || pointerType === 'touch' || this.#picked instanceof Range) return;
    const block = this.#paragraphAt(target as Node);
    if (block) return this.#show(block);
    if (!(this.#picked instanceof Element) || target === this.#options.host) return;
    const { top, bottom } = this.#picked.getBoundingClientRect();
    if (clientY < top - GAP || clientY > Math.max(bottom, top + pickSize()) + GAP) this.#hide();
  }

  /** A finger cannot hover: its tap shows the button, unless the tap was on an element that uses clicks. */
  #onClick({ target, pointerType, defaultPrevented }: PointerEvent): void {
    // A key and a script click without a pointer.
    if (pointerType === '' || this.#pointerType !== 'touch') return;
    if (target === this.#options.host || this.#picked instanceof Range) return;
    const isUsed = defaultPrevented || (target instanceof Element && target.closest(INTERACTIVE) !== null);
    const block = isUsed ? null : this.#paragraphAt(target as Node);
    if (block && (block !== this.#picked || this.#isEarly)) this.#show(block);
    else this.#hide();
    this.#isEarly = false;
  }

  #onFocus(target: Element): void {
    if (target === this.#options.host || this.#picked instanceof Range) return;
    const block = target.matches(':focus-visible') ? this.#paragraphAt(target) : null;
    if (block) this.#show(block);
  }

  #onSelection(): void {
    const selection = document.getSelection();
    const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
    const isWanted =
      this.#options.picks('selection') && range !== null && !range.collapsed && /\S/.test(String(range));
    if (isWanted && this.#options.parts().some((part) => range.intersectsNode(part)))
      this.#show(range.cloneRange());
    else if (this.#picked instanceof Range && !this.#isHeld) this.#hide();
  }

  #hide(): void {
    if (!this.#picked) return;
    this.#picked = null;
    this.#options.changed(null);
  }

  #show(picked: Element | Range | null): void {
    if (!picked) return;
    const place = this.#placeFor(picked);
    // With the keyboard the button is always shown: in the corner of the window where no place is free.
    if (!place && !this.#isHeld) return this.#hide();
    this.#picked = picked;
    this.#options.changed(place ?? { x: GAP, y: GAP });
  }

  #placeFor(picked: Element | Range): PickPlace | null {
    const size = pickSize();
    const whole = picked.getBoundingClientRect();
    if (whole.bottom < 0 || whole.top > innerHeight) return null;
    const rects = picked instanceof Range ? [...picked.getClientRects()] : [];
    const { left, right, top, bottom } = rects.at(-1) ?? whole;
    const isRtl = picked instanceof Element && getComputedStyle(picked).direction === 'rtl';
    const before: [number, number] = isRtl ? [right + GAP, top] : [left - size - GAP, top];
    const after: [number, number] = isRtl ? [left - size - GAP, top] : [right + GAP, top];
    const [start, end] = isRtl ? [right - size, left] : [left, right - size];
    const at: [number, number][] =
      picked instanceof Range
        ? [[right + GAP / 2, bottom + GAP / 2], [right + GAP / 2, top - size - GAP / 2], after]
        : [before, after, [end, top - size], [end, bottom], [start, top - size], [start, bottom]];
    const inside = (value: number, room: number): number =>
      Math.min(Math.max(GAP / 2, value), room - size - GAP / 2);
    for (const [x, y] of at) {
      if (picked instanceof Element && (x < 0 || x + size > document.documentElement.clientWidth)) continue;
      const place = { x: inside(x, document.documentElement.clientWidth), y: inside(y, innerHeight) };
      if (isFree(place.x, place.y, size, this.#options.host)) return place;
    }
    return null;
  }
}

/** The first words that are read in an element. */
export const textOf = (element: Element): string => firstBlock(element)?.text ?? '';

/** True for a block that has text of its own, beside that of the blocks in it. */
const hasText = (block: Element): boolean => firstBlock(block)?.element === block;
