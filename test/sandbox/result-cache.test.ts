// Which results can be fetched, and for how long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResultCache } from '../../demo/sandbox/result-cache.ts';

test('an entry is kept until its time is over, and not longer', () => {
  const cache = new ResultCache<string>();
  cache.put('a', 'result', 1000);
  assert.equal(cache.get('a', 999), 'result');
  assert.equal(cache.get('a', 1000), null);
  assert.equal(cache.get('b', 0), null);
});

test('an id used by two sessions gives the later result', () => {
  const cache = new ResultCache<string>();
  cache.put('a', 'first', 1000);
  cache.put('a', 'second', 2000);
  assert.equal(cache.get('a', 1500), 'second');
});

test('the cache holds ten thousand entries and drops the oldest', () => {
  const cache = new ResultCache<number>();
  for (let i = 0; i <= 10_000; i++) cache.put(`id ${i}`, i, 1000);
  assert.equal(cache.get('id 0', 0), null);
  assert.equal(cache.get('id 1', 0), 1);
  assert.equal(cache.get('id 10000', 0), 10_000);
});
