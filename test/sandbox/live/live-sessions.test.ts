// How many live sessions there are, for how long they are remembered, and how they are listed page by page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../until.ts';
import { errorOf, LiveHarness, type Answer } from './live-harness.ts';
import { promisesSettled } from '../../promises-settled.ts';

const rtmp = { sourceType: 'RTMP_PUSH' };
const idsOf = ({ body }: Answer): unknown[] =>
  (body['sessions'] as { sessionId: unknown }[]).map(({ sessionId }) => sessionId);

async function many(harness: LiveHarness, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await harness.created(rtmp));
  return ids;
}

/** All pages, from the first to the last. */
async function pages(harness: LiveHarness): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for (let cursor: string | undefined, more = true; more;) {
    const page = await harness.list(cursor);
    found.push(idsOf(page));
    cursor = page.body['cursor'] as string | undefined;
    more = cursor !== undefined;
  }
  return found;
}

test('the limit of sessions holds until one has ended', async (t) => {
  const harness = new LiveHarness(t);
  harness.limits = { ...harness.limits, live_sessions: 2 };
  const [first] = await many(harness, 2);
  const refused = await harness.create(rtmp);
  const { code, type } = errorOf(refused, 503);
  assert.deepEqual([code, type], ['SESSION_CAPACITY', 'SERVICE_UNAVAILABLE']);
  assert.equal(refused.headers['retry-after'], '30');
  await harness.stop(first!);
  assert.equal((await harness.create(rtmp)).status, 503);
  harness.media.runs[0]!.stopped();
  await promisesSettled();
  assert.equal((await harness.create(rtmp)).status, 201);
});

test('a session that has failed, or has ended by itself, counts until its media are free', async (t) => {
  const harness = new LiveHarness(t);
  harness.limits = { ...harness.limits, live_sessions: 1 };
  for (const end of [{ failed: 'the source cannot be read' }, 'stopped'] as const) {
    const [id] = await many(harness, 1);
    harness.run.report(end);
    assert.equal((await harness.get(id!)).body['status'], 'ended');
    assert.equal(errorOf(await harness.create(rtmp), 503).code, 'SESSION_CAPACITY');
    assert.equal(harness.run.stops, 1);
    harness.run.stopped();
    await promisesSettled();
  }
  assert.equal((await harness.create(rtmp)).status, 201);
});

test('media that are not ready after ninety seconds are refused with the code of their source, and count until they are free', async (t) => {
  t.mock.method(console, 'error', () => {});
  const harness = new LiveHarness(t);
  harness.limits = { ...harness.limits, live_sessions: 1 };
  harness.media.atOnce = false;
  for (const [sourceType, status, code] of [
    ['RTMP_PUSH', 503, 'RTMP_ENDPOINT_UNREACHABLE'],
    ['SRT_PUSH', 500, 'INTERNAL_ERROR'],
  ] as const) {
    const started = harness.media.runs.length;
    const answer = harness.create({ sourceType });
    await until(() => harness.media.runs.length > started);
    harness.clock.advance(89_999);
    await promisesSettled();
    assert.equal(harness.run.stops, 0, 'not yet');
    harness.clock.advance(1);
    assert.equal(errorOf(await answer, status).code, code);
    assert.equal(harness.run.stops, 1);
    assert.deepEqual(idsOf(await harness.list()), []);
    assert.equal(errorOf(await harness.create(rtmp), 503).code, 'SESSION_CAPACITY');
    harness.run.stopped();
    await promisesSettled();
  }
  assert.equal(harness.clock.waiting, 0);
});

test('the ninety seconds begin when the process of the media has loaded', async (t) => {
  t.mock.method(console, 'error', () => {});
  const harness = new LiveHarness(t);
  Object.assign(harness.media, { loadsAtOnce: false, atOnce: false });
  const answer = harness.create(rtmp);
  await until(() => harness.media.runs.length === 1);
  harness.clock.advance(120_000);
  harness.run.load();
  await promisesSettled();
  harness.clock.advance(89_999);
  await promisesSettled();
  assert.equal(harness.run.stops, 0, 'not yet');
  harness.clock.advance(1);
  assert.equal(errorOf(await answer, 503).code, 'RTMP_ENDPOINT_UNREACHABLE');
});

test('a session that is being provisioned counts, and is listed when it has its addresses', async (t) => {
  const harness = new LiveHarness(t);
  harness.limits = { ...harness.limits, live_sessions: 1 };
  harness.media.atOnce = false;
  const first = harness.create(rtmp);
  await until(() => harness.media.runs.length === 1);
  assert.equal((await harness.create(rtmp)).status, 503);
  assert.deepEqual(idsOf(await harness.list()), []);
  harness.run.provision({ ingestUrl: null, hlsUrl: null, dashUrl: null, pipUrl: null });
  const { status, body } = await first;
  assert.equal(status, 201);
  assert.deepEqual(idsOf(await harness.list()), [body['sessionId']]);
});

test('a session that is being provisioned counts once', async (t) => {
  const harness = new LiveHarness(t);
  harness.limits = { ...harness.limits, live_sessions: 2 };
  harness.media.atOnce = false;
  const both = [harness.create(rtmp), harness.create(rtmp)];
  await until(() => harness.media.runs.length === 2);
  for (const run of harness.media.runs)
    run.provision({ ingestUrl: null, hlsUrl: null, dashUrl: null, pipUrl: null });
  assert.deepEqual(
    (await Promise.all(both)).map(({ status }) => status),
    [201, 201],
  );
});

test('the list has the newest first, page by page, and the last page has no cursor', async (t) => {
  const harness = new LiveHarness(t);
  harness.limits = { ...harness.limits, live_page_size: 2 };
  assert.deepEqual((await harness.list()).body, { sessions: [] });
  const ids = (await many(harness, 5)).reverse();
  assert.deepEqual(await pages(harness), [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  harness.limits = { ...harness.limits, live_page_size: 5 };
  assert.deepEqual(await pages(harness), [ids]);
});

test('sessions that begin between the requests for two pages change nothing on the second page', async (t) => {
  const harness = new LiveHarness(t);
  harness.limits = { ...harness.limits, live_page_size: 2 };
  const ids = (await many(harness, 4)).reverse();
  const { cursor } = (await harness.list()).body as { cursor: string };
  await many(harness, 3);
  assert.deepEqual(idsOf(await harness.list(cursor)), ids.slice(2));
});

test('a cursor that the service did not give is BAD_REQUEST', async (t) => {
  const harness = new LiveHarness(t);
  const cursors = ['', 'x', 'YmVmb3JlOi0x', 'YmVmb3JlOjE=', Buffer.from('before:1e3').toString('base64url')];
  for (const cursor of cursors) {
    assert.equal(errorOf(await harness.list(cursor), 400).code, 'BAD_REQUEST', cursor);
  }
  const twice = await harness.ask({ method: 'GET', url: '/v2/live/sessions?cursor=YQ&cursor=YQ' });
  assert.equal(errorOf(twice, 400).code, 'BAD_REQUEST');
});

test('an ended session can be read for an hour', async (t) => {
  const harness = new LiveHarness(t);
  const [ended, active] = await many(harness, 2);
  harness.media.runs[0]!.report({ failed: 'no picture' });
  harness.clock.advance(3600_000 - 1);
  assert.equal((await harness.get(ended!)).body['error'], 'no picture');
  harness.clock.advance(1);
  errorOf(await harness.get(ended!), 404);
  assert.deepEqual(idsOf(await harness.list()), [active]);
});

test('the 100 newest ended sessions are kept, and every active one', async (t) => {
  const harness = new LiveHarness(t);
  harness.limits = { ...harness.limits, live_page_size: 1000 };
  const active = await harness.created(rtmp);
  const ended: string[] = [];
  for (let n = 0; n < 103; n++) {
    ended.push(await harness.created(rtmp));
    harness.run.report('stopped');
    harness.run.stopped();
    await promisesSettled();
    harness.clock.advance(1);
  }
  assert.deepEqual(idsOf(await harness.list()), [...ended.slice(3).reverse(), active]);
});
