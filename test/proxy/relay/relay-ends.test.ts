// How a relay ends, and what a client gets that sends too much.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { test } from 'node:test';
import { errorFromFrame } from '../../../src/protocol/service-errors.ts';
import { listen } from '../../listening.ts';
import { errorOf } from './error-of.ts';
import { API_KEY, mountedProxy } from '../mounted-proxy.ts';
import { openClient, SESSION_START } from '../client-socket.ts';
import { CLOSE, frame } from '../raw-frames.ts';
import { fakeRelay, type FakeRelay } from './fake-relay.ts';

test("the service's close reason is not passed on", async (t) => {
  const { started } = await mountedProxy(t);
  const { client, session } = await started();
  session.socket.close(1000, `bye ${API_KEY}`);
  assert.deepEqual(await client.closed, { code: 1000, reason: '' });
});

const upstreamEnds: Record<string, [number | undefined, { code: number; reason: string }]> = {
  'closes 1000': [1000, { code: 1000, reason: '' }],
  'closes without a code': [undefined, { code: 1000, reason: '' }],
  'closes 1011': [1011, { code: 1011, reason: 'session_failed' }],
  'closes 1008': [1008, { code: 1011, reason: 'session_failed' }],
};
for (const [what, [code, expected]] of Object.entries(upstreamEnds)) {
  test(`when the service ${what} the client is closed ${expected.code}, after its last frame`, async (t) => {
    const { started } = await mountedProxy(t);
    const { client, session } = await started();
    session.socket.send('{"type":"session.summary","usage":{}}');
    session.socket.close(code);
    assert.deepEqual(await client.closed, expected);
    assert.match(client.frames.all.at(-1) ?? '', /session.summary/);
  });
}

test('when the connection to the service breaks off the client is closed 1011 session_failed', async (t) => {
  const { started } = await mountedProxy(t);
  const { client, session } = await started();
  session.socket.terminate();
  assert.deepEqual(await client.closed, { code: 1011, reason: 'session_failed' });
});

test('a service that refuses the upgrade closes the client 1011 upstream_unreachable', async (t) => {
  const { address, upstream } = await mountedProxy(t);
  upstream.upgrades = 'refuse';
  upstream.status = 401;
  const client = await openClient(address);
  assert.deepEqual(await client.closed, { code: 1011, reason: 'upstream_unreachable' });
});

test('when nothing listens at the address of the service the client is closed 1011 upstream_unreachable', async (t) => {
  const { address, upstream } = await mountedProxy(t, { env: { SIGN_API_URL: 'http://127.0.0.1:1' } });
  const client = await openClient(address);
  assert.deepEqual(await client.closed, { code: 1011, reason: 'upstream_unreachable' });
  assert.equal(upstream.sessions.all.length, 0);
});

test('a service that does not answer the upgrade in 5 s is unreachable', async (t) => {
  const { address, upstream, clock } = await mountedProxy(t);
  upstream.upgrades = 'ignore';
  const client = await openClient(address);
  clock.advance(4_999);
  assert.equal(client.socket.readyState, client.socket.OPEN);
  clock.advance(1);
  assert.deepEqual(await client.closed, { code: 1011, reason: 'upstream_unreachable' });
});

test('a client that sends no session.start in 15 s is closed 1008 handshake_timeout', async (t) => {
  const { pair, clock } = await mountedProxy(t);
  const { client, session } = await pair();
  client.socket.send('{"type":"text","id":"1","data":"x"}');
  await client.frames.next();
  clock.advance(15_000);
  assert.deepEqual(await client.closed, { code: 1008, reason: 'handshake_timeout' });
  assert.equal(await session.closed, 1000);
});

test('a session that has started outlives the handshake time-out', async (t) => {
  const { started, clock } = await mountedProxy(t);
  const { client, session } = await started();
  clock.advance(15_000);
  session.socket.send('{"type":"session.ready"}');
  assert.equal(await client.frames.next(), '{"type":"session.ready"}');
});

test('a client that closes, or drops, ends the session of the service', async (t) => {
  const { started } = await mountedProxy(t);
  const [first, second] = [await started(), await started()];
  first.client.socket.close();
  second.client.socket.terminate();
  assert.equal(await first.session.closed, 1000);
  assert.equal(await second.session.closed, 1000);
});

test('a frame over the rate of its address is answered rate_limited, and the session goes on', async (t) => {
  const { started, clock } = await mountedProxy(t, { env: { SIGN_MESSAGES_PER_MINUTE: '2' } });
  const { client, session } = await started();
  client.socket.send('{"type":"text","id":"1","data":"x"}');
  await session.frames.next();
  client.socket.send('{"type":"text","id":"2","data":"x"}');
  const frame = errorOf(await client.frames.next());
  const error = errorFromFrame(frame, null);
  assert.deepEqual([frame.ref, frame.retry_after_seconds], ['2', 30]);
  assert.deepEqual([error.code, error.severity, error.retryable], ['rate_limited', 'warning', true]);
  clock.advance(30_000);
  client.socket.send('{"type":"text","id":"3","data":"x"}');
  assert.match((await session.frames.next()).text, /"id":"3"/);
  assert.equal(session.frames.all.length, 3);
});

test('all sockets of an address share one rate, and a session.start over it is closed 1008 rate_limited', async (t) => {
  const { started, pair } = await mountedProxy(t, { env: { SIGN_MESSAGES_PER_MINUTE: '1' } });
  await started();
  const { client, session } = await pair();
  client.socket.send(SESSION_START);
  assert.equal(errorOf(await client.frames.next()).severity, 'session');
  assert.deepEqual(await client.closed, { code: 1008, reason: 'rate_limited' });
  await session.closed;
  assert.deepEqual(session.frames.all, []);
});

test('a client that goes on sending after two answers rate_limited is closed 1008 rate_limited', async (t) => {
  const { started } = await mountedProxy(t, { env: { SIGN_MESSAGES_PER_MINUTE: '2' } });
  const { client } = await started();
  for (let count = 0; count < 4; count += 1) client.socket.send('{"type":"text"}');
  assert.deepEqual(await client.closed, { code: 1008, reason: 'rate_limited' });
  const codes = client.frames.all.map((frame) => errorOf(frame).code);
  assert.deepEqual(codes, ['rate_limited', 'rate_limited']);
});

test('both sides are pinged every 30 s', async (t) => {
  const { started, clock } = await mountedProxy(t);
  const { client, session } = await started();
  for (let round = 0; round < 2; round += 1) {
    const pinged = Promise.all([once(client.socket, 'ping'), once(session.socket, 'ping')]);
    clock.advance(30_000);
    await pinged;
  }
});

test('the connection of a client that never answers the close is cut off after 5 s', async (t) => {
  const { started, clock, proxy } = await mountedProxy(t);
  const { client, session } = await started();
  client.socket.pause();
  const drained = proxy.close();
  await session.closed;
  clock.advance(5_000);
  await drained;
  client.socket.resume();
  assert.equal((await client.closed).code, 1012);
});

test('when a service sends a close frame and never ends its connection, the client is closed after 5 s, sooner than `ws` would do it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const connections: Duplex[] = [];
  let closeFrameArrived = (): void => undefined;
  const closing = new Promise<void>((resolve) => (closeFrameArrived = resolve));
  const service = createServer().on('upgrade', ({ headers }, connection: Duplex) => {
    connections.push(connection.on('error', () => undefined));
    // RFC 6455, 1.3.
    const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const head = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
    connection.write(`HTTP/1.1 101 Switching Protocols\r\n${head}`);
    connection.write(frame(Buffer.from([0x03, 0xe8]), { opcode: CLOSE, masked: false }));
    connection.once('data', () => closeFrameArrived());
  });
  const port = await listen(service);
  t.after(() => {
    for (const connection of connections) connection.destroy();
    service.close();
  });
  const { address } = await mountedProxy(t, { env: { SIGN_API_URL: `http://127.0.0.1:${port}` } });
  const client = await openClient(address);
  await closing;
  // Without the relay’s own timer `ws` waits for 30 s.
  t.mock.timers.tick(5_000);
  assert.deepEqual(await client.closed, { code: 1000, reason: '' });
});

/** Lets this many minutes pass, in which both sides answer pings. */
const minutes = (relay: FakeRelay, count: number): void => {
  for (let n = 0; n < count * 2; n += 1) {
    relay.clock.advance(30_000);
    for (const socket of [relay.client, relay.upstream]) socket.emit('pong');
  }
};

test('a session whose client sends nothing for 10 minutes expires; a session in use is restarted after 8 hours', () => {
  const idle = fakeRelay();
  const used = fakeRelay();
  for (const { client } of [idle, used]) client.receive(SESSION_START);
  minutes(idle, 9);
  idle.upstream.receive('{"type":"progress"}');
  assert.equal(idle.client.closedWith, null);
  // Seen at the next check, which is within 10 seconds.
  minutes(idle, 1.5);
  assert.deepEqual(idle.client.closedWith, { code: 1000, reason: 'session_expired' });
  assert.deepEqual([idle.upstream.closedWith?.code, idle.limitHits], [1000, ['session_idle']]);
  idle.client.drain();
  const expired = JSON.parse(idle.client.sent.at(-1) ?? '') as Record<string, unknown>;
  assert.deepEqual([expired.code, expired.severity], ['session_expired', 'session']);

  for (let n = 0; n < 53; n += 1) {
    minutes(used, 9);
    used.client.receive('{"type":"text","id":"1","data":"a"}');
  }
  assert.equal(used.client.closedWith, null);
  minutes(used, 3);
  assert.deepEqual(used.client.closedWith, { code: 1012, reason: 'restarting' });
});

test('a session whose texts all wait for the budget sends nothing to the service, and expires', () => {
  const nothing = (): void => undefined;
  const spending = {
    isSpent: false,
    add: nothing,
    expect: nothing,
    mustWait: () => true,
    streaming: () => () => 0,
  };
  const relay = fakeRelay('open', { spending });
  relay.client.receive(SESSION_START);
  for (let minute = 0; minute < 11; minute += 1) {
    relay.client.receive('{"type":"text","id":"1","data":"a"}');
    minutes(relay, 1);
  }
  assert.deepEqual(relay.client.closedWith, { code: 1000, reason: 'session_expired' });
});

test('twenty sockets that are opened and dropped leave nothing on either side', async (t) => {
  const { started, clock, app, proxy } = await mountedProxy(t, {
    env: { SIGN_MAX_SOCKETS_PER_CLIENT: '20' },
  });
  // Twice, because the second twenty only have room when the first are gone.
  for (let round = 0; round < 2; round += 1) {
    const pairs = await Promise.all(Array.from({ length: 20 }, () => started()));
    for (const { client } of pairs) client.socket.terminate();
    const codes = await Promise.all(pairs.map(({ session }) => session.closed));
    assert.deepEqual(codes, Array(20).fill(1000));
  }
  await proxy.close();
  assert.equal(clock.pending, 0);
  const connections = await new Promise<number>((resolve) => {
    app.server.getConnections((_error, count) => resolve(count));
  });
  assert.equal(connections, 0);
});

for (const side of ['client', 'upstream'] as const) {
  test(`a frame of the ${side} that cannot be handled ends its session with 1011 and nothing else`, () => {
    const broken = (): never => {
      throw new TypeError('a fault of the proxy');
    };
    const spending = {
      isSpent: false,
      add: broken,
      expect: () => undefined,
      mustWait: () => false,
      streaming: broken,
    };
    const { client, upstream } = fakeRelay('open', { spending });
    client.receive(SESSION_START);
    if (side === 'client') client.receive('{"type":"text","id":"a","data":"Hello."}');
    else upstream.receive('{"type":"result","ref":"a","duration_seconds":2}');
    assert.deepEqual(client.closedWith, { code: 1011, reason: 'session_failed' });
  });
}
