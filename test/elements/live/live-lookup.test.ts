// When a live session is looked up, on a manual clock.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LiveLookup } from '../../../src/elements/live-lookup.ts';
import type { LiveSession } from '../../../src/protocol/live-session.ts';
import { SignError, type SignErrorInit } from '../../../src/protocol/sign-error.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { replaceGlobals } from '../../replace-globals.ts';
import { ManualClock } from '../../session/manual-clock.ts';

const ID = '0b8e1f4c-93c1-4d0e-8a51-5f7f3a2b6c01';
const session = { sessionId: ID, status: 'active' } as LiveSession;

/** A page that a test hides and shows. */
class FakePage {
  hidden = false;
  readonly #listeners = new Set<() => void>();

  addEventListener(_type: 'visibilitychange', listen: () => void, { signal }: { signal: AbortSignal }): void {
    this.#listeners.add(listen);
    signal.addEventListener('abort', () => this.#listeners.delete(listen));
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  turn(hidden: boolean): void {
    this.hidden = hidden;
    for (const listen of [...this.#listeners]) listen();
  }
}

function harness(id = ID, random = 0) {
  const clock = new ManualClock();
  const page = new FakePage();
  const asked: number[] = [];
  const reports: string[] = [];
  let refusals: SignError[] = [];
  const lookup = new LiveLookup({
    id,
    client: {
      liveSession: async () => {
        asked.push(clock.now());
        const refusal = refusals.shift();
        if (refusal) throw refusal;
        return session;
      },
    },
    events: {
      seen: ({ status }) => reports.push(status),
      retrying: ({ code, severity }) => reports.push(`${severity} ${code}`),
      failed: ({ code, severity }) => reports.push(`${severity} ${code}`),
    },
    page,
    clock,
    random: () => random,
  });
  const refuse = (...errors: readonly (readonly [code: string, init: SignErrorInit])[]): void => {
    refusals = errors.map(([code, init]) => new SignError(code, 'for a test', init));
  };
  return { clock, page, asked, reports, lookup, refuse };
}

test('while a change is expected, the session is looked up after 1, 2, 4 and then every 8 s', async () => {
  const { clock, asked, lookup } = harness();
  lookup.start();
  await promisesSettled();
  await clock.advance(31_000);
  assert.deepEqual(asked, [0, 1_000, 3_000, 7_000, 15_000, 23_000, 31_000]);
});

test('while no change is expected the session is looked up every 30 s, and sooner again when a change is expected', async () => {
  const { clock, asked, lookup } = harness();
  lookup.start();
  await promisesSettled();
  lookup.calm = true;
  await clock.advance(65_000);
  assert.deepEqual(asked, [0, 30_000, 60_000]);
  lookup.calm = false;
  await clock.advance(3_000);
  assert.deepEqual(asked.slice(3), [66_000, 68_000]);
});

test('calls during a look-up share it', async () => {
  const { asked, lookup } = harness();
  lookup.start();
  assert.deepEqual(await Promise.all([lookup.lookUp(), lookup.lookUp()]), [session, session]);
  assert.deepEqual(asked, [0]);
});

test('a temporary failure is reported as a warning, and the look-up is repeated after Retry-After', async () => {
  const { clock, asked, reports, lookup, refuse } = harness();
  refuse(['upstream_unreachable', { retryable: true, retryAfterSeconds: 20 }]);
  lookup.start();
  await promisesSettled();
  await clock.advance(19_999);
  assert.deepEqual([asked, reports], [[0], ['warning upstream_unreachable']]);
  await clock.advance(1);
  assert.deepEqual([asked, reports.slice(1)], [[0, 20_000], ['active']]);
});

test('a look-up without a valid answer does not fail the session', async () => {
  const { clock, reports, lookup, refuse } = harness();
  refuse(['no_answer', {}], ['upstream_unreachable', {}], ['protocol_error', {}]);
  lookup.start();
  await promisesSettled();
  await clock.advance(500);
  assert.deepEqual(reports.slice(0, 4), [
    'warning no_answer',
    'warning upstream_unreachable',
    'warning protocol_error',
    'active',
  ]);
  lookup.stop();
});

test('a session that is not found while its video plays is looked up again after 30 s, and fails when the video no longer plays', async () => {
  const { clock, asked, reports, lookup, refuse } = harness();
  lookup.start();
  await promisesSettled();
  lookup.calm = true;
  refuse(['NOT_FOUND', {}], ['NOT_FOUND', {}], ['NOT_FOUND', {}]);
  await clock.advance(60_000);
  assert.deepEqual(asked, [0, 30_000, 60_000]);
  assert.deepEqual(reports, ['active', 'warning not_found', 'warning not_found']);
  lookup.calm = false;
  await clock.advance(60_000);
  assert.deepEqual([asked.length, reports.at(-1)], [4, 'message not_found']);
});

test('while look-ups fail the session is looked up again within 8 s, and at once when the browser comes online', async (t) => {
  const window = new EventTarget();
  replaceGlobals(t, { addEventListener: window.addEventListener.bind(window) });
  const { clock, asked, lookup, refuse } = harness(ID, 1);
  refuse(...Array.from({ length: 8 }, () => ['proxy_unreachable', { retryable: true }] as const));
  lookup.start();
  await promisesSettled();
  await clock.advance(31_500);
  assert.deepEqual(asked, [0, 500, 1_500, 3_500, 7_500, 15_500, 23_500, 31_500]);
  window.dispatchEvent(new Event('online'));
  await promisesSettled();
  assert.deepEqual(asked.slice(8), [31_500]);
  // After an answer the session is not looked up more often than usual.
  window.dispatchEvent(new Event('online'));
  await promisesSettled();
  assert.equal(asked.length, 9);
  lookup.stop();
});

for (const [code, report] of [
  ['NOT_FOUND', 'message not_found'],
  ['not_found', 'message not_found'],
  ['invalid_request', 'message invalid_request'],
  ['origin_refused', 'message origin_refused'],
] as const) {
  test(`${code} is final and reported as ${report}`, async () => {
    const { clock, page, asked, reports, lookup, refuse } = harness();
    refuse([code, {}]);
    lookup.start();
    await clock.advance(120_000);
    assert.deepEqual([asked, reports], [[0], [report]]);
    assert.deepEqual([clock.pending, page.listeners], [0, 0]);
  });
}

test('every id that fits into a path is looked up, because the documents show no format', async () => {
  for (const id of ['l-1', 'live_7', 'eu:2.4~b', 'bGl2ZS8+Nw==', 'a@b,c', 'x'.repeat(256)]) {
    const { asked, reports, lookup } = harness(id);
    lookup.start();
    await promisesSettled();
    assert.deepEqual([asked, reports], [[0], ['active']], id);
    lookup.stop();
  }
});

test('an id that would change the path is refused without a request', async () => {
  for (const id of ['', '..', 'a b', `${ID}/..`, `${ID}?x=1`, 'x'.repeat(257)]) {
    const { clock, asked, reports, lookup } = harness(id);
    lookup.start();
    await clock.advance(60_000);
    assert.deepEqual([asked, reports], [[], ['message invalid_request']], id);
  }
});

test('a page that is hidden for a minute stops the look-ups, and looks up at once when it is visible again', async () => {
  const { clock, page, asked, lookup } = harness();
  lookup.start();
  await promisesSettled();
  lookup.calm = true;
  await clock.advance(10_000);
  page.turn(true);
  await clock.advance(600_000);
  assert.deepEqual(asked, [0, 30_000, 60_000]);
  page.turn(false);
  await promisesSettled();
  assert.deepEqual(asked.slice(3), [610_000]);
  await clock.advance(30_000);
  assert.deepEqual(asked.slice(4), [640_000]);
});

test('after stop() no timer, no listener and no event is left', async () => {
  const { clock, page, reports, lookup } = harness();
  lookup.start();
  lookup.stop();
  await clock.advance(60_000);
  assert.deepEqual([reports, clock.pending, page.listeners], [[], 0, 0]);
});
