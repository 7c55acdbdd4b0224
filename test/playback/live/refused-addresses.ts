// What happens after the address of a stream was refused, with a fake engine and mock timers.
import assert from 'node:assert/strict';
import test from 'node:test';
import { SignError } from '../../../src/protocol/sign-error.ts';
import type { ErrorControllerOptions } from '../../../src/playback/live/stream-recovery.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { end, harness, media, network, pass } from './failing-engines.ts';

for (const hasMedia of [false, true]) {
  test(`an address that answers 404 is tried again for a minute ${hasMedia ? 'after' : 'before'} the first media`, async () => {
    const { recovery, log, failures } = harness();
    if (hasMedia) recovery.mediaBuffered();
    let passed = 0;
    for (let failures = 0; failures < 20 && !log.at(-1)?.startsWith('media_refused'); failures++) {
      recovery.engineFailed(network(404));
      await promisesSettled();
      pass(8000);
      passed += 8000;
    }
    assert.equal(log.at(-1), 'media_refused: the media server answered 404');
    assert.equal(failures[0]!.cause, 'network', 'it may come later');
    assert.ok(passed > 60_000 && passed < 80_000, `${passed}`);
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

test('a 404 is final for a stream whose playlist has an end', async () => {
  const { recovery, log } = harness(undefined, false);
  recovery.engineFailed(network(404));
  await promisesSettled();
  assert.deepEqual(log, ['recovering', 'media_refused: the media server answered 404']);
});

test('a 404 is final when the player’s owner can look up the address again', async () => {
  const { recovery, log } = harness(() => Promise.resolve(false));
  recovery.engineFailed(network(404));
  await promisesSettled();
  assert.deepEqual(log, ['recovering', 'media_refused: the media server answered 404']);
});

for (const status of [400, 401, 403, 410]) {
  test(`a status of ${status} is final`, async () => {
    const { recovery, log, failures } = harness();
    recovery.engineFailed(network(status));
    await promisesSettled();
    pass(60_000);
    assert.deepEqual(log, ['recovering', `media_refused: the media server answered ${status}`]);
    assert.equal(failures[0]!.cause, undefined);
  });
}

test('a fresh stream that answers 403 is tried again for a minute before its first playlist, and a 403 after it is final', async () => {
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

const reportsAfterRefusal = async (renew: ErrorControllerOptions['renew']): Promise<string[]> => {
  const { recovery, log } = harness(renew);
  recovery.engineFailed(network(403));
  await promisesSettled();
  return log;
};

test('a refused address is looked up again, and the stream does not fail when there is a new one', async () => {
  assert.deepEqual(await reportsAfterRefusal(() => Promise.resolve(true)), ['recovering']);
  const none = await reportsAfterRefusal(() => Promise.resolve(false));
  assert.equal(none.at(-1), 'media_refused: the media server answered 403');
});

test('an address that is refused without a status is looked up at the second error, and goes on being tried meanwhile', async () => {
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
  }
});

for (const [what, error] of [
  ['media that cannot be read', media],
  ['a server that cannot answer', network(503)],
] as const)
  test(`the address of ${what} is not looked up again`, async () => {
    let lookUps = 0;
    const { recovery } = harness(() => Promise.resolve(++lookUps > 0));
    for (let errors = 0; errors < 3; errors++) recovery.engineFailed(error);
    await promisesSettled();
    assert.equal(lookUps, 0);
  });

test('a look-up that is answered after the stream has ended reports nothing', async () => {
  let answer = (_isOther: boolean): void => {};
  const { recovery, log } = harness(() => new Promise((resolve) => (answer = resolve)));
  recovery.engineFailed(network(403));
  end();
  answer(false);
  await promisesSettled();
  assert.deepEqual(log, ['recovering']);
});

test('a look-up that fails with a SignError reports that error, and with any other error the refusal', async () => {
  const gone = new SignError('not_found', 'no such session');
  assert.equal((await reportsAfterRefusal(() => Promise.reject(gone))).at(-1), 'not_found: no such session');
  const broken = await reportsAfterRefusal(() => Promise.reject(new Error('a mistake')));
  assert.equal(broken.at(-1), 'media_refused: the media server answered 403');
});
