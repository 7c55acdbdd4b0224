// A sentence of a reading with its state, and how sentences are matched after the page has changed.
import { newWireId } from '../../internal/wire-id.ts';
import type { Sentence } from '../../page/sentences.ts';
import type { QueueEntry, QueueState } from '../sign-events.ts';
import { growing, growsUntil } from './growing-text.ts';

/** What is known of a sentence that is sent. */
export interface SentUtterance {
  readonly ready: { readonly promise: Promise<unknown> };
  readonly outcome: { readonly promise: Promise<unknown> };
}

export interface ReadingQueueOptions<Sent extends SentUtterance> {
  /** Null when it cannot be signed; the error was reported. @throws SignError when the settings cannot be sent. */
  send(text: { ref: string; text: string; src: string | null }, signal: AbortSignal): Sent | null;
  /** Goes to a sentence whose video is loaded; false when it is not. */
  goTo(sent: Sent): boolean;
  /** Removes these, whether they wait, are on screen, or were signed and could be shown again. */
  drop(sent: readonly Sent[]): void;
  /** The sentences of the page found so far, in order. */
  sentences(): readonly Sentence[];
  /** False while the page is being read: `splice` then brings its other sentences, and is called once more at its end. */
  isWhole(): boolean;
  /** Where the page is now. */
  address(): string;
  /** A visitor has just pressed something. */
  isPressed(): boolean;
  changed(): void;
  /** Nothing is left to be signed. */
  over(): void;
}

/** A sentence of a reading. */
export class ReadingItem<Sent extends SentUtterance> {
  sentence: Sentence;
  ref = newWireId();
  state: QueueState = 'waiting';
  isSkipped = false;
  /** The page has changed its words. */
  hasChanged = false;
  /** The page is still writing it: when it may be sent. */
  growsUntil = 0;
  sent: Sent | null = null;
  /** Place of its video among those of the reading. */
  order = 0;
  /** Null before it is sent and after it has been signed. */
  sending: AbortController | null = null;

  constructor(sentence: Sentence) {
    this.sentence = sentence;
  }

  get entry(): QueueEntry {
    const { ref, state, sentence } = this;
    return { ref, text: sentence.text, state, element: sentence.element };
  }

  /** It cannot be signed. */
  refuse(): void {
    this.sending = null;
    this.state = 'failed';
  }

  /** It waits to be sent, also when it was sent, signed or skipped before. Returns what was sent. */
  reset(): Sent[] {
    const { sent } = this;
    if (this.state !== 'waiting') this.ref = newWireId();
    this.sending?.abort();
    this.sending = this.sent = null;
    this.isSkipped = false;
    this.state = 'waiting';
    return sent ? [sent] : [];
  }
}

/** True for an item whose video comes, for the first time or once more. */
export const isComing = (item: ReadingItem<SentUtterance>): boolean =>
  item.sending !== null || item.state === 'ready' || growing(item) > 0;

/** The loaded videos from this item's on follow; those before it do not. */
export function showAgain(
  items: readonly ReadingItem<SentUtterance>[],
  from: ReadingItem<SentUtterance>,
): void {
  for (const item of items) {
    if (item.sending) continue;
    if (item.order < from.order && item.state === 'ready') item.state = 'signed';
    if (item.order >= from.order && item.state === 'signed' && item.sent) item.state = 'ready';
  }
}

/** True when all are signed, and their loaded videos follow one another. */
export const isInOrder = (items: readonly ReadingItem<SentUtterance>[]): boolean =>
  items.every(
    ({ sent, state, order }, at) => sent && state === 'signed' && order > (items[at - 1]?.order ?? 0),
  );

/** True for a sentence that is to be signed. */
export const isAhead = ({ state }: { readonly state: QueueState }): boolean =>
  state === 'waiting' || state === 'preparing' || state === 'ready';

/** Skips these, the last one first: a place that becomes free must not go to another of them. */
export function passOver<Sent extends SentUtterance>(
  { drop }: Pick<ReadingQueueOptions<Sent>, 'drop'>,
  items: readonly ReadingItem<Sent>[],
): void {
  for (const item of [...items].reverse()) {
    const { sending, sent, state } = item;
    if (state !== 'failed') item.state = 'signed';
    // A visitor can seek back to what was signed, but not to what is left out.
    if (!sending && state === 'signed' && !item.isSkipped) continue;
    item.sending = item.sent = null;
    if (sending) sending.abort();
    else if (sent) drop([sent]);
  }
}

/** Skips new sentences before the one on screen, and resets those that were sent and now come after a new one. */
export function restoreOrder<Sent extends SentUtterance>(
  { drop }: Pick<ReadingQueueOptions<Sent>, 'drop'>,
  items: readonly ReadingItem<Sent>[],
  isOver: boolean,
): void {
  const onScreen = items.findLastIndex(({ state }) => state === 'signing' || state === 'signed');
  for (const item of items.slice(0, onScreen + 1)) if (item.state === 'waiting') item.state = 'signed';
  const next = items.findIndex(({ state }) => state === 'waiting');
  if (isOver || next < 0) return;
  for (const item of items.slice(next).reverse()) if (isComing(item)) drop(item.reset());
}

/** True for an item that is not left out. */
export const isWanted = ({ isSkipped }: { readonly isSkipped: boolean }): boolean => !isSkipped;

/**
 * Items for these sentences, in order; a sentence whose text is among the old ones keeps its item. A sent sentence whose words
 * change for the second time, as in a clock, keeps its item too: otherwise it would be sent at each tick and never signed.
 */
function matchItems<Sent extends SentUtterance>(
  old: readonly ReadingItem<Sent>[],
  sentences: readonly Sentence[],
  isOther: boolean,
  grows: number,
): { items: ReadingItem<Sent>[]; kept: Set<ReadingItem<Sent>> } {
  const kept = new Set<ReadingItem<Sent>>();
  /** Indexes of the old items with this text, the last one first. */
  const places = new Map<string, number[]>();
  for (let at = old.length - 1; at >= 0; at--) {
    const { text } = old[at]!.sentence;
    const same = places.get(text);
    if (same) same.push(at);
    else places.set(text, [at]);
  }
  let next = 0;
  const items = sentences.map((sentence) => {
    const same = places.get(sentence.text) ?? [];
    while (same.length > 0 && same.at(-1)! < next) same.pop();
    const index = same.pop();
    if (index === undefined) return new ReadingItem<Sent>(sentence);
    next = index + 1;
    const item = old[index]!;
    item.sentence = sentence;
    kept.add(item);
    return item;
  });
  const last = items.at(-1);
  for (const item of items)
    if (item !== last) item.growsUntil = 0;
    else if (!kept.has(item)) item.growsUntil = grows;
  if (isOther || old.length !== items.length) return { items, kept };
  items.forEach((item, at) => {
    const before = old[at]!;
    if (kept.has(item) || kept.has(before) || item.growsUntil) return;
    if (before.state === 'signed') item.state = 'signed';
    else if (before.hasChanged && before.sending) {
      before.sentence = item.sentence;
      kept.add((items[at] = before));
    } else item.hasChanged = true;
  });
  return { items, kept };
}

/** Index of the new item that takes the place of an old one: the same place when there are as many as before, else the first. */
function indexOfNew<Sent extends SentUtterance>(
  item: ReadingItem<Sent>,
  old: readonly ReadingItem<Sent>[],
  items: readonly ReadingItem<Sent>[],
  kept: ReadonlySet<ReadingItem<Sent>>,
): number {
  const at = old.length === items.length ? old.indexOf(item) : -1;
  return at >= 0 && !kept.has(items[at]!) ? at : items.findIndex((one) => !kept.has(one));
}

/**
 * The items of the sentences that a page has in place of old ones. `lost` are the old items that it has no more, except the one on
 * screen.
 * @param isOther the new sentences are another text
 * @param anew the page was read anew
 * @param isAll the old ones are all of the reading
 */
export function replaceItems<Sent extends SentUtterance>(
  old: readonly ReadingItem<Sent>[],
  sentences: readonly Sentence[],
  isOther: boolean,
  anew: boolean,
  isAll: boolean,
): { items: ReadingItem<Sent>[]; lost: ReadingItem<Sent>[]; hasKept: boolean } {
  const grows = isOther ? 0 : growsUntil(old, sentences);
  const { items, kept } = matchItems(old, sentences, isOther, grows);
  const lost = old.filter((item) => !kept.has(item));
  const wasSigned = !isOther && !grows && old.length > 0 && old.every(({ state }) => state === 'signed');
  // The sentence on screen is signed to its end, and not again with its new words, unless it was only the beginning.
  const onScreen = lost.find(({ state }) => state === 'signing');
  // Nothing is left of the old text, so the new one is not the same text in other words.
  const isGone = isAll && kept.size === 0 && old.length * items.length > 1;
  const isCut = grows && onScreen === old.at(-1);
  const successor =
    anew || isOther || isGone || isCut || !onScreen ? -1 : indexOfNew(onScreen, old, items, kept);
  if (onScreen && successor >= 0) {
    onScreen.sentence = items[successor]!.sentence;
    items[successor] = onScreen;
  }
  if (wasSigned) for (const item of items) item.state = 'signed';
  return { items, lost: lost.filter((item) => item !== onScreen), hasKept: kept.size > 0 };
}
