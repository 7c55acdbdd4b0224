// The relay when one side is slower than the other, or silent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { startRelay } from '../../proxy/relay.ts';
import { FakeSocket } from './fake-socket.ts';
import { manualClock } from './manual-clock.ts';
import { SESSION_START } from './page-socket.ts';

const KB = 1024;

function relayed(state: 'connecting' | 'open' = 'open') {
  const page = new FakeSocket('open');
  const upstream = new FakeSocket('connecting');
  const clock = manualClock();
  const relay = startRelay(page.asWebSocket, upstream.asWebSocket, {
    clock,
    log: Fastify().log,
    rate: () => 0,
    refusals: () => 0,
    redact: (frame) => frame,
  });
  if (state === 'open') upstream.open();
  return { page, upstream, clock, relay };
}

test('a page is not read further once 64 kB wait for the service to open, and is read again when it has', () => {
  const { page, upstream } = relayed('connecting');
  page.receive(SESSION_START);
  page.receive('x'.repeat(63 * KB));
  assert.equal(page.isPaused, false);
  page.receive('x'.repeat(KB));
  assert.equal(page.isPaused, true);
  upstream.open();
  assert.equal(upstream.sent.length, 3);
  assert.equal(upstream.sent[0], SESSION_START);
  upstream.drain();
  assert.equal(page.isPaused, false);
});

test('a page is not read while more than 64 kB wait for the service', () => {
  const { page, upstream } = relayed();
  page.receive('x'.repeat(64 * KB));
  assert.equal(page.isPaused, false);
  page.receive('x');
  assert.equal(page.isPaused, true);
  upstream.drain();
  assert.equal(page.isPaused, false);
});

test('the service is not read while more than 64 kB wait for the page', () => {
  const { page, upstream } = relayed();
  upstream.receive('x'.repeat(65 * KB));
  assert.equal(upstream.isPaused, true);
  assert.equal(page.closedWith, null);
  page.drain();
  assert.equal(upstream.isPaused, false);
});

test('a page with more than 512 kB waiting is closed 1013', () => {
  const { page, upstream } = relayed();
  upstream.receive('x'.repeat(512 * KB));
  assert.equal(page.closedWith, null);
  upstream.receive('x');
  assert.deepEqual(page.closedWith, { code: 1013, reason: 'overloaded' });
  assert.deepEqual(upstream.closedWith, { code: 1000, reason: undefined });
});

test('a side that is not read is read again when the relay ends, to see the closing through', () => {
  const { page, upstream, relay } = relayed();
  page.receive('x'.repeat(65 * KB));
  upstream.receive('x'.repeat(65 * KB));
  relay.restart();
  assert.deepEqual([page.isPaused, upstream.isPaused], [false, false]);
});

test('frames that arrive after the end go nowhere', () => {
  const { page, upstream, relay } = relayed();
  relay.restart();
  page.receive('{"type":"text"}');
  upstream.receive('{"type":"result"}');
  assert.deepEqual([page.sent, upstream.sent], [[], []]);
});

test('a page that leaves two pings unanswered is dropped at the third', () => {
  const { page, upstream, clock } = relayed();
  page.receive(SESSION_START);
  for (let count = 0; count < 2; count += 1) {
    clock.advance(30_000);
    upstream.emit('pong');
  }
  assert.deepEqual([page.pings, upstream.pings, page.isTerminated], [2, 2, false]);
  clock.advance(30_000);
  assert.equal(page.isTerminated, true);
  page.emit('close', 1006);
  assert.deepEqual(upstream.closedWith, { code: 1000, reason: undefined });
});

test('a service that leaves two pings unanswered is given up: 1011 session_failed', () => {
  const { page, upstream, clock } = relayed();
  page.receive(SESSION_START);
  for (let count = 0; count < 3; count += 1) {
    assert.equal(page.closedWith, null);
    clock.advance(30_000);
    page.emit('pong');
  }
  assert.deepEqual(page.closedWith, { code: 1011, reason: 'session_failed' });
  assert.equal(upstream.pings, 2);
});

test('one pong is enough to start counting anew', () => {
  const { page, upstream, clock } = relayed();
  page.receive(SESSION_START);
  for (let count = 0; count < 8; count += 1) {
    clock.advance(30_000);
    upstream.emit('pong');
    if (count % 2 === 1) page.emit('pong');
  }
  assert.equal(page.isTerminated, false);
  assert.equal(page.pings, 8);
});

test('sockets that do not finish closing are cut off after 5 s, and no timer stays behind', async () => {
  const { page, upstream, clock, relay } = relayed();
  relay.restart();
  clock.advance(4_999);
  assert.equal(page.isTerminated, false);
  clock.advance(1);
  assert.deepEqual([page.isTerminated, upstream.isTerminated], [true, true]);
  page.emit('close', 1006);
  upstream.emit('close', 1006);
  await relay.closed;
  assert.equal(clock.pending, 0);
});
