// What counts when a file with a failure is run a second time.
import assert from 'node:assert/strict';
import test from 'node:test';
import { afterSecondRun, filesToRunAgain } from './second-run.mjs';

const one = (suite: string, name: string, failure: string | null = null) => ({ suite, name, failure });
const files = ['a', 'b', 'c', 'd'];

test('a file with a failure is run again, the others are not', () => {
  assert.deepEqual(filesToRunAgain([one('a', 'x'), one('b', 'y', 'why'), one('b', 'z', 'why')], files), [
    'b',
  ]);
  assert.deepEqual(filesToRunAgain([one('a', 'x')], files), []);
});

test('failures in four files stand, and so does a runner that died', () => {
  const four = files.map((file) => one(file, 'x', 'why'));
  assert.deepEqual(filesToRunAgain(four, files), []);
  assert.deepEqual(filesToRunAgain([one('a', 'x', 'why'), one('runner', 'runner', 'died')], files), []);
});

test('what passes the second time counts, and is told as unsteady', () => {
  const first = [one('a', 'x'), one('b', 'y', 'why'), one('b', 'z')];
  const { counting, unsteady } = afterSecondRun(first, [one('b', 'y'), one('b', 'z')], ['b']);
  assert.deepEqual(counting, [one('a', 'x'), one('b', 'y'), one('b', 'z')]);
  assert.deepEqual(unsteady, [one('b', 'y', 'why')]);
});

test('what fails the second time has failed, be it the same test or another', () => {
  for (const name of ['y', 'z']) {
    const second = [one('b', 'y'), one('b', 'z')].map((each) =>
      each.name === name ? { ...each, failure: 'again' } : each,
    );
    const { counting, unsteady } = afterSecondRun([one('b', 'y', 'why'), one('b', 'z')], second, ['b']);
    assert.deepEqual(counting, second);
    assert.deepEqual(unsteady, []);
  }
});

test('a second run that does not come to a test fails it', () => {
  const first = [one('b', 'y', 'why'), one('b', 'z')];
  const { counting } = afterSecondRun(first, [one('b', 'y')], ['b']);
  assert.deepEqual(counting, [one('b', 'y'), one('b', 'z', 'the second run did not come to it')]);
  assert.deepEqual(afterSecondRun(first, [], ['b']).counting, [
    first[0],
    one('b', 'z', 'the second run did not come to it'),
  ]);
});

test('a page that did not load the first time and does the second counts by its tests', () => {
  const { counting, unsteady } = afterSecondRun([one('b', 'b', 'not loaded')], [one('b', 'y')], ['b']);
  assert.deepEqual(counting, [one('b', 'y')]);
  assert.deepEqual(unsteady, [one('b', 'b', 'not loaded')]);
});

test('a page that loads neither time has failed', () => {
  const broken = one('b', 'b', 'not loaded');
  assert.deepEqual(afterSecondRun([broken], [broken], ['b']).counting, [broken]);
  assert.deepEqual(afterSecondRun([broken], [], ['b']).counting, [broken]);
});

test('a second run whose runner dies has failed', () => {
  const died = one('runner', 'runner', 'died');
  const { counting } = afterSecondRun([one('b', 'y', 'why')], [one('b', 'y'), died], ['b']);
  assert.deepEqual(counting, [one('b', 'y'), died]);
});
