// Media servers that misbehave, for the bytes of a clip: a hand-written fetch, a manual clock, and the part of a page that the
// code uses: whether it is online, and a video that loads or fails.
import type { TestContext } from 'node:test';
import FakeTimers from '@sinonjs/fake-timers';
import { ClipBytes, type ClipSource } from '../../../src/playback/clips/clip-bytes.ts';
import { replaceGlobals } from '../../replace-globals.ts';

export type Answer = (request: RequestInit) => Promise<Response>;

/** Never answers; ends with the request's signal, as fetch does. */
export const silent: Answer = ({ signal }) =>
  new Promise((_, reject) => {
    const end = (): void => reject(signal?.reason as Error);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });

/** Answers, and then sends nothing. */
export const standing: Answer = ({ signal }) =>
  Promise.resolve(
    new Response(
      new ReadableStream({
        start: (stream) => signal?.addEventListener('abort', () => stream.error(signal.reason)),
      }),
    ),
  );

/** Answers, and then sends that many bytes every five seconds, `times` times. */
export const dripping =
  (bytes: number, times = Infinity): Answer =>
  ({ signal }) => {
    const body = new ReadableStream({
      start(stream) {
        let left = times;
        const drip = (): void => {
          stream.enqueue(new Uint8Array(bytes));
          if (--left === 0) stream.close();
          else timer = setTimeout(drip, 5000);
        };
        let timer = setTimeout(drip, 5000);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          stream.error(signal.reason);
        });
      },
    });
    return Promise.resolve(new Response(body));
  };

export const URL_OF_CLIP = 'https://media.example/clip.mp4';
export const refused: Answer = () => Promise.reject(new TypeError('Failed to fetch'));
export const status =
  (code: number): Answer =>
  () =>
    Promise.resolve(new Response(null, { status: code }));
export const whole: Answer = () => Promise.resolve(new Response('bytes'));

/** The part of a page that the code uses. `videoLoads` is whether a `<video>` loads; with null it goes on trying. */
class FakePage extends EventTarget {
  readonly navigator = { onLine: true };
  readonly document = { createElement: (): unknown => new FakeVideo(this) };
  videoLoads: boolean | null = false;

  goesOnline(): void {
    this.navigator.onLine = true;
    this.dispatchEvent(new Event('online'));
  }
}

class FakeVideo extends EventTarget {
  readonly #page: FakePage;
  constructor(page: FakePage) {
    super();
    this.#page = page;
  }
  set src(_: string) {
    const { videoLoads } = this.#page;
    if (videoLoads === null) return;
    queueMicrotask(() => this.dispatchEvent(new Event(videoLoads ? 'loadedmetadata' : 'error')));
  }
  setAttribute(): void {}
  removeAttribute(): void {}
  load(): void {}
}

/** A page whose fetches get `answer`, and a clip that it fetches. The clock stands still until the test advances it. */
export function open(
  t: TestContext,
  answer: Answer,
  { head, ...source }: { head?: Answer } & Partial<ClipSource> = {},
) {
  const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const page = new FakePage();
  /** Seconds at which the clip was requested. */
  const askedAt: number[] = [];
  const seconds = (): number => clock.now / 1000;
  const start = seconds();
  const server = { answer };
  replaceGlobals(t, {
    window: page,
    navigator: page.navigator,
    document: page.document,
    fetch(_: unknown, init: RequestInit = {}) {
      if (init.method === 'HEAD') return (head ?? server.answer)(init);
      askedAt.push(seconds() - start);
      return server.answer(init);
    },
  });
  t.after(() => clock.uninstall());
  let outcome: unknown;
  const unasked = (): Promise<string> => Promise.reject(new Error('not asked for'));
  const bytes = new ClipBytes({ url: URL_OF_CLIP, renew: unasked, ...source });
  const again = (): void => {
    outcome = undefined;
    bytes.load().then(
      (playable) => (outcome = playable),
      (error: unknown) => (outcome = error),
    );
  };
  again();
  /** Advances the clock by this time, or until the clip is there or has failed. */
  const pass = async (longest: number): Promise<void> => {
    for (const end = seconds() + longest; outcome === undefined && seconds() < end;) {
      // The bytes of an answer are read in a few turns of the event loop.
      for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
      if (outcome === undefined) await clock.tickAsync(500);
    }
  };
  return {
    page,
    server,
    askedAt,
    bytes,
    /** Loads once more. */
    again,
    pass,
    /** Advances the clock and runs what was due once, afterwards. */
    freeze: (seconds: number) => clock.jump(seconds * 1000),
    seconds: () => seconds() - start,
    get outcome() {
      return outcome;
    },
    get size() {
      return (outcome as { bytes?: Uint8Array } | undefined)?.bytes?.length;
    },
    get code() {
      return (outcome as { code?: string } | undefined)?.code;
    },
  };
}
