// A queue of arrived items, so that a test waits for the next one instead of sleeping.

export interface Arrivals<Item> {
  readonly all: readonly Item[];
  push(item: Item): void;
  /** Resolves with the next item that was not taken yet. */
  next(): Promise<Item>;
}

export function arrivals<Item>(): Arrivals<Item> {
  const all: Item[] = [];
  const waiting: ((item: Item) => void)[] = [];
  const untaken: Item[] = [];
  return {
    all,
    push(item) {
      all.push(item);
      const taker = waiting.shift();
      if (taker) taker(item);
      else untaken.push(item);
    },
    next() {
      const item = untaken.shift();
      return item === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(item);
    },
  };
}
