// The whole sandbox over real sockets: what a proxy, a page and a tool see of it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import { after, test, type TestContext } from 'node:test';
import { startSandbox, type Fault, type SandboxOptions } from '../../demo/sandbox/index.ts';
import { decodeClip } from './media/decode-clip.ts';
import { ManualClock } from './manual-clock.ts';
import { V3Client } from './v3/socket.ts';

const render = { stamp: true, framesPerWord: 2 };
/** The sandbox of all tests that neither choose options nor close it. */
const shared = await startSandbox({ render });
after(() => shared.close());

async function sandboxOf(t: TestContext, options?: SandboxOptions) {
  const sandbox = options ? await startSandbox({ render, ...options }) : shared;
  t.after(() => (options ? sandbox.close() : sandbox.setFaults([])));
  const { addresses } = sandbox;
  return {
    sandbox,
    addresses,
    connect: () => new V3Client(addresses.wsUrl).opened(),
    control: (body: unknown, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
      fetch(addresses.controlUrl, { method: 'POST', headers, body: JSON.stringify(body) }),
  };
}

test('the result of a text is a video that plays from its URL and has the announced length', async (t) => {
  const { addresses, connect } = await sandboxOf(t);
  const client = await connect();
  client.start();
  assert.equal((await client.next()).type, 'session.ready');
  client.send({ type: 'text', id: 'a', data: 'Hello there' });
  assert.equal((await client.next()).type, 'text.ack');
  const result = await client.next();
  assert.equal(result.type, 'result');
  assert.equal(new URL(String(result['url'])).origin, addresses.mediaUrl);
  const response = await fetch(String(result['url']));
  const clip = await decodeClip(new Uint8Array(await response.arrayBuffer()));
  assert.deepEqual([clip.width, clip.height], [854, 480]);
  assert.ok(Math.abs(clip.duration - Number(result['duration_seconds'])) < 1e-6);
  const { gloss, render, encode, total } = result['pipeline_ms'] as Record<string, number>;
  assert.ok(gloss! + render! + encode! <= total! + 2);
  client.send({ type: 'session.end' });
  assert.equal((await client.next()).type, 'session.summary');
  assert.equal(await client.closed(), 1000);
});

test('the sandbox listens on loopback, and its credentials contain the word sandbox', async (t) => {
  const { addresses } = await sandboxOf(t);
  for (const url of [addresses.apiUrl, addresses.wsUrl, addresses.mediaUrl, addresses.controlUrl]) {
    assert.equal(new URL(url).hostname, '127.0.0.1');
  }
  assert.notEqual(new URL(addresses.mediaUrl).port, new URL(addresses.apiUrl).port);
  for (const word of [addresses.apiKey, addresses.clientId, addresses.clientSecret]) {
    assert.match(word, /sandbox/);
  }
});

test('media that listens everywhere is named by an address, never by 0.0.0.0', async (t) => {
  const { addresses } = await sandboxOf(t, { host: '0.0.0.0' });
  assert.match(new URL(addresses.mediaUrl).hostname, /^\d+\.\d+\.\d+\.\d+$/);
  assert.notEqual(new URL(addresses.mediaUrl).hostname, '0.0.0.0');
  assert.equal(new URL(addresses.apiUrl).hostname, '127.0.0.1');
});

test('with a seed session ids are the same in every run, without one they never are', async (t) => {
  const idOf = async (options: SandboxOptions) => {
    const { connect } = await sandboxOf(t, options);
    return (await (await connect()).start().next())['session_id'];
  };
  assert.equal(await idOf({ seed: 7 }), await idOf({ seed: 7 }));
  assert.notEqual(await idOf({ seed: 7 }), await idOf({ seed: 8 }));
  assert.notEqual(await idOf({}), await idOf({}));
});

test('the clock and the limits of the sandbox are the caller’s', async (t) => {
  const clock = new ManualClock();
  const { sandbox, connect } = await sandboxOf(t, {
    clock,
    limits: { max_inflight: 7, session_idle_seconds: 10 },
  });
  const client = await connect();
  const { limits } = await client.start().next();
  assert.deepEqual(limits, { max_text_length: 5000, max_messages_per_minute: 60, max_inflight: 7 });
  sandbox.setLimits({ max_text_length: 3 });
  client.send({ type: 'text', id: 'a', data: 'long' });
  assert.equal((await client.next())['code'], 'text_too_long');
  clock.advance(10_000);
  assert.equal((await client.next())['code'], 'session_expired');
  assert.equal(await client.closed(), 1000);
  assert.throws(() => sandbox.setLimits({ max_inflight: 0 }), RangeError);
  await assert.rejects(startSandbox({ limits: { max_inflight: 1.5 } }), RangeError);
});

test('open sockets are counted, and closing leaves none', async (t) => {
  const { sandbox } = await sandboxOf(t, {});
  const clients = [1, 2, 3].map(() => new V3Client(sandbox.addresses.wsUrl));
  await Promise.all(clients.map((client) => client.opened()));
  assert.equal(sandbox.openSockets, 3);
  const closings = clients.map((client) => client.closed());
  await sandbox.close();
  await Promise.all(closings);
  assert.equal(sandbox.openSockets, 0);
});

test('a port that is in use is an error, and nothing stays open', async (t) => {
  const { addresses } = await sandboxOf(t);
  const port = Number(new URL(addresses.apiUrl).port);
  await assert.rejects(startSandbox({ port }), { code: 'EADDRINUSE' });
});

test('a frame that is not JSON text gets a typed error, and a frame of more than 2 MB closes with 1009', async (t) => {
  const { connect } = await sandboxOf(t);
  const client = await connect();
  client.start();
  await client.next();
  client.socket.send(Buffer.from([1, 2, 3]));
  assert.equal((await client.next())['code'], 'invalid_message');
  client.send({ type: 'text', id: 'a', data: 'x'.repeat(1_000_000) });
  assert.equal((await client.next())['code'], 'text_too_long');
  client.socket.send('x'.repeat(1_500_000));
  assert.equal((await client.next())['code'], 'invalid_message');
  client.socket.send('x'.repeat(3_000_000));
  assert.equal(await client.closed(), 1009);
});

test('an upgrade elsewhere than on /ws/ is 404, and /ws/ without an upgrade 426', async (t) => {
  const { addresses } = await sandboxOf(t);
  const lost = new V3Client(`${addresses.wsUrl}/elsewhere`);
  const [error] = (await once(lost.socket, 'error')) as [Error];
  assert.match(error.message, /404/);
  assert.equal((await fetch(`${addresses.apiUrl}/ws/`)).status, 426);
});

test('a live session can be made and stopped, and closing the sandbox ends one that waits for its source', async (t) => {
  const { addresses, sandbox } = await sandboxOf(t, {});
  const headers = { 'X-API-KEY': addresses.apiKey, 'X-Request-Id': 'request-1' };
  const sessions = `${addresses.apiUrl}/v2/live/sessions`;
  const make = async (): Promise<{ sessionId: string; rtmpEndpoints: string[] }> => {
    const body = JSON.stringify({ sourceType: 'RTMP_PUSH' });
    const json = { ...headers, 'Content-Type': 'application/json' };
    const response = await fetch(sessions, { method: 'POST', headers: json, body });
    assert.equal(response.status, 201);
    return (await response.json()) as { sessionId: string; rtmpEndpoints: string[] };
  };
  const [stopped, left] = [await make(), await make()];
  const response = await fetch(`${sessions}/${stopped.sessionId}`, { method: 'DELETE', headers });
  assert.deepEqual([response.status, response.headers.get('x-request-id')], [200, 'request-1']);
  assert.equal(((await response.json()) as { status: string }).status, 'finalizing');
  await sandbox.close();
  const port = Number(new URL(left.rtmpEndpoints[0]!).port);
  const [refused] = (await once(connectTo(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
  assert.equal(refused.code, 'ECONNREFUSED');
});

test('a route that no document has is 404', async (t) => {
  const { addresses } = await sandboxOf(t);
  assert.equal((await fetch(`${addresses.apiUrl}/v3/generate`)).status, 404);
});

test('the control route sets faults, and lists the faults in force and the possible ones', async (t) => {
  const { addresses, connect, control } = await sandboxOf(t);
  const faults: Fault[] = [
    { fault: 'error', code: 'render_timeout', count: 1 },
    { fault: 'limits', limits: { max_text_length: 5 } },
  ];
  const set = await control(faults);
  assert.equal(set.status, 200);
  assert.deepEqual(await set.json(), { in_force: faults });
  const listed = (await (await fetch(addresses.controlUrl)).json()) as {
    faults: { fault: string }[];
    in_force: unknown;
  };
  assert.deepEqual(listed.in_force, faults);
  assert.ok(listed.faults.some(({ fault }) => fault === 'drop_socket'));
  const client = await connect();
  const { limits } = await client.start().next();
  assert.equal((limits as { max_text_length: number }).max_text_length, 5);
  client.send({ type: 'text', id: 'a', data: 'Hello' });
  assert.equal((await client.next()).type, 'text.ack');
  assert.equal((await client.next())['code'], 'render_timeout');
  assert.deepEqual(await (await control([])).json(), { in_force: [] });
  client.send({ type: 'text', id: 'b', data: 'Hello again' });
  assert.equal((await client.next()).type, 'text.ack');
});

test('the control route puts the clock forward, once', async (t) => {
  const { connect, control } = await sandboxOf(t);
  const client = await connect();
  client.start();
  await client.next();
  assert.deepEqual(await (await control([{ fault: 'advance_clock', seconds: 3600 }])).json(), {
    in_force: [],
  });
  assert.equal((await client.next())['code'], 'session_expired');
});

test('a fault can drop the socket without a closing handshake', async (t) => {
  const { sandbox, connect } = await sandboxOf(t);
  sandbox.setFaults([{ fault: 'drop_socket', after_frames: 1 }]);
  const client = await connect();
  const closed = client.closed();
  client.start();
  assert.equal(await closed, 1006);
});

test('the control route names what it refuses, and changes nothing', async (t) => {
  const { addresses, control } = await sandboxOf(t);
  await control([{ fault: 'media_refused' }]);
  const wrong = await control([{ fault: 'latency', ms: 'soon' }]);
  assert.equal(wrong.status, 400);
  const { error, problems } = (await wrong.json()) as { error: string; problems: string[] };
  assert.equal(error, 'not a list of faults');
  assert.match(problems.join(), /^0\.ms: /);
  const json = { 'Content-Type': 'application/json' };
  const post = (init: RequestInit) => fetch(addresses.controlUrl, { method: 'POST', ...init });
  assert.equal((await post({ headers: json, body: '[' })).status, 400);
  assert.equal((await post({ headers: { 'Content-Type': 'text/plain' }, body: '[]' })).status, 415);
  assert.equal((await post({ headers: json, body: `[${' '.repeat(70_000)}]` })).status, 413);
  assert.equal((await fetch(addresses.controlUrl, { method: 'PUT' })).status, 405);
  const { in_force } = (await (await fetch(addresses.controlUrl)).json()) as { in_force: unknown };
  assert.deepEqual(in_force, [{ fault: 'media_refused' }]);
});

test('no page can use the control route', async (t) => {
  const { addresses } = await sandboxOf(t);
  const origin = { Origin: 'http://page.test', 'Access-Control-Request-Method': 'POST' };
  for (const method of ['OPTIONS', 'GET', 'POST']) {
    const { headers } = await fetch(addresses.controlUrl, { method, headers: origin });
    assert.equal(headers.get('access-control-allow-origin'), null, method);
  }
});

test('a wrongly escaped address is 400 in the envelope of its document', async (t) => {
  const { addresses } = await sandboxOf(t);
  const why = 'the address has a wrong escape';
  const cases: (readonly [url: string, envelope: object])[] = [
    [`${addresses.transportUrl}/v1/sign-requests/%zz`, { data: { status: 'FAILED', errorLog: why } }],
    [`${addresses.apiUrl}/v1/status/%zz`, { error: 'invalid_request', details: why }],
    [
      `${addresses.apiUrl}/v2/live/sessions/%zz`,
      { error: { code: 'BAD_REQUEST', type: 'VALIDATION_ERROR', message: why, requestId: 'request-1' } },
    ],
  ];
  for (const [url, envelope] of cases) {
    const response = await fetch(url, { headers: { 'X-Request-Id': 'request-1' } });
    assert.deepEqual([response.status, await response.json()], [400, envelope], url);
  }
});
