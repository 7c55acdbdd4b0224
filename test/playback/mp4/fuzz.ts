// `node --import tsx test/playback/mp4/fuzz.ts [runs] [seed]`: remuxes as many clips broken at random as asked for
// (default 10,000). Prints a failure with the seed that replays it, and at the end the outcomes and the highest cost.
import fc from 'fast-check';
import { judge } from './judge.ts';
import { brokenClip, targets } from './mutations.ts';

const [runs = 10_000, seed = Date.now() | 0] = process.argv.slice(2).map(Number);
const clips = await targets();
const outcomes = new Map<string, number>();
const refused: number[] = [];
let most = 0;
fc.assert(
  fc.property(brokenClip(clips), ({ bytes }) => {
    const { outcome, allocated, took } = judge(bytes);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (outcome === 'remuxed') return;
    refused.push(took);
    most = Math.max(most, allocated);
  }),
  { numRuns: runs, seed },
);
refused.sort((a, b) => a - b);
console.log(`seed ${seed}:`, Object.fromEntries(outcomes));
console.log(
  `refused in ${refused[refused.length >> 1]?.toFixed(2)} ms median, ${refused.at(-1)?.toFixed(1)} ms at most,`,
  `with ${(most / 1024).toFixed(0)} kB at most`,
);
