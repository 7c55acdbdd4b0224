// The sentences of one reading of a page, in order, each with its state.
// - The one on screen and the next 3 are sent, because results can take 20 s; no more, because a visitor may stop.
// - Each has a ref, which its events carry. One that is sent again gets a new ref.
// - A signed sentence whose video is loaded is `ready` again while it follows the one on screen.
// - After three failures in a row nothing more is sent until a visitor asks for it.
import type { QueueEntry, QueueState } from '../sign-events.ts';
import { replaceIn } from '../../page/read-blocks.ts';
import type { Sentence } from '../../page/sentences.ts';
import { afterGrowth } from './growing-text.ts';
import { isOtherText } from './other-text.ts';
import {
  isAhead,
  isComing,
  isInOrder,
  isWanted,
  passOver,
  ReadingItem,
  type ReadingQueueOptions,
  replaceItems,
  restoreOrder,
  type SentUtterance,
  showAgain,
} from './reading-item.ts';

/** Sentences that are sent and not yet signed, the one on screen included. */
const AHEAD = 4;
const MAX_FAILURES = 3;

export class ReadingQueue<Sent extends SentUtterance> {
  readonly #options: ReadingQueueOptions<Sent>;
  #items: ReadingItem<Sent>[] = [];
  /** All that this reading has sent, also for sentences that the page has no more: a visitor can seek back to each. */
  #sent: Sent[] = [];
  /** The waiting sentences were dropped, so the rest is not the whole part. */
  #isCleared = false;
  /** Address of the page whose text is read. */
  #address = '';
  /** Index of the first item among the sentences of the page. */
  #first = 0;
  #isOpen = false;
  #failures = 0;
  #growing: ReturnType<typeof afterGrowth>;
  /** Every sentence is signed or has failed. Sentences that the page gets later wait until a visitor starts again. */
  #isOver = false;
  #current: ReadingItem<Sent> | null = null;

  constructor(options: ReadingQueueOptions<Sent>) {
    this.#options = options;
  }

  get entries(): readonly QueueEntry[] {
    return this.#items.filter(isWanted).map(({ entry }) => entry);
  }

  /** It reads to the end of the page, and the sentences that are found later too. */
  get isOpen(): boolean {
    return this.#isOpen;
  }
  /** True while a sentence is on screen, or has a video that comes. */
  get isBusy(): boolean {
    return this.#items.some((item) => isComing(item) || item.state === 'signing');
  }

  /** Reads from this sentence of the page on; `last` is the last one that is read, null for the end of the page. */
  start(first: number, last: number | null): void {
    this.stop();
    this.#first = first;
    this.#address = this.#options.address();
    this.#isOpen = last === null;
    const wanted = this.#options.sentences().slice(first, last === null ? undefined : last + 1);
    this.#items = wanted.map((one) => new ReadingItem<Sent>(one));
    this.resume();
  }

  /** After the end: signs all of it again from the loaded videos; false when one is missing or at another place. */
  again(): boolean {
    const wanted = this.#items.filter(isWanted);
    const [first] = this.#isOver && !this.#isCleared && isInOrder(wanted) ? wanted : [];
    if (!first || !this.#options.goTo(first.sent!)) return false;
    showAgain(wanted, first);
    this.#options.changed();
    return true;
  }

  /** Goes on after failures; false when nothing waits. */
  resume(): boolean {
    if (this.#isOver) return false;
    this.#failures = 0;
    this.#feed();
    return this.isBusy;
  }

  stop(): void {
    const items = this.#items;
    this.#items = [];
    this.#current = null;
    this.#isOver = this.#isCleared = false;
    clearTimeout(this.#growing);
    // Removed sentences are not reported as failed.
    for (const item of items) item.sending = null;
    const sent = this.#sent.splice(0);
    this.#options.drop(sent);
    if (items.length + sent.length > 0) this.#options.changed();
  }

  skip(ref: string): void {
    const item = this.find(ref);
    if (!item) return;
    item.isSkipped = true;
    passOver(this.#options, [item]);
    this.#feed();
  }

  /** Drops what waits, also to be shown once more; the sentence on screen is signed to its end. */
  clear(): void {
    const ahead = this.#items.filter(isAhead);
    if (ahead.length === 0) return;
    this.#isOpen = false;
    this.#isCleared = true;
    this.#items = this.#items.filter((item) => !isAhead(item));
    passOver(this.#options, ahead);
    this.#options.changed();
    if (!this.isBusy) this.#options.over();
  }

  /** Sends failed sentences again, and after them, in order, the later ones that were sent. False when none has failed. */
  retry(refs: readonly string[]): boolean {
    const isAgain = ({ ref, state }: ReadingItem<Sent>): boolean => state === 'failed' && refs.includes(ref);
    const at = this.#items.findIndex(isAgain);
    if (at < 0) return false;
    for (const item of this.#items.slice(at).reverse())
      if (isAgain(item) || (isComing(item) && item.state !== 'signing')) this.#options.drop(item.reset());
    this.#isOver = false;
    return this.resume();
  }

  /** Goes on to the sentence after the one on screen. */
  next(): void {
    const current = this.#current ?? this.#items.find(({ sending }) => sending !== null);
    if (!current || !this.#items.includes(current)) return;
    const next = this.#items.slice(this.#items.indexOf(current) + 1).find(isWanted);
    if (next) return this.#goTo(next);
    this.#current = null;
    passOver(this.#options, [current]);
    this.#feed();
  }

  /** Goes back to the sentence before the one on screen. */
  previous(): void {
    const at = this.#current ? this.#items.indexOf(this.#current) : this.#items.length;
    let target = this.#items.slice(0, Math.max(0, at)).findLast(isWanted);
    if (!target) {
      const before = this.#options.sentences()[this.#first - 1];
      if (!before) target = this.#items.find(isWanted);
      else {
        this.#items.unshift((target = new ReadingItem<Sent>(before)));
        this.#first -= 1;
      }
    }
    if (target) this.#goTo(target);
  }

  /** Goes to any sentence of the queue. */
  jump(ref: string): void {
    const item = this.find(ref);
    if (item) this.#goTo(item);
  }

  find(ref: string): ReadingItem<Sent> | undefined {
    return this.#items.find((item) => item.ref === ref);
  }

  #goTo(target: ReadingItem<Sent>): void {
    this.#isOver = false;
    const at = this.#items.indexOf(target);
    const from = this.#current ? this.#items.indexOf(this.#current) : -1;
    this.#current = target;
    if (target.sent && target.state !== 'failed' && this.#options.goTo(target.sent)) {
      showAgain(this.#items, target);
      return this.#options.changed();
    }
    // Later sentences are sent again, and their videos removed: otherwise the one on screen would play until the target is loaded.
    if (at <= from) for (const item of this.#items.slice(at).reverse()) this.#options.drop(item.reset());
    else if (target.state !== 'preparing') target.reset();
    const before = this.#items.slice(0, at).filter(({ state }) => state !== 'signed');
    passOver(this.#options, before);
    this.resume();
  }

  /** The first frame of this text is on screen. Returns its sentence. */
  started(ref: string): Sentence | null {
    const item = this.find(ref);
    if (!item) return null;
    for (const other of this.#items)
      if (other.state === 'signing') other.state = other.sending ? 'ready' : 'signed';
    showAgain(this.#items, item);
    item.state = 'signing';
    this.#current = item;
    this.#options.changed();
    return item.sentence;
  }

  /** The last frame of this text has been shown. */
  ended(ref: string): void {
    const item = this.find(ref);
    if (item?.state !== 'signing') return;
    item.state = 'signed';
    // A sentence that is shown once more has no promise left that would report the end.
    this.#feed();
  }

  /** The video of this text has failed. For a text that was to be shown once more, nothing else reports that. */
  failed(ref: string): void {
    const item = this.find(ref);
    if (!item || item.sending || !(isComing(item) || item.state === 'signing')) return;
    item.sent = null;
    this.#settle(item, 'failed');
  }

  /** The page has other sentences from this index on. False when the page was read anew and none of its sentences is the same. */
  splice(at: number, removed: readonly Sentence[], added: readonly Sentence[], anew: boolean): boolean {
    const from = at - this.#first;
    const isAfter = from > this.#items.length || (from === this.#items.length && !this.#isOpen);
    if (this.#items.length === 0 || isAfter) return true;
    if (from + removed.length <= 0 && from < 0) {
      this.#first += added.length - removed.length;
      return true;
    }
    const start = Math.max(0, from);
    const old = this.#items.splice(start, Math.max(0, from + removed.length - start));
    const isMoved = this.#options.address() !== this.#address;
    const isOther = isOtherText(old, added, isMoved, this.#options.isPressed);
    // One read of the page may make several calls, so the address is updated only after this task.
    if (isMoved && isOther) queueMicrotask(() => (this.#address = this.#options.address()));
    const { items, lost, hasKept } = replaceItems(old, added, isOther, anew, this.#items.length === 0);
    replaceIn(this.#items, start, 0, items);
    if (from < 0) this.#first = at;
    passOver(this.#options, lost);
    restoreOrder(this.#options, this.#items, this.#isOver);
    const goesOn = !anew || hasKept;
    if (goesOn) this.#feed();
    return goesOn;
  }

  /** Sends the sentences that may be sent now. */
  #feed(): void {
    let sent = this.#items.filter(({ sending }) => sending !== null).length;
    for (const item of this.#items) {
      if (sent >= AHEAD || this.#failures >= MAX_FAILURES || this.#isOver) break;
      if (item.isSkipped || item.state !== 'waiting') continue;
      clearTimeout(this.#growing);
      this.#growing = afterGrowth(item, () => this.#feed());
      if (this.#growing) break;
      this.#send(item);
      if (item.sending) sent += 1;
    }
    this.#options.changed();
    if (this.#items.length === 0 || this.isBusy) return;
    this.#isOver ||= this.#options.isWhole() && this.#items.every(({ state }) => state !== 'waiting');
    this.#options.over();
  }

  #send(item: ReadingItem<Sent>): void {
    const sending = new AbortController();
    const { ref, sentence } = item;
    const { text, src } = sentence;
    const isThis = (): boolean => item.sending === sending;
    item.sending = sending;
    item.state = 'preparing';
    const sent = (item.sent = this.#options.send({ ref, text, src }, sending.signal));
    if (!sent) return item.refuse();
    item.order = this.#sent.push(sent);
    void sent.ready.promise.then(() => {
      if (!isThis() || item.state !== 'preparing') return;
      item.state = 'ready';
      this.#options.changed();
    });
    sent.outcome.promise.then(
      () => isThis() && this.#settle(item, 'signed'),
      (error: unknown) => isThis() && this.#onRejected(item, error),
    );
  }

  #settle(item: ReadingItem<Sent>, state: QueueState): void {
    item.sending = null;
    item.state = state;
    this.#failures = state === 'failed' ? this.#failures + 1 : 0;
    this.#feed();
  }

  #onRejected(item: ReadingItem<Sent>, error: unknown): void {
    if ((error as Error).name !== 'AbortError') return this.#settle(item, 'failed');
    item.sending = null;
    // The page removed the sentence while it was on screen, so the item is of an earlier reading.
    if (!this.#items.includes(item)) return;
    // The page dropped it, by clear(), end() or removal. So the sentences that wait are dropped too.
    item.state = 'waiting';
    this.clear();
  }
}
