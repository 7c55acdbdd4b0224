// A reading of single words with a fake service, for tests of the queue.
import { ReadingQueue } from '../../../src/elements/reading/reading-queue.ts';
import type { Sentence } from '../../../src/page/sentences.ts';
import { deferred } from '../../../src/session/async.ts';
import { promisesSettled } from '../../promises-settled.ts';

export const written = (text: string): Sentence => ({
  text,
  element: {} as Element,
  src: null,
  range: () => ({}) as Range,
});

/**
 * A reading of these words, a fake service, and the texts that were sent and not cancelled.
 * @param refused words that are refused before they are sent, as a text that is not prepared
 */
export function reading(
  words: string,
  refused = '',
  isWhole = () => true,
): {
  queue: ReadingQueue<Sent>;
  page: Sentence[];
  sent: () => string;
  /** The loaded sentences to which the reading went. */
  shown: string[];
  sign: (text: string) => Promise<void>;
  fail: (text: string) => Promise<void>;
  edit: (at: number, count: number, ...texts: string[]) => void;
} {
  const page = words.split(' ').map(written);
  let row: Sent[] = [];
  const shown: string[] = [];
  const queue: ReadingQueue<Sent> = new ReadingQueue<Sent>({
    send: ({ ref, text }, signal) => {
      if (refused.includes(text)) return null;
      const one: Sent = { ref, text, ready: deferred<void>(), outcome: deferred<void>() };
      row.push(one);
      signal.addEventListener('abort', () => (row = row.filter((other) => other !== one)));
      return one;
    },
    goTo: (sent) => row.includes(sent) && shown.push(sent.text) > 0,
    drop: (sent) => (row = row.filter((one) => !sent.includes(one))),
    sentences: () => page,
    isWhole,
    address: () => '',
    isPressed: () => false,
    changed: () => {},
    over: () => {},
  });
  const sign = async (text: string): Promise<void> => {
    const { ref, outcome } = row.find((one) => one.text === text)!;
    queue.started(ref);
    queue.ended(ref);
    outcome.resolve();
    await promisesSettled();
  };
  const fail = async (text: string): Promise<void> => {
    const one = row.find((other) => other.text === text)!;
    row = row.filter((other) => other !== one);
    one.outcome.reject(new Error('not signed'));
    await promisesSettled();
  };
  const edit = (at: number, count: number, ...texts: string[]): void => {
    const added = texts.map(written);
    queue.splice(at, page.splice(at, count, ...added), added, false);
  };
  queue.start(0, null);
  return { queue, page, shown, sign, fail, edit, sent: () => row.map(({ text }) => text).join(' ') };
}

export interface Sent {
  readonly ref: string;
  readonly text: string;
  readonly ready: ReturnType<typeof deferred<void>>;
  readonly outcome: ReturnType<typeof deferred<void>>;
}

export const states = ({ entries }: ReadingQueue<Sent>): string =>
  entries.map(({ text, state }) => `${text}:${state}`).join(' ');
