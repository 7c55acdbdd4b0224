// `npm run fuzz:session -- [schedules] [seed] [replay]`: draws as many schedules as asked for (default 10,000; four of five
// of them `anything`), prints the seed, and for one that fails the smallest schedule that still fails, with the command that
// replays it.
import fc from 'fast-check';
import { properties, type PropertyName } from './fuzz-properties.ts';

const [runs = '10000', givenSeed, replay] = process.argv.slice(2);
const schedules = Number(runs);
const seed = givenSeed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(givenSeed);
if (!Number.isSafeInteger(schedules) || schedules < 1 || !Number.isSafeInteger(seed)) {
  console.error('usage: fuzz:session [schedules, 1 or more] [seed, an integer] [replay, as printed]');
  process.exit(2);
}
const [replayed, path] = replay?.split('@') ?? [];
const shares: Readonly<Record<PropertyName, number>> = { anything: 0.8, gentle: 0.2 };

console.log(`seed ${seed}`);
for (const name of Object.keys(shares) as PropertyName[]) {
  if (replayed !== undefined && name !== replayed) continue;
  const started = performance.now();
  const numRuns = Math.ceil(schedules * shares[name]);
  const details = await fc.check(properties[name], {
    seed,
    numRuns,
    ...(path === undefined ? {} : { path }),
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${name}: ${details.numRuns} schedules in ${seconds} s${details.failed ? ', and one failed' : ''}`,
  );
  if (!details.failed) continue;
  console.log(JSON.stringify(details.counterexample, null, 1));
  console.log((details.errorInstance as Error | null)?.message);
  console.log(`replay: npm run fuzz:session -- 1 ${details.seed} ${name}@${details.counterexamplePath}`);
  process.exitCode = 1;
}
