// `npm run fuzz:frames -- [frames] [seed] [case]`: as many frames as asked for (default 1,000,000) through a relay that reads
// plain frames itself and one that leaves them to `ws`; prints the seed, and for a difference the command that replays it.
import { compareRelays, FRAMES_OF_CASE } from './frames.ts';

const [frames = 1_000_000, seed = Math.floor(Math.random() * 2 ** 31), only] = process.argv
  .slice(2)
  .map(Number);
if (![frames, seed, only ?? 0].every((value) => Number.isSafeInteger(value) && value >= 0) || frames < 1) {
  console.error('usage: fuzz:frames [frames, 1 or more] [seed, an integer] [one case, as printed]');
  process.exit(2);
}

console.log(`seed ${seed}`);
const started = performance.now();
const cases = Math.ceil(frames / FRAMES_OF_CASE);
const [from, to] = only === undefined ? [0, cases] : [only, only + 1];
let differences = 0;
for (let number = from; number < to; number += 1) {
  const outcomes = await compareRelays(seed, number);
  if (outcomes === null) continue;
  differences += 1;
  console.log(`replay: npm run fuzz:frames -- 1 ${seed} ${number}`);
  if (only !== undefined) for (const outcome of outcomes) console.log(JSON.stringify(outcome));
}
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`${(to - from) * FRAMES_OF_CASE} frames in ${seconds} s, ${differences} cases differ`);
process.exitCode = differences > 0 ? 1 : 0;
