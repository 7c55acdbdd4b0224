// The moment between V3 and REST, while the code for REST is still loading.
import assert from 'node:assert/strict';
import test from 'node:test';
import { RestTransport } from '../../../src/session/transports/rest-transport.ts';
import { AutoStage } from './auto-stage.ts';
import { promisesSettled } from '../manual-clock.ts';
import { reasonOf } from '../stage.ts';

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
  const stage = new AutoStage({ loadRest });
  const connected = stage.session.connect();
  stage.session.sign('A');
  await stage.clock.advance(10_000);
  const stop = new AbortController();
  stage.session.sign('B');
  const dropped = stage.session.sign('C', { signal: stop.signal });
  stop.abort();
  assert.equal(await reasonOf(dropped.result), 'AbortError');
  await stage.ready();
  bring();
  await promisesSettled();
  assert.deepEqual(
    stage.socket.asked.map(({ data }) => data),
    ['A', 'B'],
  );
  assert.deepEqual(stage.byRest, []);
  assert.equal(await reasonOf(connected), 'resolved');
});

test('clear() drops the texts that came while the code for REST is loading, and end() drops all', async () => {
  const { loadRest, bring } = heldRest();
  const stage = new AutoStage({ loadRest });
  const first = stage.session.sign('A');
  await stage.clock.advance(10_000);
  const second = stage.session.sign('B');
  stage.session.clear();
  assert.deepEqual(
    [await reasonOf(first.result), await reasonOf(second.result)],
    ['AbortError', 'AbortError'],
  );
  const third = stage.session.sign('C');
  await stage.session.end();
  assert.equal(await reasonOf(third.result), 'AbortError');
  bring();
  await promisesSettled();
  assert.deepEqual(stage.byRest, []);
  stage.assertNothingLeft();
});

test('when the code for REST does not load, both transports are tried again, and no text is lost', async () => {
  const { loadRest, fail } = heldRest();
  let loads = 0;
  const stage = new AutoStage({
    random: () => 0.5,
    loadRest: () => ((loads += 1) === 1 ? loadRest() : Promise.resolve(RestTransport)),
  });
  const calls = [stage.session.sign('A')];
  await stage.clock.advance(10_000);
  calls.push(stage.session.sign('B'));
  fail(new TypeError('not loaded'));
  await promisesSettled();
  assert.equal(stage.session.state, 'reconnecting');
  assert.deepEqual(stage.errors, []);
  await stage.clock.advance(250);
  assert.deepEqual([loads, stage.byRest], [2, ['A', 'B']]);
  for (const text of ['A', 'B']) await stage.proxy.request(text).video();
  assert.deepEqual(await Promise.all(calls.map(({ result }) => reasonOf(result))), ['resolved', 'resolved']);
});
