// The bytes of a clip from media servers that misbehave: a hand-written fetch, a manual clock, and as much of a page as is
// asked: whether it is online, and a video that loads or does not.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import FakeTimers from '@sinonjs/fake-timers';
import { ClipBytes } from '../../../src/playback/clips/clip-bytes.ts';

type Answer = (request: RequestInit) => Promise<Response>;

/** Never answers; ends with the request's signal, as fetch does. */
const silent: Answer = ({ signal }) =>
  new Promise((_, reject) => {
    const end = (): void => reject(signal?.reason as Error);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });

/** Answers, and then sends nothing. */
const standing: Answer = ({ signal }) =>
  Promise.resolve(
    new Response(
      new ReadableStream({
        start: (stream) => signal?.addEventListener('abort', () => stream.error(signal.reason)),
      }),
    ),
  );

/** Answers, and then sends that many bytes every five seconds; so often, or for ever. */
const dripping =
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

const URL_OF_CLIP = 'https://media.example/clip.mp4';
const refused: Answer = () => Promise.reject(new TypeError('Failed to fetch'));
const status =
  (code: number): Answer =>
  () =>
    Promise.resolve(new Response(null, { status: code }));
const whole: Answer = () => Promise.resolve(new Response('bytes'));

/** What of a page is asked for; `videoLoads` is what a `<video>` of any address does. */
class FakePage extends EventTarget {
  readonly navigator = { onLine: true };
  readonly document = { createElement: (): unknown => new FakeVideo(this) };
  videoLoads = false;

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
    queueMicrotask(() => this.dispatchEvent(new Event(this.#page.videoLoads ? 'loadedmetadata' : 'error')));
  }
  setAttribute(): void {}
  removeAttribute(): void {}
  load(): void {}
}

/** A page whose fetches are answered so, and a clip that it fetches; the clock stands until it is told to go on. */
function open(
  t: TestContext,
  answer: Answer,
  { head, renew }: { head?: Answer; renew?: () => Promise<string> } = {},
) {
  const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const page = new FakePage();
  /** Seconds at which it was asked for. */
  const askedAt: number[] = [];
  const seconds = (): number => clock.now / 1000;
  const start = seconds();
  const server = { answer };
  const replaced: Record<string, unknown> = {
    window: page,
    navigator: page.navigator,
    document: page.document,
    fetch(_: unknown, init: RequestInit = {}) {
      if (init.method === 'HEAD') return (head ?? server.answer)(init);
      askedAt.push(seconds() - start);
      return server.answer(init);
    },
  };
  for (const [name, value] of Object.entries(replaced)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    t.after(() => {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    });
  }
  t.after(() => clock.uninstall());
  let outcome: unknown;
  const unasked = (): Promise<string> => Promise.reject(new Error('not asked for'));
  const bytes = new ClipBytes({ url: URL_OF_CLIP, renew: renew ?? unasked });
  bytes.load().then(
    (playable) => (outcome = playable),
    (error: unknown) => (outcome = error),
  );
  /** The clock goes on for this long, or until the clip has come or failed. */
  const pass = async (longest: number): Promise<void> => {
    for (const end = seconds() + longest; outcome === undefined && seconds() < end;) {
      // What comes is read in some turns of its own.
      for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
      if (outcome === undefined) await clock.tickAsync(500);
    }
  };
  return {
    page,
    server,
    askedAt,
    bytes,
    pass,
    /** The clock goes on, and whatever was due is run once afterwards. */
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

for (const [what, answer, longest] of [
  ['never answers', silent, 20],
  ['answers and then sends nothing', standing, 20],
  ['sends a few bytes now and then, for ever,', dripping(100), 20],
  ['sends and sends and comes to no end', dripping(20_000), 300],
] as const) {
  test(`a server that ${what} is waited for ${longest} s a time, and the clip fails after the third`, async (t) => {
    const clip = open(t, answer);
    await clip.pass(1000);
    assert.equal(clip.code, 'media_error');
    assert.equal(clip.askedAt.length, 3);
    assert.ok(clip.seconds() >= 3 * longest, `it took ${clip.seconds()} s`);
  });
}

for (const [what, answer] of [
  ['refuses connections', refused],
  ['answers 500', status(500)],
  ['answers 503', status(503)],
  ['answers 429', status(429)],
] as const) {
  test(`a media server that ${what} for 50 s loses no clip`, async (t) => {
    const clip = open(t, answer);
    await clip.pass(50);
    assert.equal(clip.outcome, undefined);
    clip.server.answer = whole;
    await clip.pass(9);
    assert.equal(clip.size, 5);
  });

  test(`a media server that ${what} for ever is asked ever less often, and the clip fails after a minute`, async (t) => {
    const clip = open(t, answer);
    await clip.pass(1000);
    assert.equal(clip.code, 'media_error');
    assert.deepEqual(clip.askedAt.slice(0, 6), [0, 0.5, 1.5, 3.5, 7.5, 15.5]);
    assert.ok(clip.askedAt.length <= 12, `asked ${clip.askedAt.length} times`);
    assert.ok(clip.seconds() > 60 && clip.seconds() < 70, `it took ${clip.seconds()} s`);
  });
}

test('a clip is fetched at once when the browser is online again, however long it was offline', async (t) => {
  const clip = open(t, refused);
  clip.page.navigator.onLine = false;
  await clip.pass(600);
  assert.equal(clip.outcome, undefined);
  clip.server.answer = whole;
  const before = clip.seconds();
  clip.page.goesOnline();
  await clip.pass(1);
  assert.equal(clip.size, 5);
  assert.ok(clip.seconds() - before <= 0.5);
});

test('a page that is frozen for two minutes while a clip is fetched loses no clip', async (t) => {
  const clip = open(t, refused);
  await clip.pass(2);
  clip.freeze(120);
  await clip.pass(2);
  assert.equal(clip.outcome, undefined);
  clip.server.answer = whole;
  await clip.pass(9);
  assert.equal(clip.size, 5);
});

test('an address that died while the server was away is renewed', async (t) => {
  const clip = open(t, status(503), { renew: () => Promise.resolve('https://media.example/new.mp4') });
  await clip.pass(20);
  const answers = [status(403), whole];
  clip.server.answer = (init) => answers.shift()!(init);
  await clip.pass(9);
  assert.equal(clip.size, 5);
  assert.equal(clip.bytes.url, 'https://media.example/new.mp4');
});

test('a clip that was released while its server is away is not asked for again', async (t) => {
  const clip = open(t, refused);
  await clip.pass(2);
  clip.bytes.release();
  await clip.pass(30);
  assert.equal((clip.outcome as Error).name, 'AbortError');
  assert.deepEqual(clip.askedAt, [0, 0.5, 1.5]);
});

test('a body that is slow and comes to its end is taken', async (t) => {
  const clip = open(t, dripping(10_000, 10));
  await clip.pass(100);
  assert.equal(clip.size, 100_000);
  assert.equal(clip.askedAt.length, 1);
});

test('what no script may read and a video plays is played by its address, after four tries', async (t) => {
  const clip = open(t, refused);
  clip.page.videoLoads = true;
  await clip.pass(100);
  assert.equal(clip.outcome, URL_OF_CLIP);
  assert.deepEqual(clip.askedAt, [0, 0.5, 1.5, 3.5]);
});

test('what a host without CORS has is played by its address at once', async (t) => {
  const clip = open(t, refused, { head: () => Promise.resolve({ type: 'opaque' } as Response) });
  await clip.pass(100);
  assert.equal(clip.outcome, URL_OF_CLIP);
  assert.equal(clip.askedAt.length, 1);
});

for (const [videoLoads, ends] of [
  [true, 'is played by its address'],
  [false, 'fails as media_refused'],
] as const) {
  test(`a 403 of each of three addresses ${videoLoads ? 'that a video gets past, because it sends a referrer,' : ''} ${ends}`, async (t) => {
    const clip = open(t, status(403), { renew: () => Promise.resolve(URL_OF_CLIP) });
    clip.page.videoLoads = videoLoads;
    await clip.pass(100);
    assert.equal(videoLoads ? clip.outcome : clip.code, videoLoads ? URL_OF_CLIP : 'media_refused');
    assert.equal(clip.askedAt.length, 3);
  });
}

for (const code of [204, 401]) {
  test(`an answer of ${code} is final`, async (t) => {
    const clip = open(t, status(code));
    await clip.pass(100);
    assert.equal(clip.code, 'media_error');
    assert.equal(clip.askedAt.length, 1);
  });
}

test('bytes that were let go are fetched again, by a fresh address when the old one is refused by then', async (t) => {
  const clip = open(t, whole, { renew: () => Promise.resolve('https://media.example/new.mp4') });
  await clip.pass(1);
  await clip.bytes.load();
  assert.equal(clip.askedAt.length, 1);
  clip.bytes.forget();
  const answers = [status(403), whole];
  clip.server.answer = (init) => answers.shift()!(init);
  const again = await clip.bytes.load();
  assert.equal(typeof again === 'string' ? null : new TextDecoder().decode(again.bytes), 'bytes');
  assert.equal(clip.bytes.url, 'https://media.example/new.mp4');
  assert.deepEqual(answers, []);
});
