// The relay when one side is slower than the other, or silent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeRelay } from './fake-relay.ts';
import { SESSION_START } from '../client-socket.ts';
import { turn } from '../fake-socket.ts';

const KB = 1024;
/** A frame whose payload and head fill `bytes` on their way to a client, and to the service with a mask. */
const fillingDown = (bytes: number): string => 'x'.repeat(bytes - 4);
const fillingUp = (bytes: number): string => 'x'.repeat(bytes - 8);

test('a client is no longer read when 64 kB wait for the service to open, and is read again when the service has opened', async () => {
  const { client, upstream } = fakeRelay('connecting');
  client.receive(SESSION_START);
  client.receive('x'.repeat(63 * KB));
  assert.equal(client.isPaused, false);
  client.receive('x'.repeat(KB));
  assert.equal(client.isPaused, true);
  upstream.open();
  await turn();
  upstream.drain();
  assert.equal(client.isPaused, false);
  assert.equal(upstream.sent.length, 3);
  assert.equal(upstream.sent[0], SESSION_START);
});

test('a client is not read while more than 64 kB wait for the service', async () => {
  const { client, upstream } = fakeRelay();
  client.receive(SESSION_START);
  await turn();
  upstream.drain();
  client.receive(fillingUp(32 * KB));
  client.receive(fillingUp(32 * KB));
  assert.equal(client.isPaused, false);
  client.receive('x');
  assert.equal(client.isPaused, true);
  await turn();
  upstream.drain();
  assert.equal(client.isPaused, false);
});

test('the service is not read while more than 64 kB wait for the client', async () => {
  const { client, upstream } = fakeRelay();
  upstream.receive('x'.repeat(65 * KB));
  assert.equal(upstream.isPaused, true);
  assert.equal(client.closedWith, null);
  await turn();
  client.drain();
  assert.equal(upstream.isPaused, false);
});

test('one frame as long as the service may send closes no client', async () => {
  const { client, upstream, limitHits } = fakeRelay();
  upstream.receive('x'.repeat(1024 * KB));
  assert.deepEqual([client.closedWith, upstream.isPaused, limitHits], [null, true, []]);
  await turn();
  client.drain();
  assert.equal(upstream.isPaused, false);
});

test('a client with more than 2 MB waiting is closed 1013, which is counted', () => {
  const { client, upstream, limitHits } = fakeRelay();
  for (let count = 0; count < 64; count += 1) upstream.receive(fillingDown(32 * KB));
  assert.equal(client.closedWith, null);
  upstream.receive('x');
  assert.deepEqual(client.closedWith, { code: 1013, reason: 'overloaded' });
  assert.deepEqual(upstream.closedWith, { code: 1000, reason: undefined });
  assert.deepEqual(limitHits, ['page_backlog']);
});

test('a client that sends over its rate and never reads is closed 1013 once 2 MB of answers wait for it', () => {
  let isOver = false;
  const { client, limitHits } = fakeRelay('open', { rate: () => Number(isOver) });
  client.receive(SESSION_START);
  isOver = true;
  let answers = 0;
  while (client.closedWith === null && answers < 20_000) {
    client.receive(JSON.stringify({ type: 'text', id: `t-${(answers += 1)}`, data: 'x' }));
  }
  assert.deepEqual(client.closedWith, { code: 1013, reason: 'overloaded' });
  assert.ok(limitHits.includes('page_backlog'));
});

test('an id of up to 256 characters comes back in the answer over the rate, and a longer one does not', async () => {
  for (const length of [256, 257]) {
    let isOver = false;
    const { client } = fakeRelay('open', { rate: () => Number(isOver) });
    client.receive(SESSION_START);
    isOver = true;
    const id = 'i'.repeat(length);
    client.receive(JSON.stringify({ type: 'text', id, data: 'x' }));
    await turn();
    const { code, ref } = JSON.parse(client.sent[0] ?? '') as Record<string, unknown>;
    assert.deepEqual([code, ref], ['rate_limited', length === 256 ? id : '']);
  }
});

test('a client that was sending when its relay ended may send 256 kB more before its close frame, and is cut off above that', async () => {
  const { client, relay } = fakeRelay();
  relay.restart();
  client.connection.push(Buffer.alloc(256 * KB));
  await turn();
  assert.equal(client.isTerminated, false);
  client.connection.push(Buffer.alloc(1));
  await turn();
  assert.equal(client.isTerminated, true);
});

test('a side that is not read is read again when the relay ends, so that its close frame is seen', () => {
  const { client, upstream, relay } = fakeRelay();
  client.receive(SESSION_START);
  client.receive('x'.repeat(65 * KB));
  upstream.receive('x'.repeat(65 * KB));
  assert.deepEqual([client.isPaused, upstream.isPaused], [true, true]);
  relay.restart();
  assert.deepEqual([client.isPaused, upstream.isPaused], [false, false]);
});

test('a side that has read everything after the relay ended is left alone', async () => {
  const { client, upstream, relay } = fakeRelay();
  client.receive(SESSION_START);
  client.receive('x'.repeat(65 * KB));
  relay.restart();
  client.pause();
  await turn();
  upstream.drain();
  assert.equal(client.isPaused, true);
});

test('a client that leaves while the handshake with the service is being aborted ends the relay', async () => {
  const { client, upstream, relay, clock } = fakeRelay('connecting');
  upstream.breakOff();
  client.emit('close', 1006);
  upstream.emit('close', 1006);
  await relay.closed;
  assert.equal(clock.pending, 0);
});

test('frames that arrive after the end go nowhere', async () => {
  const { client, upstream, relay } = fakeRelay();
  client.receive(SESSION_START);
  await turn();
  relay.restart();
  client.receive('{"type":"text"}');
  upstream.receive('{"type":"result"}');
  await turn();
  upstream.drain();
  assert.deepEqual([client.sent, upstream.sent], [[], [SESSION_START]]);
});

test('frames that were sent before the end leave before the close frame', () => {
  const { client, upstream, relay } = fakeRelay();
  client.receive(SESSION_START);
  client.receive('{"type":"text"}');
  upstream.receive('{"type":"result"}');
  relay.restart();
  assert.deepEqual([client.sent, upstream.sent], [['{"type":"result"}'], [SESSION_START, '{"type":"text"}']]);
});

test('a client that leaves two pings unanswered is dropped at the third', () => {
  const { client, upstream, clock } = fakeRelay();
  client.receive(SESSION_START);
  for (let count = 0; count < 2; count += 1) {
    clock.advance(30_000);
    upstream.emit('pong');
  }
  assert.deepEqual([client.pings, upstream.pings, client.isTerminated], [2, 2, false]);
  clock.advance(30_000);
  assert.equal(client.isTerminated, true);
  client.emit('close', 1006);
  assert.deepEqual(upstream.closedWith, { code: 1000, reason: undefined });
});

test('a service that leaves two pings unanswered is closed, and the client gets 1011 session_failed', () => {
  const { client, upstream, clock } = fakeRelay();
  client.receive(SESSION_START);
  for (let count = 0; count < 3; count += 1) {
    assert.equal(client.closedWith, null);
    clock.advance(30_000);
    client.emit('pong');
  }
  assert.deepEqual(client.closedWith, { code: 1011, reason: 'session_failed' });
  assert.equal(upstream.pings, 2);
});

test('a side that is not read for now is pinged and not closed, because its answers cannot be seen', async () => {
  const { client, upstream, clock } = fakeRelay();
  client.receive(SESSION_START);
  client.receive('x'.repeat(65 * KB));
  upstream.receive('x'.repeat(65 * KB));
  assert.deepEqual([client.isPaused, upstream.isPaused], [true, true]);
  clock.advance(480_000);
  assert.deepEqual([client.pings, upstream.pings], [16, 16]);
  assert.deepEqual([client.isTerminated, client.closedWith], [false, null]);
  await turn();
  client.drain();
  clock.advance(90_000);
  assert.deepEqual(client.closedWith, { code: 1011, reason: 'session_failed' });
});

test('a client may send 120 control frames a minute beside the answers to our pings, and is cut off above that', () => {
  const { client, upstream, clock, limitHits } = fakeRelay();
  client.receive(SESSION_START);
  for (let minute = 0; minute < 4; minute += 1) {
    for (let count = 0; count < 60; count += 1) {
      client.emit('ping');
      client.emit('pong');
    }
    clock.advance(30_000);
    client.emit('pong');
    upstream.emit('pong');
    clock.advance(30_000);
    client.emit('pong');
    upstream.emit('pong');
  }
  assert.deepEqual([client.isTerminated, limitHits], [false, []]);
  for (let count = 0; count < 123; count += 1) client.emit('ping');
  assert.deepEqual([client.isTerminated, limitHits], [true, ['control_frames']]);
});

test('a service that sends something other than a frame and does not close its socket still ends the relay', () => {
  const { client, upstream, clock } = fakeRelay();
  upstream.emit('error', new RangeError('what is no frame'));
  assert.deepEqual(client.closedWith, { code: 1011, reason: 'session_failed' });
  clock.advance(5_000);
  assert.deepEqual([client.isTerminated, upstream.isTerminated], [true, true]);
});

test('a client that sends something other than a frame and does not close its socket still ends its session', () => {
  const { client, upstream, clock } = fakeRelay();
  client.emit('error', new RangeError('what is no frame'));
  assert.deepEqual(upstream.closedWith, { code: 1000, reason: undefined });
  clock.advance(5_000);
  assert.deepEqual([client.isTerminated, upstream.isTerminated], [true, true]);
});

test('one pong is enough to start counting anew', () => {
  const { client, upstream, clock } = fakeRelay();
  client.receive(SESSION_START);
  for (let count = 0; count < 8; count += 1) {
    clock.advance(30_000);
    upstream.emit('pong');
    if (count % 2 === 1) client.emit('pong');
  }
  assert.equal(client.isTerminated, false);
  assert.equal(client.pings, 8);
});

test('sockets that do not finish closing are cut off after 5 s, and no timer stays behind', async () => {
  const { client, upstream, clock, relay } = fakeRelay();
  relay.restart();
  clock.advance(4_999);
  assert.equal(client.isTerminated, false);
  clock.advance(1);
  assert.deepEqual([client.isTerminated, upstream.isTerminated], [true, true]);
  client.emit('close', 1006);
  upstream.emit('close', 1006);
  await relay.closed;
  assert.equal(clock.pending, 0);
});
