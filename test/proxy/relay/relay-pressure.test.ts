// The relay when one side is slower than the other, or silent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeRelay } from './fake-relay.ts';
import { SESSION_START } from '../page-socket.ts';
import { turn } from '../fake-socket.ts';

const KB = 1024;
/** A frame whose payload and head fill `bytes` on their way to a page, and to the service with a mask. */
const fillingDown = (bytes: number): string => 'x'.repeat(bytes - 4);
const fillingUp = (bytes: number): string => 'x'.repeat(bytes - 8);

test('a page is not read further once 64 kB wait for the service to open, and is read again when it has', async () => {
  const { page, upstream } = fakeRelay('connecting');
  page.receive(SESSION_START);
  page.receive('x'.repeat(63 * KB));
  assert.equal(page.isPaused, false);
  page.receive('x'.repeat(KB));
  assert.equal(page.isPaused, true);
  upstream.open();
  await turn();
  upstream.drain();
  assert.equal(page.isPaused, false);
  assert.equal(upstream.sent.length, 3);
  assert.equal(upstream.sent[0], SESSION_START);
});

test('a page is not read while more than 64 kB wait for the service', async () => {
  const { page, upstream } = fakeRelay();
  page.receive(fillingUp(32 * KB));
  page.receive(fillingUp(32 * KB));
  assert.equal(page.isPaused, false);
  page.receive('x');
  assert.equal(page.isPaused, true);
  await turn();
  upstream.drain();
  assert.equal(page.isPaused, false);
});

test('the service is not read while more than 64 kB wait for the page', async () => {
  const { page, upstream } = fakeRelay();
  upstream.receive('x'.repeat(65 * KB));
  assert.equal(upstream.isPaused, true);
  assert.equal(page.closedWith, null);
  await turn();
  page.drain();
  assert.equal(upstream.isPaused, false);
});

test('one frame as long as the service may send closes no page', async () => {
  const { page, upstream, limitHits } = fakeRelay();
  upstream.receive('x'.repeat(1024 * KB));
  assert.deepEqual([page.closedWith, upstream.isPaused, limitHits], [null, true, []]);
  await turn();
  page.drain();
  assert.equal(upstream.isPaused, false);
});

test('a page with more than 2 MB waiting is closed 1013, which is counted', () => {
  const { page, upstream, limitHits } = fakeRelay();
  for (let count = 0; count < 64; count += 1) upstream.receive(fillingDown(32 * KB));
  assert.equal(page.closedWith, null);
  upstream.receive('x');
  assert.deepEqual(page.closedWith, { code: 1013, reason: 'overloaded' });
  assert.deepEqual(upstream.closedWith, { code: 1000, reason: undefined });
  assert.deepEqual(limitHits, ['page_backlog']);
});

test('a side that is not read is read again when the relay ends, to see the closing through', () => {
  const { page, upstream, relay } = fakeRelay();
  page.receive('x'.repeat(65 * KB));
  upstream.receive('x'.repeat(65 * KB));
  relay.restart();
  assert.deepEqual([page.isPaused, upstream.isPaused], [false, false]);
});

test('a side that has read everything after the relay ended is left alone', async () => {
  const { page, upstream, relay } = fakeRelay();
  page.receive('x'.repeat(65 * KB));
  relay.restart();
  page.pause();
  await turn();
  upstream.drain();
  assert.equal(page.isPaused, true);
});

test('a page that leaves while the handshake with the service is being broken off ends the relay', async () => {
  const { page, upstream, relay, clock } = fakeRelay('connecting');
  upstream.breakOff();
  page.emit('close', 1006);
  upstream.emit('close', 1006);
  await relay.closed;
  assert.equal(clock.pending, 0);
});

test('frames that arrive after the end go nowhere', async () => {
  const { page, upstream, relay } = fakeRelay();
  relay.restart();
  page.receive('{"type":"text"}');
  upstream.receive('{"type":"result"}');
  await turn();
  assert.deepEqual([page.sent, upstream.sent], [[], []]);
});

test('what was sent before the end leaves before the closing', () => {
  const { page, upstream, relay } = fakeRelay();
  page.receive('{"type":"text"}');
  upstream.receive('{"type":"result"}');
  relay.restart();
  assert.deepEqual([page.sent, upstream.sent], [['{"type":"result"}'], ['{"type":"text"}']]);
});

test('a page that leaves two pings unanswered is dropped at the third', () => {
  const { page, upstream, clock } = fakeRelay();
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
  const { page, upstream, clock } = fakeRelay();
  page.receive(SESSION_START);
  for (let count = 0; count < 3; count += 1) {
    assert.equal(page.closedWith, null);
    clock.advance(30_000);
    page.emit('pong');
  }
  assert.deepEqual(page.closedWith, { code: 1011, reason: 'session_failed' });
  assert.equal(upstream.pings, 2);
});

test('a side that is not read for now is pinged and not given up, since its answers cannot be seen', async () => {
  const { page, upstream, clock } = fakeRelay();
  page.receive(SESSION_START);
  page.receive('x'.repeat(65 * KB));
  upstream.receive('x'.repeat(65 * KB));
  assert.deepEqual([page.isPaused, upstream.isPaused], [true, true]);
  clock.advance(600_000);
  assert.deepEqual([page.pings, upstream.pings], [20, 20]);
  assert.deepEqual([page.isTerminated, page.closedWith], [false, null]);
  await turn();
  page.drain();
  clock.advance(90_000);
  assert.deepEqual(page.closedWith, { code: 1011, reason: 'session_failed' });
});

test('a page has 120 control frames a minute beside those that answer our pings, and is cut off over that', () => {
  const { page, upstream, clock, limitHits } = fakeRelay();
  page.receive(SESSION_START);
  for (let minute = 0; minute < 4; minute += 1) {
    for (let count = 0; count < 60; count += 1) {
      page.emit('ping');
      page.emit('pong');
    }
    clock.advance(30_000);
    page.emit('pong');
    upstream.emit('pong');
    clock.advance(30_000);
    page.emit('pong');
    upstream.emit('pong');
  }
  assert.deepEqual([page.isTerminated, limitHits], [false, []]);
  for (let count = 0; count < 123; count += 1) page.emit('ping');
  assert.deepEqual([page.isTerminated, limitHits], [true, ['control_frames']]);
});

test('a service that sends what is no frame and does not hang up ends the relay all the same', () => {
  const { page, upstream, clock } = fakeRelay();
  upstream.emit('error', new RangeError('what is no frame'));
  assert.deepEqual(page.closedWith, { code: 1011, reason: 'session_failed' });
  clock.advance(5_000);
  assert.deepEqual([page.isTerminated, upstream.isTerminated], [true, true]);
});

test('a page that sends what is no frame and does not hang up ends its session all the same', () => {
  const { page, upstream, clock } = fakeRelay();
  page.emit('error', new RangeError('what is no frame'));
  assert.deepEqual(upstream.closedWith, { code: 1000, reason: undefined });
  clock.advance(5_000);
  assert.deepEqual([page.isTerminated, upstream.isTerminated], [true, true]);
});

test('one pong is enough to start counting anew', () => {
  const { page, upstream, clock } = fakeRelay();
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
  const { page, upstream, clock, relay } = fakeRelay();
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
