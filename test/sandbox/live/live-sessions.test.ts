// How many live sessions there are, for how long they are remembered, and how they are listed page by page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../until.ts';
import { errorOf, LiveDesk, settled, type Answer } from './live-desk.ts';

const rtmp = { sourceType: 'RTMP_PUSH' };
const idsOf = ({ body }: Answer): unknown[] =>
  (body['sessions'] as { sessionId: unknown }[]).map(({ sessionId }) => sessionId);

async function many(desk: LiveDesk, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await desk.created(rtmp));
  return ids;
}

/** All pages, from the first to the last. */
async function pages(desk: LiveDesk): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for (let cursor: string | undefined, more = true; more;) {
    const page = await desk.list(cursor);
    found.push(idsOf(page));
    cursor = page.body['cursor'] as string | undefined;
    more = cursor !== undefined;
  }
  return found;
}

test('no more sessions than the limit says, until one has ended', async (t) => {
  const desk = new LiveDesk(t);
  desk.limits = { ...desk.limits, live_sessions: 2 };
  const [first] = await many(desk, 2);
  const refused = await desk.create(rtmp);
  const { code, type } = errorOf(refused, 503);
  assert.deepEqual([code, type], ['SESSION_CAPACITY', 'SERVICE_UNAVAILABLE']);
  assert.equal(refused.headers['retry-after'], '30');
  await desk.stop(first!);
  assert.equal((await desk.create(rtmp)).status, 503);
  desk.media.runs[0]!.stopped();
  await settled();
  assert.equal((await desk.create(rtmp)).status, 201);
});

test('a session that has failed, or has ended by itself, counts until its media are free', async (t) => {
  const desk = new LiveDesk(t);
  desk.limits = { ...desk.limits, live_sessions: 1 };
  for (const end of [{ failed: 'the source cannot be read' }, 'stopped'] as const) {
    const [id] = await many(desk, 1);
    desk.run.report(end);
    assert.equal((await desk.get(id!)).body['status'], 'ended');
    assert.equal(errorOf(await desk.create(rtmp), 503).code, 'SESSION_CAPACITY');
    assert.equal(desk.run.stops, 1);
    desk.run.stopped();
    await settled();
  }
  assert.equal((await desk.create(rtmp)).status, 201);
});

test('media that are not ready after thirty seconds are refused with the code of their source, and count until they are free', async (t) => {
  t.mock.method(console, 'error', () => {});
  const desk = new LiveDesk(t);
  desk.limits = { ...desk.limits, live_sessions: 1 };
  desk.media.atOnce = false;
  for (const [sourceType, status, code] of [
    ['RTMP_PUSH', 503, 'RTMP_ENDPOINT_UNREACHABLE'],
    ['SRT_PUSH', 500, 'INTERNAL_ERROR'],
  ] as const) {
    const started = desk.media.runs.length;
    const answer = desk.create({ sourceType });
    await until(() => desk.media.runs.length > started);
    desk.clock.advance(29_999);
    await settled();
    assert.equal(desk.run.stops, 0, 'not yet');
    desk.clock.advance(1);
    assert.equal(errorOf(await answer, status).code, code);
    assert.equal(desk.run.stops, 1);
    assert.deepEqual(idsOf(await desk.list()), []);
    assert.equal(errorOf(await desk.create(rtmp), 503).code, 'SESSION_CAPACITY');
    desk.run.stopped();
    await settled();
  }
  assert.equal(desk.clock.waiting, 0);
});

test('a session that is being provisioned counts, and is listed when it has its addresses', async (t) => {
  const desk = new LiveDesk(t);
  desk.limits = { ...desk.limits, live_sessions: 1 };
  desk.media.atOnce = false;
  const first = desk.create(rtmp);
  await until(() => desk.media.runs.length === 1);
  assert.equal((await desk.create(rtmp)).status, 503);
  assert.deepEqual(idsOf(await desk.list()), []);
  desk.run.provision({ ingestUrl: null, hlsUrl: null, dashUrl: null, pipUrl: null });
  const { status, body } = await first;
  assert.equal(status, 201);
  assert.deepEqual(idsOf(await desk.list()), [body['sessionId']]);
});

test('a session that is being provisioned counts once', async (t) => {
  const desk = new LiveDesk(t);
  desk.limits = { ...desk.limits, live_sessions: 2 };
  desk.media.atOnce = false;
  const both = [desk.create(rtmp), desk.create(rtmp)];
  await until(() => desk.media.runs.length === 2);
  for (const run of desk.media.runs)
    run.provision({ ingestUrl: null, hlsUrl: null, dashUrl: null, pipUrl: null });
  assert.deepEqual(
    (await Promise.all(both)).map(({ status }) => status),
    [201, 201],
  );
});

test('the list has the newest first, page by page, and the last page has no cursor', async (t) => {
  const desk = new LiveDesk(t);
  desk.limits = { ...desk.limits, live_page_size: 2 };
  assert.deepEqual((await desk.list()).body, { sessions: [] });
  const ids = (await many(desk, 5)).reverse();
  assert.deepEqual(await pages(desk), [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  desk.limits = { ...desk.limits, live_page_size: 5 };
  assert.deepEqual(await pages(desk), [ids]);
});

test('sessions that come between two pages are neither on the second nor push anything off it', async (t) => {
  const desk = new LiveDesk(t);
  desk.limits = { ...desk.limits, live_page_size: 2 };
  const ids = (await many(desk, 4)).reverse();
  const { cursor } = (await desk.list()).body as { cursor: string };
  await many(desk, 3);
  assert.deepEqual(idsOf(await desk.list(cursor)), ids.slice(2));
});

test('a cursor that the service did not give is BAD_REQUEST', async (t) => {
  const desk = new LiveDesk(t);
  const cursors = ['', 'x', 'YmVmb3JlOi0x', 'YmVmb3JlOjE=', Buffer.from('before:1e3').toString('base64url')];
  for (const cursor of cursors) {
    assert.equal(errorOf(await desk.list(cursor), 400).code, 'BAD_REQUEST', cursor);
  }
  const twice = await desk.ask({ method: 'GET', url: '/v2/live/sessions?cursor=YQ&cursor=YQ' });
  assert.equal(errorOf(twice, 400).code, 'BAD_REQUEST');
});

test('an ended session can be asked for for an hour', async (t) => {
  const desk = new LiveDesk(t);
  const [ended, active] = await many(desk, 2);
  desk.media.runs[0]!.report({ failed: 'no picture' });
  desk.clock.advance(3600_000 - 1);
  assert.equal((await desk.get(ended!)).body['error'], 'no picture');
  desk.clock.advance(1);
  errorOf(await desk.get(ended!), 404);
  assert.deepEqual(idsOf(await desk.list()), [active]);
});

test('of ended sessions the 100 newest are kept, and none that is active is forgotten for it', async (t) => {
  const desk = new LiveDesk(t);
  desk.limits = { ...desk.limits, live_page_size: 1000 };
  const active = await desk.created(rtmp);
  const ended: string[] = [];
  for (let n = 0; n < 103; n++) {
    ended.push(await desk.created(rtmp));
    desk.run.report('stopped');
    desk.run.stopped();
    await settled();
    desk.clock.advance(1);
  }
  assert.deepEqual(idsOf(await desk.list()), [...ended.slice(3).reverse(), active]);
});
