// Knows the requests of a page for the media of its streams, and holds them back as an outage of the network does.
const { open, send } = XMLHttpRequest.prototype;

/** From now on requests are made as usual. */
export function letMediaGo(): void {
  Object.assign(XMLHttpRequest.prototype, { open, send });
}

/** Knows the page's requests of media, and holds them back if asked. */
export function watchMedia(): {
  urls: string[];
  /** From the first request on whose address passes the test; without one at once. Resolves with the request that is held. */
  hold: (from?: RegExp) => Promise<string>;
  release: () => void;
  underWay: () => number;
} {
  const urls: string[] = [];
  let held: (() => void)[] | null = null;
  let underWay = 0;
  let holdFrom = (_url: string): void => {};
  XMLHttpRequest.prototype.open = function (...args: [string, string]) {
    urls.push(args[1]);
    holdFrom(args[1]);
    Reflect.apply(open, this, args);
  };
  XMLHttpRequest.prototype.send = function (body) {
    const run = (): void => {
      underWay += 1;
      this.addEventListener('loadend', () => (underWay -= 1));
      send.call(this, body);
    };
    if (held) held.push(run);
    else run();
  };
  const release = (): void => {
    const waiting = held ?? [];
    held = null;
    for (const run of waiting) run();
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
