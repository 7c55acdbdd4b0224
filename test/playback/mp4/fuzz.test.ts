// Broken clips by the thousand: `npm test` tries some, `node --import tsx test/playback/mp4/fuzz.ts 100000` many.
import { test } from 'node:test';
import fc from 'fast-check';
import { judge } from './judge.ts';
import { brokenClip, targets } from './mutations.ts';

const RUNS = 3000;

test(`${RUNS} broken files are each remuxed in proportion, or refused with a typed error and under a megabyte`, async () => {
  const clips = await targets();
  fc.assert(
    fc.property(brokenClip(clips), ({ bytes }) => void judge(bytes)),
    { numRuns: RUNS },
  );
});
