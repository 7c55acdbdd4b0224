// How a live player reads what a page has set.
import assert from 'node:assert/strict';
import test from 'node:test';
import { targetLatencyOf, type LiveOptions } from '../../../src/elements/live-stream.ts';

const read = (targetLatency: unknown): number | null => targetLatencyOf({ targetLatency } as LiveOptions);

test('a target latency is a number of seconds above 0, also as a string, which templates of frameworks set', (t) => {
  t.mock.method(console, 'warn', () => {});
  for (const two of [2, '2', ' 2.0 ']) assert.equal(read(two), 2);
  for (const none of [null, undefined, '', 'soon', 0, '-1', Infinity, {}]) assert.equal(read(none), null);
});
