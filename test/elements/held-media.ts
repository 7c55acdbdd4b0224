// Records the requests of a page for the media of its streams, and holds them back as an outage of the network does.
const { open, send } = XMLHttpRequest.prototype;

/** A request that is held; `run` sends it, and its promise resolves when it is answered. */
interface Held {
  readonly url: string;
  readonly run: () => Promise<void>;
}

/** From now on requests are made as usual. */
export function letMediaGo(): void {
  Object.assign(XMLHttpRequest.prototype, { open, send });
}

/** Records the page's requests for media, and holds them back when the test says so. */
export function watchMedia(): {
  urls: string[];
  /** Holds requests from the first one on whose address matches `from`, or at once. Resolves with the address of the first one. */
  hold: (from?: RegExp) => Promise<string>;
  /** Sends the held requests. Requests whose address matches `last` are sent when the others have been answered. */
  release: (last?: RegExp) => Promise<void>;
  underWay: () => number;
} {
  const urls: string[] = [];
  let held: Held[] | null = null;
  let underWay = 0;
  let holdFrom = (_url: string): void => {};
  const addresses = new WeakMap<XMLHttpRequest, string>();
  XMLHttpRequest.prototype.open = function (...args: [string, string]) {
    addresses.set(this, args[1]);
    urls.push(args[1]);
    holdFrom(args[1]);
    Reflect.apply(open, this, args);
  };
  XMLHttpRequest.prototype.send = function (body) {
    const run = (): Promise<void> =>
      new Promise((resolve) => {
        underWay += 1;
        this.addEventListener('loadend', () => {
          underWay -= 1;
          resolve();
        });
        send.call(this, body);
      });
    if (held) held.push({ url: addresses.get(this)!, run });
    else void run();
  };
  const release = async (last = /^$/): Promise<void> => {
    const waiting = held ?? [];
    held = null;
    const isLast = ({ url }: Held): boolean => last.test(url);
    const early = waiting.filter((one) => !isLast(one));
    await Promise.all(early.map(({ run }) => run()));
    for (const one of waiting.filter(isLast)) void one.run();
  };
  const hold = (from?: RegExp): Promise<string> =>
    new Promise((resolve) => {
      if (!from) held = [];
      holdFrom = (url) => {
        if (from && !from.test(url)) return;
        held ??= [];
        holdFrom = () => {};
        resolve(url);
      };
    });
  return { urls, hold, release, underWay: () => underWay };
}

/** Seconds of the segments that the service lists now in the stream of this playlist. */
export async function secondsOf(playlist: string): Promise<number> {
  const text = await (await fetch(playlist)).text();
  return [...text.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0);
}
