// Live sessions through the proxy, against the sandbox: what the operator does, and what a page gets to see of it.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test, type TestContext } from 'node:test';
import { listening } from '../../listening.ts';
import {
  aac,
  everyTwoSeconds,
  h264,
  makeSource,
  picture,
  type SourceFiles,
  tone,
} from '../../sandbox/live/encoded-source.ts';
import { until } from '../../until.ts';
import { sandboxProxy } from './sandbox-proxy.ts';

const TOKEN = 'token-of-the-operator';
const operator = { Authorization: `Bearer ${TOKEN}` };
const env = {
  SIGN_OPERATOR_TOKEN: TOKEN,
  SIGN_ALLOWED_HOSTS: '127.0.0.1',
  SIGN_REQUESTS_PER_MINUTE: '1000000',
  SIGN_GENERATES_PER_MINUTE: '1000000',
};

interface Session {
  readonly sessionId: string;
  readonly status: string;
  readonly rtmpEndpoints?: readonly string[];
  readonly srtPassphrase?: string;
  readonly rtmpOutputStreamKey?: string;
  readonly manifests?: { readonly hls: string; readonly dash: string; readonly pip?: string };
  readonly error?: string;
}

/** The live routes of a proxy in front of a sandbox, as an operator calls them. */
async function liveProxy(t: TestContext, change: NodeJS.ProcessEnv = {}) {
  const { prefix, sandbox } = await sandboxProxy(t, { ...env, ...change });
  const sessions = `${prefix}/v2/live/sessions`;
  return {
    sandbox,
    sessions,
    create: (body: object, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(sessions, {
        method: 'POST',
        headers: { ...operator, 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  };
}

const sessionOf = async (response: Response, status = 200): Promise<Session> => {
  assert.equal(response.status, status);
  return (await response.json()) as Session;
};

/** A source that does not come to its end during a test. */
let made: Promise<SourceFiles> | null = null;

/** The address at which `source` can be pulled. */
async function pulledSource(t: TestContext): Promise<string> {
  made ??= makeSource([...picture, ...tone, '-t', '40', ...h264, ...everyTwoSeconds, ...aac]);
  const files = await made;
  const origin = await listening(
    t,
    createServer((request, response) => {
      response.end(files.get((request.url ?? '').slice(1)));
    }),
  );
  return `${origin}/index.m3u8`;
}

test('an operator has a source pulled, a page gets the playlists of its output, and the operator ends the session', async (t) => {
  const hlsSourceUrl = await pulledSource(t);
  const { sessions, create } = await liveProxy(t);
  const answer = await create({ sourceType: 'HLS_PULL', hlsSourceUrl, pictureInPicture: true });
  assert.equal(answer.headers.get('set-cookie'), null);
  const { sessionId } = await sessionOf(answer, 201);
  const one = `${sessions}/${sessionId}`;
  const look = async (): Promise<Session> => sessionOf(await fetch(one));
  const seen = await look();
  assert.equal(seen.status, 'active');
  assert.ok(!JSON.stringify(seen).includes(hlsSourceUrl), 'a page does not see the source');
  assert.ok(
    (await (await fetch(one, { headers: operator })).text()).includes(hlsSourceUrl),
    'the operator does',
  );
  const { hls, pip } = seen.manifests!;
  for (const manifest of [hls, pip!]) {
    const playlist = await until(
      () => fetch(manifest),
      ({ status }) => status === 200,
    );
    assert.match(await playlist.text(), /#EXT-X-MAP/);
  }
  const stopped = await fetch(one, { method: 'DELETE', headers: operator });
  assert.equal((await sessionOf(stopped)).status, 'finalizing');
  const ended = await until(look, ({ status }) => status === 'ended');
  assert.equal(ended.error, undefined);
});

test('only the operator gets ingest addresses, their keys, and the list', async (t) => {
  const { sessions, create } = await liveProxy(t);
  const rtmp = await sessionOf(await create({ sourceType: 'RTMP_PUSH' }), 201);
  const srt = await sessionOf(
    await create({
      sourceType: 'SRT_PUSH',
      outputType: 'RTMP',
      rtmpOutputUrl: 'rtmp://127.0.0.1:1/live',
      rtmpOutputStreamKey: 'hidden-stream-key',
    }),
    201,
  );
  const secrets = [...rtmp.rtmpEndpoints!, srt.srtPassphrase!, 'hidden-stream-key'];
  for (const { sessionId } of [rtmp, srt]) {
    const page = await (await fetch(`${sessions}/${sessionId}`)).text();
    for (const secret of secrets) assert.ok(!page.includes(secret), secret);
  }
  const whole = await sessionOf(await fetch(`${sessions}/${srt.sessionId}`, { headers: operator }));
  assert.equal(whole.rtmpOutputStreamKey, 'hidden-stream-key');
  assert.equal((await fetch(sessions)).status, 401);
  const list = (await (await fetch(sessions, { headers: operator })).json()) as { sessions: Session[] };
  assert.deepEqual(
    list.sessions.map(({ sessionId }) => sessionId),
    [srt.sessionId, rtmp.sessionId],
  );
});

test('the next page of the list begins after the cursor', async (t) => {
  const { sandbox, sessions, create } = await liveProxy(t);
  sandbox.setLimits({ live_page_size: 1 });
  for (let n = 0; n < 2; n++) await sessionOf(await create({ sourceType: 'RTMP_PUSH' }), 201);
  const page = async (query: string): Promise<{ sessions: Session[]; cursor?: string }> =>
    (await (await fetch(sessions + query, { headers: operator })).json()) as { sessions: Session[] };
  const first = await page('');
  const second = await page(`?cursor=${encodeURIComponent(first.cursor!)}`);
  assert.deepEqual([first.sessions.length, second.sessions.length, second.cursor], [1, 1, undefined]);
  assert.notEqual(first.sessions[0]!.sessionId, second.sessions[0]!.sessionId);
});

test('the codes, waits and request ids of the service reach the client', async (t) => {
  const { sandbox, sessions, create } = await liveProxy(t);
  const id = { 'X-Request-Id': 'page-1' };
  sandbox.setFaults([{ fault: 'live_error', code: 'HLS_INPUT_NORMALIZE_CAPACITY' }]);
  const busy = await create({ sourceType: 'HLS_PULL', hlsSourceUrl: 'http://127.0.0.1:1/a.m3u8' }, id);
  assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '30']);
  assert.equal(((await busy.json()) as { error: { requestId: string } }).error.requestId, 'page-1');
  const wrong = await create({ sourceType: 'HLS_PULL' });
  assert.equal(wrong.status, 400);
  const { error } = (await wrong.json()) as { error: { code: string; details: unknown } };
  assert.equal(error.code, 'BAD_REQUEST');
  assert.ok(error.details, 'details are the operator’s to read');
  const unknown = await fetch(`${sessions}/00000000-0000-4000-a000-000000000000`, { headers: id });
  assert.equal(unknown.status, 404);
  assert.equal(unknown.headers.get('x-request-id'), 'page-1');
});

test('a page learns that a session has failed, and not the address of its source', async (t) => {
  const hlsSourceUrl = await pulledSource(t);
  const { sandbox, sessions, create } = await liveProxy(t);
  sandbox.setFaults([{ fault: 'live_session_fails', error: `cannot read ${hlsSourceUrl}` }]);
  const { sessionId } = await sessionOf(await create({ sourceType: 'HLS_PULL', hlsSourceUrl }), 201);
  const ended = await until(
    async () => sessionOf(await fetch(`${sessions}/${sessionId}`)),
    ({ status }) => status === 'ended',
  );
  assert.equal(ended.error, 'cannot read [hidden]');
});

test('a source inside the operator’s network is not pulled unless its host is allowed', async (t) => {
  const { create } = await liveProxy(t, { SIGN_ALLOWED_HOSTS: '' });
  const response = await create({ sourceType: 'HLS_PULL', hlsSourceUrl: 'http://127.0.0.1:1/a.m3u8' });
  assert.equal(response.status, 400);
  assert.match(response.headers.get('content-type') ?? '', /problem\+json/);
});
