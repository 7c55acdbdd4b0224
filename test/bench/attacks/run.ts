// `npm run bench:attacks`: repeats known attacks on the proxy and prints the effect on the first version of the proxy beside the
// effect now. Meanwhile a bystander loads the elements, looks up a job and sends texts ten times a second, and must be served.
// - Run `npm run build` before it. It takes less than a minute on an idle machine.
// - With words as arguments, it runs only the attacks whose description holds one of them.
import { attacks, type Attack } from './attacks.ts';
import { startBystander, startHarness } from './harness.ts';

const words = process.argv.slice(2);
const chosen = attacks.filter(({ what }) => words.length === 0 || words.some((word) => what.includes(word)));

interface Row {
  readonly cells: readonly string[];
  readonly isMet: boolean;
}

async function measure({ what, before, env = {}, run }: Attack): Promise<Row> {
  const harness = await startHarness(env);
  try {
    const bystander = await startBystander(harness, '203.0.113.1');
    const [now, isMet] = await run(harness);
    const { uses, failed, longestMs } = await bystander.stop();
    const served = `${uses - failed} of ${uses}, longest ${longestMs.toFixed(0)} ms`;
    return {
      cells: [what, before, now, served, isMet && failed === 0 ? 'met' : '**missed**'],
      isMet: isMet && failed === 0,
    };
  } finally {
    await harness.close();
  }
}

console.log('| attack | before | now | others served | |\n|---|---|---|---|---|');
let missed = 0;
for (const attack of chosen) {
  const { cells, isMet } = await measure(attack);
  if (!isMet) missed += 1;
  console.log(`| ${cells.join(' | ')} |`);
}
if (missed > 0) process.exitCode = 1;
