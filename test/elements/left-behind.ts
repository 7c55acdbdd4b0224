// Counts what a page keeps in memory of elements that were removed.
// - Every large object that was made meanwhile has a weak reference, which is read after the garbage collector has run.
// - Pending requests for video frames are counted too, because WebKit keeps a video with such a request for ever.
import Hls from 'hls.js/light';
import '../../src/dash.ts';
import 'shaka-player/dist/shaka-player.dash-es2021.js';
import { collectGarbage } from '../collect-garbage.ts';
import { until } from '../until.ts';
import { frames } from './on-page.ts';

/** Where no bundler has run, Shaka is this global. */
declare const shaka: { Player: { prototype: { attach(video: HTMLMediaElement): Promise<unknown> } } };

const MOUNTS = 20;
/** How many elements are on the page at once: each waits for its media most of the time. */
const ROWS = 4;

const kinds = ['element', 'file', 'video', 'canvas', 'source', 'socket', 'engine'] as const;
type Kind = (typeof kinds)[number];
type Count = Record<Kind, number>;

const seen = new Map<Kind, WeakRef<object>[]>();
const restoring: (() => void)[] = [];
/** The number of pending requests for video frames, and the ids of these requests by video. */
let frameRequests = 0;
let requestsOf = new WeakMap<HTMLVideoElement, Set<number>>();

/** Counts one more object. */
export function note(kind: Kind, thing: object): void {
  seen.get(kind)?.push(new WeakRef(thing));
}

const count = (counts: (ref: WeakRef<object>) => boolean): Count =>
  Object.fromEntries(kinds.map((kind) => [kind, seen.get(kind)?.filter(counts).length])) as Count;

/** How many objects were made. */
export const made = (): Count => count(() => true);

/** Waits until this many elements are left, and nothing else. */
export function untilLeft(elements: number): Promise<Count & { frameRequests: number }> {
  return until(
    async () => {
      await collectGarbage();
      return { ...count((ref) => ref.deref() !== undefined), frameRequests };
    },
    (left) =>
      left.frameRequests === 0 && kinds.every((kind) => left[kind] === (kind === 'element' ? elements : 0)),
  );
}

/** Calls `then` after each call of a method, with its object and its result. */
function after<Owner extends object>(
  owner: Owner,
  name: keyof Owner,
  then: (self: object, result: unknown) => void,
): void {
  const method = owner[name] as (...args: unknown[]) => unknown;
  const own = function (this: object, ...args: unknown[]): unknown {
    const result = Reflect.apply(method, this, args);
    then(this, result);
    return result;
  };
  Object.assign(owner, { [name]: own });
  restoring.push(() => Object.assign(owner, { [name]: method }));
}

/** Counts the pending requests for video frames. */
function countFrameRequests(): void {
  const { prototype } = HTMLVideoElement;
  const { requestVideoFrameCallback: request, cancelVideoFrameCallback: cancel } = prototype;
  const isOver = (video: HTMLVideoElement, one: number): void => {
    if (requestsOf.get(video)?.delete(one)) frameRequests -= 1;
  };
  frameRequests = 0;
  requestsOf = new WeakMap();
  prototype.requestVideoFrameCallback = function (callback) {
    const one = request.call(this, (...about) => {
      isOver(this, one);
      callback(...about);
    });
    const open = requestsOf.get(this) ?? new Set();
    requestsOf.set(this, open.add(one));
    frameRequests += 1;
    return one;
  };
  prototype.cancelVideoFrameCallback = function (one) {
    isOver(this, one);
    cancel.call(this, one);
  };
  restoring.push(() =>
    Object.assign(prototype, { requestVideoFrameCallback: request, cancelVideoFrameCallback: cancel }),
  );
}

/** The test runner's own socket, which reports that the page has begun: on a busy machine only while a test runs. */
const socketOfRunner = (): unknown =>
  (window as { __WDS_WEB_SOCKET__?: { webSocket: WebSocket } }).__WDS_WEB_SOCKET__?.webSocket;

/** Counts every video, canvas, source with its buffer, socket and engine of a stream that is made from now on. */
export function watch(): void {
  for (const kind of kinds) seen.set(kind, []);
  countFrameRequests();
  after(document, 'createElement', (_, one) => {
    if (one instanceof HTMLVideoElement) note('video', one);
    if (one instanceof HTMLCanvasElement) note('canvas', one);
  });
  after(MediaSource.prototype, 'addSourceBuffer', (source, buffer) => {
    note('source', source);
    note('source', buffer as SourceBuffer);
  });
  after(WebSocket.prototype, 'send', (socket) => {
    if (socket !== socketOfRunner()) note('socket', socket);
  });
  after(Hls.prototype, 'attachMedia', (engine) => note('engine', engine));
  after(shaka.Player.prototype, 'attach', (engine) => note('engine', engine));
}

export function unwatch(): void {
  for (const restore of restoring.splice(0)) restore();
}

/**
 * Adds twenty elements and removes them: `arrive` puts the one with this number on the page and waits until it is as far as the
 * test wants. A reference to every fourth is kept until the others are gone. Resolves when nothing is left of any.
 */
export async function comeAndGo(arrive: (n: number) => Promise<HTMLElement>): Promise<void> {
  const held: HTMLElement[] = [];
  // A function of its own, because a waiting function keeps its variables in memory.
  const pass = async (n: number): Promise<void> => {
    const element = await arrive(n);
    note('element', element);
    if (n % 4 === 3) held.push(element);
    element.remove();
    await frames(4);
  };
  let next = 0;
  const passRest = async (): Promise<void> => {
    for (let n = next++; n < MOUNTS; n = next++) await pass(n);
  };
  await Promise.all(Array.from({ length: ROWS }, passRest));
  await untilLeft(held.length);
  held.length = 0;
  await untilLeft(0);
}
