// All announcements of a page go through one pool: which requests are shared, which wait, and when the pool stops them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AnnouncementRequestPool, requestFor } from '../../../src/elements/announcement-request-pool.ts';
import { ownError } from '../../../src/protocol/own-errors.ts';
import type { SignError } from '../../../src/protocol/sign-error.ts';
import { deferred } from '../../../src/session/async.ts';
import type { AnnounceOptions, Announcement, SignClient } from '../../../src/session/rest/rest-client.ts';
import { pollUntil } from '../../../src/session/rest/poll-until.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { ManualClock } from '../../session/manual-clock.ts';

/** A client whose announcements become ready when the test says so. */
function poolHarness() {
  const asked: {
    readonly destination: string | null | undefined;
    readonly options: AnnounceOptions;
    readonly made: ReturnType<typeof deferred<Announcement>>;
  }[] = [];
  const looks: { readonly requestId: string; readonly answer: ReturnType<typeof deferred<Announcement>> }[] =
    [];
  const client: Pick<SignClient, 'announce' | 'announcement'> = {
    announcement(requestId) {
      const answer = deferred<Announcement>();
      looks.push({ requestId, answer });
      return answer.promise;
    },
    announce({ destination }, options = {}) {
      const made = deferred<Announcement>();
      asked.push({ destination, options, made });
      options.signal?.addEventListener('abort', () => made.reject(options.signal?.reason));
      return made.promise;
    },
  };
  const pool = new AnnouncementRequestPool(() => client as SignClient);
  const ask = (destination: string, proxy = 'https://proxy.test/sign') => {
    const stop = new AbortController();
    const accepted: string[] = [];
    const waiting = { signal: stop.signal, accepted: (id: string) => accepted.push(id), retrying: () => {} };
    const outcome = pool.ask(proxy, { destination }, waiting).catch((error: Error) => error);
    const renew = (requestId: string) =>
      pool.renew(proxy, { destination }, requestId, waiting).catch((error: SignError) => error);
    return { stop, accepted, outcome, renew };
  };
  return { asked, looks, ask };
}

const announcement = (requestId: string): Announcement => ({
  requestId,
  url: `https://media.test/${requestId}`,
});

test('equal announcements share one request, also one that the service has already accepted', async () => {
  const { asked, ask } = poolHarness();
  const one = ask('EDB');
  asked[0]?.options.accepted?.('r-1');
  const two = ask('EDB');
  assert.deepEqual([asked.length, one.accepted, two.accepted], [1, ['r-1'], ['r-1']]);
  asked[0]?.made.resolve(announcement('r-1'));
  assert.deepEqual(await Promise.all([one.outcome, two.outcome]), [announcement('r-1'), announcement('r-1')]);
  assert.deepEqual(await ask('EDB').outcome, announcement('r-1'));
  assert.equal(asked.length, 1);
});

test('announcements through another proxy do not share a request', () => {
  const { asked, ask } = poolHarness();
  ask('EDB');
  ask('EDB', 'https://other.test/sign');
  assert.equal(asked.length, 2);
});

test('at most 8 announcements of a board of 30 are pending at a time, in the order of the calls', async () => {
  const { asked, ask } = poolHarness();
  const names = Array.from({ length: 30 }, (_, at) => `P${at}`);
  const outcomes = names.map((name) => ask(name).outcome);
  await promisesSettled();
  for (let made = 0; made < names.length; made += 1) {
    assert.equal(asked.length, Math.min(names.length, made + 8));
    asked[made]?.made.resolve(announcement(`r-${made}`));
    await promisesSettled();
  }
  assert.deepEqual(
    asked.map(({ destination }) => destination),
    names,
  );
  assert.equal((await Promise.all(outcomes)).length, 30);
});

test('an announcement that is not ready after three polls gives its slot to the next in the queue and waits behind it', async () => {
  const { asked, ask } = poolHarness();
  const names = Array.from({ length: 10 }, (_, at) => `P${at}`);
  for (const name of names) void ask(name).outcome;
  await promisesSettled();
  const looks: string[] = [];
  const waitOf = (at: number): Promise<unknown> =>
    asked[at]!.options.between!(() => Promise.resolve()).then(() => looks.push(names[at]!));
  for (let wait = 0; wait < 2; wait += 1) await waitOf(0);
  assert.deepEqual([asked.length, looks], [8, ['P0', 'P0']]);
  void waitOf(0);
  await promisesSettled();
  assert.deepEqual([asked.length, looks.length], [9, 2]);
  asked[1]?.made.resolve(announcement('r-1'));
  await promisesSettled();
  assert.deepEqual([asked.length, looks.length], [10, 2]);
  asked[2]?.made.resolve(announcement('r-2'));
  await promisesSettled();
  assert.deepEqual(looks.slice(2), ['P0']);
});

test('an announcement that is aborted between two polls is not polled again and blocks no other', async () => {
  const { asked, ask } = poolHarness();
  const [first] = Array.from({ length: 9 }, (_, at) => ask(`P${at}`));
  await promisesSettled();
  const wait = (): Promise<void> => asked[0]!.options.between!(() => Promise.resolve());
  await wait();
  await wait();
  void wait();
  await promisesSettled();
  first!.stop.abort();
  ask('EDB');
  asked[1]?.made.resolve(announcement('r-1'));
  await promisesSettled();
  assert.deepEqual([asked.length, asked.at(-1)?.destination], [10, 'EDB']);
});

test('all announcements of a board of 30 that the service never finishes are requested within half a minute, inside the budget of one address', async () => {
  const clock = new ManualClock();
  const submitted: number[] = [];
  const looks: number[] = [];
  const client: Pick<SignClient, 'announce'> = {
    announce: (_fields, { signal, between } = {}) => {
      submitted.push(clock.now());
      const look = async (): Promise<null> => {
        looks.push(clock.now());
        return null;
      };
      // Every wait is as short as the jitter allows.
      return pollUntil<Announcement>(look, { clock, random: () => 1, signal, between });
    },
  };
  const pool = new AnnouncementRequestPool(() => client as SignClient);
  const stops = Array.from({ length: 30 }, (_, train) => {
    const stop = new AbortController();
    const waiting = { signal: stop.signal, accepted: () => {}, retrying: () => {} };
    const fields = { destination: 'EDB', timing: `09${10 + train}` };
    pool.ask('https://proxy.test/sign', fields, waiting).catch(() => {});
    return stop;
  });
  await clock.advance(301_000);
  assert.equal(submitted.length, 30);
  assert.ok(submitted.at(-1)! <= 30_000, `${submitted.at(-1)} ms`);
  assert.ok(submitted.length + looks.length < 500, `${submitted.length + looks.length} requests`);
  for (const stop of stops) stop.abort();
  await clock.advance(600_000);
  assert.equal(clock.pending, 0);
});

test('an announcement that nobody waits for is stopped and frees its slot; requested again, it starts from the beginning', async () => {
  const { asked, ask } = poolHarness();
  const [one, two] = [ask('EDB'), ask('EDB')];
  one.stop.abort(new Error('gone'));
  assert.equal(((await one.outcome) as Error).message, 'gone');
  assert.equal(asked[0]?.options.signal?.aborted, false);
  two.stop.abort();
  assert.equal(asked[0]?.options.signal?.aborted, true);
  ask('EDB');
  for (let other = 0; other < 7; other += 1) ask(`P${other}`);
  await promisesSettled();
  assert.equal(asked.length, 9);
});

test('an announcement that is aborted in the queue is never sent', async () => {
  const { asked, ask } = poolHarness();
  for (let other = 0; other < 8; other += 1) ask(`P${other}`);
  const late = ask('EDB');
  late.stop.abort();
  ask('LDS');
  asked[0]?.made.resolve(announcement('r-0'));
  await promisesSettled();
  assert.deepEqual(
    asked.slice(8).map(({ destination }) => destination),
    ['LDS'],
  );
});

test('after a failure the next caller makes a new request', async () => {
  const { asked, ask } = poolHarness();
  const failed = ask('EDB');
  asked[0]?.made.reject(new Error('no clip'));
  assert.equal(((await failed.outcome) as Error).message, 'no clip');
  const again = ask('EDB');
  asked[1]?.made.resolve(announcement('r-2'));
  assert.deepEqual(await again.outcome, announcement('r-2'));
});

test('an announcement that the service no longer knows is requested once more for all callers; other failures reject', async () => {
  const { asked, looks, ask } = poolHarness();
  const [one, two] = [ask('EDB'), ask('EDB')];
  asked[0]?.options.accepted?.('r-1');
  asked[0]?.made.resolve(announcement('r-1'));
  await Promise.all([one.outcome, two.outcome]);
  const outage = one.renew('r-1');
  looks[0]?.answer.reject(ownError('upstream_unreachable'));
  assert.equal(((await outage) as SignError).code, 'upstream_unreachable');
  const fresh = [one.renew('r-1'), two.renew('r-1')];
  for (const look of looks.slice(1)) look.answer.reject(ownError('not_found'));
  await promisesSettled();
  assert.deepEqual([asked.length, looks.map(({ requestId }) => requestId)], [2, ['r-1', 'r-1', 'r-1']]);
  asked[1]?.options.accepted?.('r-2');
  asked[1]?.made.resolve(announcement('r-2'));
  assert.deepEqual(await Promise.all(fresh), ['https://media.test/r-2', 'https://media.test/r-2']);
  assert.deepEqual(one.accepted, ['r-1', 'r-2']);
});

const fields = { destination: 'EDB' };

test('a background colour is sent to the service as three numbers', async () => {
  assert.deepEqual(await requestFor(fields, '#336699'), {
    body: { destination: 'EDB', bgColour: '51,102,153' },
    paintsBackground: true,
  });
});

test('without a background attribute no background is requested', async () => {
  assert.deepEqual(await requestFor(fields, null), { body: fields, paintsBackground: false });
});

test('bgColour overrides the background', async () => {
  const given = { ...fields, bgColour: '0,0,0' };
  assert.deepEqual(await requestFor(given, '#336699'), { body: given, paintsBackground: false });
  const transparent = { ...fields, bgColour: '-1,-1,-1' };
  assert.deepEqual(await requestFor(transparent, '#336699'), { body: transparent, paintsBackground: true });
});

test('an invalid field is refused before any request', async () => {
  await assert.rejects(requestFor({ destination: '' }, 'transparent'), { code: 'invalid_request' });
});
