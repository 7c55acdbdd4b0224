// When the demo's live event runs, and that its session is created and ended with it.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test, { type TestContext } from 'node:test';
import { MAIN_PLAYLIST } from '../../demo/event-source/event-stream.ts';
import { LiveEvent } from '../../demo/event-source/live-event.ts';
import { listen } from '../listening.ts';
import { ManualClock } from '../sandbox/manual-clock.ts';

const TOKEN = 'sandbox-operator-of-a-test';
const MINUTE = 60_000;

/** A service that makes a session at each request for one, and the requests that it got. */
async function serviceOf(t: TestContext) {
  const asked: string[] = [];
  const sources: string[] = [];
  const ended = new Set<string>();
  let made = 0;
  const server = createServer((request, response) => {
    const id = request.url?.split('/')[2] ?? '';
    assert.equal(request.headers.authorization, `Bearer ${TOKEN}`, 'the operator asks');
    asked.push(`${request.method} ${id}`);
    if (request.method === 'DELETE') ended.add(id);
    const status = ended.has(id) ? 'ended' : 'active';
    const body = { sessionId: request.method === 'POST' ? `session-${++made}` : id, status };
    request.on('data', (chunk: Buffer) => sources.push(JSON.parse(chunk.toString()).hlsSourceUrl));
    request.on('end', () => response.end(JSON.stringify(body)));
  });
  // As in the proxy, because on a busy machine the next request may come after Node's 5 s, just when the connection closes.
  server.keepAliveTimeout = 72_000;
  const port = await listen(server);
  const address = `http://127.0.0.1:${port}`;
  const clock = new ManualClock();
  const event = new LiveEvent({
    address: () => address,
    sessionsPath: '/sessions',
    operatorToken: TOKEN,
    clock,
  });
  t.after(async () => {
    await event.close();
    server.close();
    server.closeAllConnections();
  });
  return { event, clock, asked, sources, ended, address };
}

const mediaPlaylist = (event: LiveEvent, run: number): string =>
  String(event.file(run, 'service', 'stream.m3u8')?.body);

test('the first visitor starts the event, and later visitors share it', async (t) => {
  const { event, asked, sources, address } = await serviceOf(t);
  const [one, two] = await Promise.all([event.open(), event.open()]);
  const three = await event.open();
  assert.deepEqual(
    [one, two, three],
    Array(3).fill({ session: 'session-1', video: `/event/1/page/${MAIN_PLAYLIST}` }),
  );
  assert.deepEqual(asked, ['POST ', 'GET session-1']);
  assert.deepEqual(sources, [`${address}/event/1/service/${MAIN_PLAYLIST}`]);
  assert.match(mediaPlaylist(event, 1), /#EXT-X-PROGRAM-DATE-TIME:.*\n#EXTINF:1\.0+,\n0\.m4s\n/);
  assert.match(String(event.file(1, 'page', 'captions.m3u8')?.body), /\n0\.vtt\n/);
  assert.equal(event.file(2, 'page', MAIN_PLAYLIST), null, 'there is no second run');
  assert.equal(event.file(1, 'page', '99.m4s'), null, 'nor a segment of the future');
});

test('after an operator has stopped the session, the next visitor gets a new session of the same event', async (t) => {
  const { event, ended } = await serviceOf(t);
  const { session, video } = await event.open();
  ended.add(session);
  assert.deepEqual(await event.open(), { session: 'session-2', video });
});

test('a minute after the last viewer has left, the event ends and stops its session at the service; then it can start again', async (t) => {
  const { event, clock, asked } = await serviceOf(t);
  await event.open();
  clock.advance(MINUTE - 1);
  event.file(1, 'page', MAIN_PLAYLIST);
  clock.advance(MINUTE - 1);
  assert.doesNotMatch(mediaPlaylist(event, 1), /ENDLIST/, 'a page has watched meanwhile');
  event.file(1, 'service', MAIN_PLAYLIST);
  clock.advance(1);
  assert.match(mediaPlaylist(event, 1), /#EXT-X-ENDLIST/, 'what the service pulls is not watching');
  const { session, video } = await event.open();
  assert.deepEqual([session, video], ['session-2', `/event/2/page/${MAIN_PLAYLIST}`]);
  assert.deepEqual(asked, ['POST ', 'DELETE session-1', 'POST ']);
});
