// The moment between V3 and REST, while the code for REST is still loading.
import assert from 'node:assert/strict';
import test from 'node:test';
import { RestTransport } from '../../../src/session/transports/rest-transport.ts';
import { AutoHarness } from './auto-harness.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { reasonOf } from '../harness.ts';

/** Code for REST that comes when the test says so. */
function heldRest() {
  let bring!: (code: typeof RestTransport) => void;
  let fail!: (reason: unknown) => void;
  const code = new Promise<typeof RestTransport>((resolve, reject) => {
    bring = resolve;
    fail = reject;
  });
  return { loadRest: () => code, bring: () => bring(RestTransport), fail };
}

test('a session that comes while the code for REST is loading keeps the texts', async () => {
  const { loadRest, bring } = heldRest();
  const harness = new AutoHarness({ loadRest });
  const connected = harness.session.connect();
  harness.session.sign('A');
  await harness.clock.advance(10_000);
  const stop = new AbortController();
  harness.session.sign('B');
  const dropped = harness.session.sign('C', { signal: stop.signal });
  stop.abort();
  assert.equal(await reasonOf(dropped.result), 'AbortError');
  await harness.ready();
  bring();
  await promisesSettled();
  assert.deepEqual(
    harness.socket.asked.map(({ data }) => data),
    ['A', 'B'],
  );
  assert.deepEqual(harness.byRest, []);
  assert.equal(await reasonOf(connected), 'resolved');
});

test('while the code for REST is loading, clear() and end() both drop the texts that wait for it', async () => {
  const { loadRest, bring } = heldRest();
  const harness = new AutoHarness({ loadRest });
  const first = harness.session.sign('A');
  await harness.clock.advance(10_000);
  const second = harness.session.sign('B');
  harness.session.clear();
  assert.deepEqual(
    [await reasonOf(first.result), await reasonOf(second.result)],
    ['AbortError', 'AbortError'],
  );
  const third = harness.session.sign('C');
  await harness.session.end();
  assert.equal(await reasonOf(third.result), 'AbortError');
  bring();
  await promisesSettled();
  assert.deepEqual(harness.byRest, []);
  harness.assertNothingLeft();
});

test('when the code for REST does not load, both transports are tried again, and no text is lost', async () => {
  const { loadRest, fail } = heldRest();
  let loads = 0;
  const harness = new AutoHarness({
    random: () => 0.5,
    loadRest: () => ((loads += 1) === 1 ? loadRest() : Promise.resolve(RestTransport)),
  });
  const calls = [harness.session.sign('A')];
  await harness.clock.advance(10_000);
  calls.push(harness.session.sign('B'));
  fail(new TypeError('not loaded'));
  await promisesSettled();
  assert.equal(harness.session.state, 'reconnecting');
  assert.deepEqual(harness.errors, []);
  await harness.clock.advance(250);
  assert.deepEqual([loads, harness.byRest], [2, ['A', 'B']]);
  for (const text of ['A', 'B']) await harness.proxy.request(text).video();
  assert.deepEqual(await Promise.all(calls.map(({ result }) => reasonOf(result))), ['resolved', 'resolved']);
});
