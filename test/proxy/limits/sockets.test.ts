// How many sockets open: of one address, and in all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSockets, type LocalSockets } from '../../../proxy/limits/sockets.ts';

function opened(sockets: LocalSockets, address: string): () => void {
  const leave = sockets.open(address);
  if (typeof leave !== 'function') throw new Error(leave);
  return leave;
}

test('an address has so many at one time, and a place that it gives back again', () => {
  const sockets = openSockets(2);
  const leave = opened(sockets, 'a');
  opened(sockets, 'a');
  assert.equal(sockets.refusal('a'), 'too_many_sockets');
  assert.equal(sockets.open('a'), 'too_many_sockets');
  assert.equal(sockets.refusal('b'), null);
  leave();
  assert.equal(sockets.refusal('a'), null);
  opened(sockets, 'a');
  assert.equal(sockets.open('a'), 'too_many_sockets');
});

test('in all there are so many, of however many addresses', () => {
  const sockets = openSockets(2, 3);
  const leaves = ['a', 'b', 'c'].map((address) => opened(sockets, address));
  assert.equal(sockets.refusal('d'), 'overloaded');
  assert.equal(sockets.open('a'), 'overloaded');
  leaves[0]?.();
  opened(sockets, 'd');
  assert.equal(sockets.open('e'), 'overloaded');
});

test('the limit of all is 10,000', () => {
  const sockets = openSockets(1);
  for (let n = 0; n < 10_000; n += 1) opened(sockets, String(n));
  assert.equal(sockets.open('one more'), 'overloaded');
});

test('asking why not takes no place', () => {
  const sockets = openSockets(1);
  for (let n = 0; n < 3; n += 1) assert.equal(sockets.refusal('a'), null);
  opened(sockets, 'a');
});
