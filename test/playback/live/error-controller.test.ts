// What happens after an engine has failed, with a fake engine and mock timers. Refused addresses: refused-addresses.ts.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { ErrorController } from '../../../src/playback/live/stream-recovery.ts';
import { drawn, end, harness, media, network, page, pass } from './failing-engines.ts';
import './refused-addresses.ts';

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

test('a live stream fails after four tries at the earliest, and a stream with an end fails a minute after its first error', () => {
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

test('30 s without an error reset the tries after media errors', () => {
  const { recovery, log } = harness();
  for (let i = 0; i < 6; i++) {
    recovery.engineFailed(media);
    recovery.mediaBuffered();
    pass(30_001);
  }
  assert.equal(log.filter((entry) => entry === 'repair').length, 6);
});

test('each wait is up to a quarter shorter or longer, so that viewers do not all come back at once', () => {
  for (const [random, wait] of [
    [0, 750],
    [1, 1250],
  ] as const) {
    drawn(random);
    const { recovery, log } = harness();
    recovery.engineFailed(network());
    pass(wait - 1);
    assert.deepEqual(log, ['recovering']);
    pass(1);
    assert.equal(log.at(-1), 'start');
  }
});

test('at the event online the stream is retried at once, with all tries', () => {
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

test('after media has come, the next repairs wait, so that a live stream gets beyond a bad segment', () => {
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

test('a waiting repair is made at once at the event online', () => {
  const { recovery, log } = harness();
  recovery.mediaBuffered();
  recovery.engineFailed(media);
  recovery.engineFailed(media);
  page.dispatchEvent(new Event('online'));
  assert.deepEqual(log, ['recovering', 'repair', 'repair']);
});

test('media that nobody can play fails without a wait between the repairs', () => {
  const { recovery, log } = harness();
  for (let i = 0; i < 5; i++) recovery.engineFailed(media);
  assert.deepEqual(log, ['recovering', ...Array(4).fill('repair'), 'media_error: bufferAppendError']);
});

for (const status of [408, 425, 429, 500, 503]) {
  test(`a status of ${status} is not final`, () => {
    const { recovery, log } = harness();
    recovery.engineFailed(network(status));
    pass(1000);
    assert.deepEqual(log, ['recovering', 'start']);
  });
}

test('nothing happens after the stream has ended', () => {
  const { recovery, log } = harness();
  recovery.engineFailed(network());
  end();
  pass(20_000);
  for (const status of [403, 503]) recovery.engineFailed(network(status));
  pass(20_000);
  page.dispatchEvent(new Event('online'));
  assert.deepEqual(log, ['recovering']);
});
