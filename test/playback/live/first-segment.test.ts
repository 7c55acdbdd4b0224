// The repair of the first segment reaches private members of hls.js, which a later version may not have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Hls from 'hls.js';
import { keepFirstParts } from '../../../src/playback/live/hls-repairs.ts';

for (const [what, hls] of [
  ['the controller', {}],
  ['the tracker', { streamController: {} }],
  ['the method', { streamController: { fragmentTracker: {} } }],
] as const) {
  test(`an hls.js without ${what} of this name plays on without the repair`, () => {
    assert.doesNotThrow(() => keepFirstParts(hls as unknown as Hls));
  });
}

test('a part of segment 0 has a number for hls.js, and any other part stays as it is', () => {
  const given: unknown[] = [];
  const fragmentTracker = {
    detectEvictedFragments: (...args: readonly unknown[]): void => void given.push(args[4]),
  };
  keepFirstParts({ streamController: { fragmentTracker } } as unknown as Hls);
  const second = { fragment: { sn: 1 } };
  for (const part of [{ fragment: { sn: 0 } }, second, null])
    (fragmentTracker.detectEvictedFragments as (...args: unknown[]) => void)('video', [], 'main', {}, part);
  const [first, ...others] = given as [{ fragment: { sn: number } }, ...unknown[]];
  assert.ok(first.fragment.sn > 0 && first.fragment.sn < 1);
  assert.deepEqual(others, [second, null]);
});
