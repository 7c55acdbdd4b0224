// What happens after an engine has failed, with a fake engine and mock timers.
import assert from 'node:assert/strict';
import test, { afterEach, beforeEach, mock } from 'node:test';
import { SignError } from '../../../src/protocol/sign-error.ts';
import { ErrorController, type ErrorControllerOptions } from '../../../src/playback/live/stream-recovery.ts';
import type { EngineError } from '../../../src/playback/live/engine.ts';
import { promisesSettled } from '../../promises-settled.ts';

const page = new EventTarget();
Object.assign(globalThis, { addEventListener: page.addEventListener.bind(page) });

let now = 0;
let ending = new AbortController();
mock.method(performance, 'now', () => now);
mock.method(Math, 'random', () => 0.5);

beforeEach(() => {
  ending = new AbortController();
  now = 100_000;
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

afterEach(() => ending.abort());

const pass = (ms: number): void => {
  now += ms;
  mock.timers.tick(ms);
};

const network = (status = 0): EngineError => ({ cause: 'network', status, message: 'fragLoadError' });
const media: EngineError = { cause: 'media', status: 0, message: 'bufferAppendError' };

function harness(renew?: ErrorControllerOptions['renew'], isLive: boolean | null = null, fromStart = false) {
  const log: string[] = [];
  const recovery = new ErrorController(
    {
      engine: {
        isLive,
        start: () => log.push('start'),
        repair: () => log.push('repair'),
      },
      ...(renew && { renew }),
      fromStart,
      recovering: (on) => log.push(on ? 'recovering' : 'recovered'),
      failed: ({ code, message }) => log.push(`${code}: ${message}`),
    },
    ending.signal,
  );
  return { recovery, log };
}

for (const isLive of [null, true, false]) {
  test(`a network error is retried after 1, 2, 4, 8 and each 8 s, for a minute: isLive ${isLive}`, () => {
    const { recovery, log } = harness(undefined, isLive);
    for (const pause of [1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000, 8000, 8000]) {
      recovery.engineFailed(network(503));
      pass(pause - 1);
      const tries = log.filter((entry) => entry === 'start').length;
      pass(1);
      assert.equal(log.filter((entry) => entry === 'start').length, tries + 1);
    }
    recovery.engineFailed(network());
    assert.deepEqual(log.slice(-2), ['start', 'media_error: fragLoadError']);
  });
}

test('a stream that is live fails after four tries at the earliest, one that has an end a minute after its first error', () => {
  const live = harness(undefined, true);
  const ended = harness(undefined, false);
  for (const { recovery } of [live, ended]) {
    recovery.engineFailed(network());
    pass(60_000);
    recovery.engineFailed(network());
    pass(2000);
  }
  assert.deepEqual(live.log, ['recovering', 'start', 'start']);
  assert.deepEqual(ended.log, ['recovering', 'start', 'media_error: fragLoadError']);
});

test('an engine that tries again by itself has failed a minute after the first error of a stream that has an end', () => {
  const retry = (isLive: boolean | null, between?: (recovery: ErrorController) => void): string[] => {
    const { recovery, log } = harness(undefined, isLive);
    recovery.engineFailed({ ...network(503), isRetried: true });
    pass(30_000);
    between?.(recovery);
    recovery.engineFailed({ ...network(503), isRetried: true });
    pass(30_000);
    recovery.engineFailed({ ...media, isRetried: true });
    return log;
  };
  assert.deepEqual(retry(false), ['recovering', 'media_error: bufferAppendError']);
  assert.deepEqual([...retry(true), ...retry(null)], []);
  const resets = [
    (recovery: ErrorController) => recovery.mediaBuffered(),
    () => page.dispatchEvent(new Event('online')),
  ];
  for (const reset of resets) assert.deepEqual(retry(false, reset), []);
});

test('recovery is reported once, and ends with the first new media', () => {
  const { recovery, log } = harness();
  recovery.engineFailed(network());
  pass(1000);
  recovery.engineFailed(network());
  pass(2000);
  recovery.mediaBuffered();
  recovery.mediaBuffered();
  assert.deepEqual(log, ['recovering', 'start', 'start', 'recovered']);
});

test('new media resets the tries after network errors, and not after media errors', () => {
  const slow = harness();
  for (let i = 0; i < 9; i++) {
    slow.recovery.engineFailed(network());
    pass(1000);
    slow.recovery.mediaBuffered();
  }
  assert.equal(slow.log.filter((entry) => entry === 'start').length, 9);

  const bad = harness();
  for (let i = 0; i < 5; i++) {
    bad.recovery.engineFailed(media);
    bad.recovery.mediaBuffered();
    pass(8000);
  }
  assert.equal(bad.log.filter((entry) => entry === 'repair').length, 4);
  assert.equal(bad.log.at(-2), 'media_error: bufferAppendError');
});

test('30 s without an error reset the tries', () => {
  const { recovery, log } = harness();
  for (let i = 0; i < 6; i++) {
    recovery.engineFailed(network());
    pass(1000);
    recovery.mediaBuffered();
    pass(30_000);
  }
  assert.deepEqual(log.filter((entry) => entry === 'start').length, 6);
});

test('the stream is retried at once on online, with all tries', () => {
  const { recovery, log } = harness();
  recovery.engineFailed(network());
  pass(1000);
  recovery.engineFailed(network());
  page.dispatchEvent(new Event('online'));
  assert.deepEqual(log, ['recovering', 'start', 'start']);
  pass(10_000);
  assert.equal(log.length, 3, 'the waiting try is not made as well');
  recovery.engineFailed(network());
  pass(1000);
  assert.equal(log.at(-1), 'start');
  assert.equal(log.length, 4);
});

test('after a media error the engine is repaired at once', () => {
  const { recovery, log } = harness();
  recovery.engineFailed(media);
  assert.deepEqual(log, ['recovering', 'repair']);
});

test('the next repairs wait once there was media, so that a live stream gets beyond a bad segment', () => {
  const { recovery, log } = harness();
  const repairs = (): number => log.filter((entry) => entry === 'repair').length;
  recovery.mediaBuffered();
  recovery.engineFailed(media);
  assert.equal(repairs(), 1);
  for (const [at, pause] of [2000, 4000, 8000].entries()) {
    recovery.engineFailed(media);
    pass(pause - 1);
    assert.equal(repairs(), at + 1);
    pass(1);
    assert.equal(repairs(), at + 2);
  }
  assert.equal(log.includes('start'), false);
  recovery.engineFailed(media);
  assert.equal(log.at(-1), 'media_error: bufferAppendError');
});

test('a repair that waits is made at once on online', () => {
  const { recovery, log } = harness();
  recovery.mediaBuffered();
  recovery.engineFailed(media);
  recovery.engineFailed(media);
  page.dispatchEvent(new Event('online'));
  assert.deepEqual(log, ['recovering', 'repair', 'repair']);
});

test('media that nobody can play is given up at once', () => {
  const { recovery, log } = harness();
  for (let i = 0; i < 5; i++) recovery.engineFailed(media);
  assert.deepEqual(log, ['recovering', ...Array(4).fill('repair'), 'media_error: bufferAppendError']);
});

for (const hasMedia of [false, true]) {
  test(`404 is tried again for a minute ${hasMedia ? 'after' : 'before'} the first media`, async () => {
    const { recovery, log } = harness();
    if (hasMedia) recovery.mediaBuffered();
    const startedAt = now;
    for (let failures = 0; failures < 20 && !log.at(-1)?.startsWith('media_refused'); failures++) {
      recovery.engineFailed(network(404));
      await promisesSettled();
      pass(8000);
    }
    assert.equal(log.at(-1), 'media_refused: the media server answered 404');
    assert.ok(now - startedAt > 60_000 && now - startedAt < 80_000, `${now - startedAt}`);
    assert.deepEqual(log.slice(0, -1), ['recovering', ...Array(8).fill('start')]);
  });
}

test('a gateway that answers once amid a minute of 404 does not end the stream', async () => {
  const { recovery, log } = harness();
  for (const status of [404, 404, 404, 404, 404, 502, 404, 0]) {
    recovery.engineFailed(network(status));
    await promisesSettled();
    pass(5000);
  }
  assert.deepEqual([...new Set(log)], ['recovering', 'start']);
});

test('a minute of 404 begins anew with media', async () => {
  const { recovery, log } = harness();
  for (let minutes = 0; minutes < 3; minutes++) {
    recovery.engineFailed(network(404));
    pass(59_000);
    recovery.mediaBuffered();
  }
  await promisesSettled();
  assert.equal(
    log.some((line) => line.startsWith('media_refused')),
    false,
  );
});

test('404 is final for a stream whose playlist has an end', async () => {
  const { recovery, log } = harness(undefined, false);
  recovery.engineFailed(network(404));
  await promisesSettled();
  assert.deepEqual(log, ['recovering', 'media_refused: the media server answered 404']);
});

test('404 is final where the owner looks up addresses', async () => {
  const { recovery, log } = harness(() => Promise.resolve(false));
  recovery.engineFailed(network(404));
  await promisesSettled();
  assert.deepEqual(log, ['recovering', 'media_refused: the media server answered 404']);
});

for (const status of [400, 401, 403, 410]) {
  test(`${status} is final`, async () => {
    const { recovery, log } = harness();
    recovery.engineFailed(network(status));
    await promisesSettled();
    pass(60_000);
    assert.deepEqual(log, ['recovering', `media_refused: the media server answered ${status}`]);
  });
}

test('403 of a text’s own stream is tried again for a minute before its first playlist, and is final after it', async () => {
  const { recovery, log } = harness(undefined, null, true);
  for (let passed = 0; passed < 60_000; passed += 8000) {
    recovery.engineFailed(network(403));
    await promisesSettled();
    pass(8000);
  }
  assert.deepEqual([...new Set(log)], ['recovering', 'start']);
  recovery.engineFailed(network(403));
  await promisesSettled();
  assert.equal(log.at(-1), 'media_refused: the media server answered 403');
  const playing = harness(undefined, true, true);
  playing.recovery.engineFailed(network(403));
  await promisesSettled();
  assert.equal(playing.log.at(-1), 'media_refused: the media server answered 403');
});

for (const status of [408, 425, 429, 500, 503]) {
  test(`${status} is not final`, () => {
    const { recovery, log } = harness();
    recovery.engineFailed(network(status));
    pass(1000);
    assert.deepEqual(log, ['recovering', 'start']);
  });
}

const reportsAfterRefusal = async (renew: ErrorControllerOptions['renew']): Promise<string[]> => {
  const { recovery, log } = harness(renew);
  recovery.engineFailed(network(403));
  await promisesSettled();
  return log;
};

test('a refused address is looked up again; a new one is no failure', async () => {
  assert.deepEqual(await reportsAfterRefusal(() => Promise.resolve(true)), ['recovering']);
  const none = await reportsAfterRefusal(() => Promise.resolve(false));
  assert.equal(none.at(-1), 'media_refused: the media server answered 403');
});

test('an address that is refused without a status is looked up with the second error, and tried on meanwhile', async () => {
  for (const renew of [() => Promise.resolve(false), () => Promise.reject(new Error('away'))]) {
    let lookUps = 0;
    const { recovery, log } = harness(() => {
      lookUps += 1;
      return renew();
    });
    const found: number[] = [];
    for (let errors = 0; errors < 4; errors++) {
      recovery.engineFailed(network());
      await promisesSettled();
      found.push(lookUps);
      pass(8000);
    }
    assert.deepEqual(found, [0, 1, 1, 1]);
    assert.deepEqual([...new Set(log)], ['recovering', 'start']);
    ending.abort();
    ending = new AbortController();
  }
});

test('media that cannot be read is not looked up', async () => {
  let lookUps = 0;
  const { recovery } = harness(() => Promise.resolve(++lookUps > 0));
  for (let errors = 0; errors < 3; errors++) recovery.engineFailed(media);
  await promisesSettled();
  assert.equal(lookUps, 0);
});

test('a look-up that fails gives its own error, else the refusal', async () => {
  const gone = new SignError('not_found', 'no such session');
  assert.equal((await reportsAfterRefusal(() => Promise.reject(gone))).at(-1), 'not_found: no such session');
  const broken = await reportsAfterRefusal(() => Promise.reject(new Error('a mistake')));
  assert.equal(broken.at(-1), 'media_refused: the media server answered 403');
});

test('nothing happens after the stream has ended', () => {
  const { recovery, log } = harness();
  recovery.engineFailed(network());
  ending.abort();
  pass(20_000);
  recovery.engineFailed(network(403));
  page.dispatchEvent(new Event('online'));
  assert.deepEqual(log, ['recovering']);
});
