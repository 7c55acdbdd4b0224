// `npm run fuzz:proxy -- [cases] [seed] [case]`: as many hostile requests and sockets as asked for (default 10,000),
// in random order; prints the seed, and for each finding the command that replays it.
import { runCampaign } from './campaign.ts';

const [cases = 10_000, seed = Math.floor(Math.random() * 2 ** 31), only] = process.argv.slice(2).map(Number);
if (![cases, seed, only ?? 0].every((value) => Number.isSafeInteger(value) && value >= 0) || cases < 1) {
  console.error('usage: fuzz:proxy [cases, 1 or more] [seed, an integer] [one case, as printed]');
  process.exit(2);
}

console.log(`seed ${seed}`);
const started = performance.now();
const endings: (() => void)[] = [];
const { findings, answered, redacted, memory } = await runCampaign(
  { after: (end) => void endings.push(end) },
  { seed, cases, ...(only === undefined ? {} : { only }) },
);
for (const end of endings) end();
const [before, after] = memory.map((bytes) => `${(bytes / 1024 / 1024).toFixed(0)} MB`);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  `${only === undefined ? cases : 1} cases in ${seconds} s: ${answered} answered, a secret taken out of ${redacted}, ` +
    `memory ${before} to ${after}`,
);
for (const { number, what } of findings) {
  console.log(`\n${what}`);
  if (number !== null) console.log(`replay: npm run fuzz:proxy -- 1 ${seed} ${number}`);
}
console.log(`${findings.length} findings`);
process.exitCode = findings.length > 0 ? 1 : 0;
