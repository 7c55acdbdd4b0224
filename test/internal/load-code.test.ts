// Code that does not load is tried again for a minute, on a clock that the test advances.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { loadCode } from '../../src/internal/load-code.ts';
import { promisesSettled } from '../promises-settled.ts';

const gone = new TypeError('Failed to fetch dynamically imported module');

/** A browser whose clock stands still; each wait is as long as the one before. */
function browser(t: TestContext): { network: EventTarget; online(isOnline: boolean): void } {
  const network = new EventTarget();
  let onLine = true;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(Math, 'random', () => 0);
  t.mock.method(console, 'warn', () => {});
  Object.assign(globalThis, {
    addEventListener: network.addEventListener.bind(network),
    removeEventListener: network.removeEventListener.bind(network),
  });
  const navigator = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { get: () => ({ onLine }), configurable: true });
  t.after(() => {
    Reflect.deleteProperty(globalThis, 'addEventListener');
    Reflect.deleteProperty(globalThis, 'removeEventListener');
    Reflect.deleteProperty(globalThis, 'navigator');
    if (navigator) Object.defineProperty(globalThis, 'navigator', navigator);
  });
  return {
    network,
    online(isOnline) {
      onLine = isOnline;
      network.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
    },
  };
}

/** Fails the given number of times, then loads. */
function failing(times: number): { readonly tries: number; load(): Promise<string> } {
  return {
    tries: 0,
    load() {
      (this as { tries: number }).tries += 1;
      return this.tries > times ? Promise.resolve('code') : Promise.reject(gone);
    },
  };
}

test('code that fails three times is loaded by the fourth try, and each failure is reported', async (t) => {
  browser(t);
  const code = failing(3);
  const causes: unknown[] = [];
  const loaded = loadCode(() => code.load(), { retrying: (cause) => causes.push(cause) });
  for (let wait = 0; wait < 3; wait += 1) {
    await promisesSettled();
    t.mock.timers.tick(500);
  }
  assert.equal(await loaded, 'code');
  assert.deepEqual(causes, [gone, gone, gone]);
});

test('code is tried for a minute, then rejects with the error of the last try; the next use tries again', async (t) => {
  browser(t);
  const code = failing(121);
  const lost = loadCode(() => code.load());
  void lost.catch(() => {});
  for (let ms = 0; ms < 60_000; ms += 500) {
    await promisesSettled();
    t.mock.timers.tick(500);
  }
  await assert.rejects(lost, gone);
  assert.equal(code.tries, 121);
  assert.equal(await loadCode(() => code.load()), 'code');
});

test('code that is away for 50 s is loaded at most 8 s later, also when each wait is the longest', async (t) => {
  browser(t);
  t.mock.method(Math, 'random', () => 1);
  let isAway = true;
  const loaded = loadCode(() => (isAway ? Promise.reject(gone) : Promise.resolve('code')));
  let ended: unknown;
  loaded.then(
    (code) => (ended = code),
    (error: unknown) => (ended = error),
  );
  for (let ms = 0; ms < 58_000; ms += 500) {
    await promisesSettled();
    isAway = ms < 50_000;
    t.mock.timers.tick(500);
  }
  await promisesSettled();
  assert.equal(ended, 'code');
});

test('while the browser is offline nothing is tried and the minute does not run, and the event online tries at once', async (t) => {
  const { online } = browser(t);
  const code = failing(1);
  online(false);
  const loaded = loadCode(() => code.load());
  await promisesSettled();
  t.mock.timers.tick(3_600_000);
  await promisesSettled();
  assert.equal(code.tries, 1);
  online(true);
  assert.equal(await loaded, 'code');
});

test('the event online ends the wait for the next try', async (t) => {
  const { online } = browser(t);
  const code = failing(1);
  const loaded = loadCode(() => code.load());
  await promisesSettled();
  online(true);
  assert.equal(await loaded, 'code');
});

test('code that is never answered rejects after a minute', async (t) => {
  browser(t);
  let tries = 0;
  const slow = loadCode(() => new Promise<string>(() => (tries += 1)));
  void slow.catch(() => {});
  for (; tries < 2; await promisesSettled()) t.mock.timers.tick(31_000);
  t.mock.timers.tick(31_000);
  await assert.rejects(slow, { message: 'no answer' });
});

test('code that is not answered in 31 s is requested again, and a late answer counts', async (t) => {
  browser(t);
  const arrive: ((code: string) => void)[] = [];
  const causes: string[] = [];
  const loaded = loadCode(() => new Promise<string>((resolve) => arrive.push(resolve)), {
    retrying: (cause) => causes.push((cause as Error).message),
  });
  t.mock.timers.tick(31_000);
  await promisesSettled();
  assert.deepEqual([arrive.length, causes], [2, ['no answer']]);
  arrive[0]!('late');
  assert.equal(await loaded, 'late');
});

test('at the event online code that is not answered yet is requested again', async (t) => {
  const { online } = browser(t);
  let tries = 0;
  const loaded = loadCode(() =>
    (tries += 1) === 1 ? new Promise<string>(() => {}) : Promise.resolve('code'),
  );
  await promisesSettled();
  online(true);
  assert.equal(await loaded, 'code');
});

for (const [when, code] of [
  ['while it loads', { load: () => new Promise<string>(() => {}) }],
  ['before another try', failing(1)],
] as const) {
  test(`an abort ${when} rejects at once with its reason`, async (t) => {
    browser(t);
    const ending = new AbortController();
    const waiting = loadCode(() => code.load(), { signal: ending.signal });
    void waiting.catch(() => {});
    await promisesSettled();
    ending.abort(new Error('no longer wanted'));
    await assert.rejects(waiting, /^Error: no longer wanted$/);
  });
}

test('a page that sleeps while its code is loading still waits for it when it wakes', async (t) => {
  browser(t);
  let now = 0;
  t.mock.method(Date, 'now', () => now);
  let arrive = (_code: string): void => {};
  const onTheWay = new Promise<string>((resolve) => (arrive = resolve));
  const loaded = loadCode(() => onTheWay);
  now = 70_000;
  t.mock.timers.tick(60_000);
  await promisesSettled();
  t.mock.timers.tick(500);
  arrive('code');
  assert.equal(await loaded, 'code');
});
