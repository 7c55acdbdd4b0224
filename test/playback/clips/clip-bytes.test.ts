// The bytes of a clip from media servers that misbehave: a hand-written fetch, a mocked clock.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
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

/** Fetches a clip from a server that answers so, five seconds a step until it has ended, and tells how. */
async function load(t: TestContext, answer: Answer, head: Answer = silent) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { fetch } = globalThis;
  let asked = 0;
  globalThis.fetch = (_, init = {}) => {
    if (init.method === 'HEAD') return head(init);
    asked += 1;
    return answer(init);
  };
  t.after(() => (globalThis.fetch = fetch));
  const url = 'https://media.example/clip.mp4';
  const renew = (): Promise<string> => Promise.reject(new Error('not asked for'));
  let outcome: unknown;
  new ClipBytes({ url, renew }).load().then(
    (playable) => (outcome = playable),
    (error: unknown) => (outcome = error),
  );
  let seconds = 0;
  while (outcome === undefined) {
    // What comes is read in some turns of its own.
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.tick(5000);
    seconds += 5;
  }
  return { outcome, asked, seconds, code: (outcome as { code?: string } | undefined)?.code };
}

for (const [what, answer, longest] of [
  ['never answers', silent, 20],
  ['answers and then sends nothing', standing, 20],
  ['sends a few bytes now and then, for ever,', dripping(100), 20],
  ['sends and sends and comes to no end', dripping(20_000), 300],
] as const) {
  test(`a server that ${what} is tried four times, ${longest} s each, and then the clip fails`, async (t) => {
    const { code, asked, seconds } = await load(t, answer);
    assert.equal(code, 'media_error');
    assert.equal(asked, 4);
    // Pauses of less than five seconds lie between.
    assert.ok(
      seconds >= 4 * longest && seconds <= 4 * (longest + 10),
      `it took ${seconds} s of the test's clock`,
    );
  });
}

test('a body that is slow and comes to its end is taken', async (t) => {
  const { outcome, asked } = await load(t, dripping(10_000, 10));
  assert.equal((outcome as { bytes: Uint8Array }).bytes.length, 100_000);
  assert.equal(asked, 1);
});

test('a server that lets no script read it and does not answer a probe is left to the browser’s own loader', async (t) => {
  const { outcome, asked } = await load(t, () => Promise.reject(new TypeError('Failed to fetch')));
  assert.equal(outcome, 'https://media.example/clip.mp4');
  assert.equal(asked, 4);
});

for (const [status, code] of [
  [204, 'media_error'],
  [401, 'media_error'],
] as const) {
  test(`an answer of ${status} is final`, async (t) => {
    const { code: ended, asked } = await load(t, () => Promise.resolve(new Response(null, { status })));
    assert.equal(ended, code);
    assert.equal(asked, 1);
  });
}

test('bytes that were let go are fetched again, by a fresh address when the old one is refused by then', async (t) => {
  const { fetch } = globalThis;
  t.after(() => (globalThis.fetch = fetch));
  const asked: string[] = [];
  let expired = false;
  globalThis.fetch = (input) => {
    asked.push(String(input));
    const refused = expired && String(input).endsWith('old.mp4');
    return Promise.resolve(new Response(refused ? null : 'bytes', { status: refused ? 403 : 200 }));
  };
  let renewed = 0;
  const bytes = new ClipBytes({
    url: 'https://media.example/old.mp4',
    renew() {
      renewed += 1;
      return Promise.resolve('https://media.example/new.mp4');
    },
  });
  await bytes.load();
  await bytes.load();
  assert.equal(asked.length, 1);
  bytes.forget();
  expired = true;
  const again = await bytes.load();
  assert.equal(typeof again === 'string' ? null : new TextDecoder().decode(again.bytes), 'bytes');
  assert.equal(renewed, 1);
  assert.equal(bytes.url, 'https://media.example/new.mp4');
});
