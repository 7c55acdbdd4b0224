// A sentence of a reading with its state, and how sentences are matched after the page has changed.
import { newWireId } from '../../internal/wire-id.ts';
import type { Sentence } from '../../page/sentences.ts';
import type { QueueState } from '../sign-events.ts';

/** What is known of a sentence that is sent. */
export interface SentUtterance {
  readonly ready: { readonly promise: Promise<unknown> };
  readonly outcome: { readonly promise: Promise<unknown> };
}

/** A sentence of a reading. */
export class ReadingItem<Sent extends SentUtterance> {
  sentence: Sentence;
  ref = newWireId();
  state: QueueState = 'waiting';
  isSkipped = false;
  /** The page has changed its words. */
  hasChanged = false;
  sent: Sent | null = null;
  /** Null before it is sent and after it has been signed. */
  sending: AbortController | null = null;

  constructor(sentence: Sentence) {
    this.sentence = sentence;
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

/** True for an item that is not left out. */
export const isWanted = ({ isSkipped }: { readonly isSkipped: boolean }): boolean => !isSkipped;

/**
 * Items for these sentences, in order; a sentence whose text is among the old ones keeps its item. One whose words change for the
 * second time, as those of a clock, keeps its item too when it is sent: otherwise it would be sent at each tick and never signed.
 */
export function matchItems<Sent extends SentUtterance>(
  old: readonly ReadingItem<Sent>[],
  sentences: readonly Sentence[],
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
  if (old.length !== items.length) return { items, kept };
  items.forEach((item, at) => {
    const before = old[at]!;
    if (kept.has(item) || kept.has(before)) return;
    if (before.state === 'signed') item.state = 'signed';
    else if (before.hasChanged && before.sending) {
      before.sentence = item.sentence;
      kept.add((items[at] = before));
    } else item.hasChanged = true;
  });
  return { items, kept };
}
