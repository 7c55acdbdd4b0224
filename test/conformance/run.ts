// `npm run conformance`: holds a service to the documents and prints which sentence is shown by which test, and holds.
// Where the service is comes from the environment (see service.ts); with nothing there it is our own sandbox. Each test is
// told on stderr as it ends, since the table has to wait for the last. Ends with 0 when no sentence fails, with 1 when one
// does, with 2 when the environment cannot be.
import { run } from 'node:test';
import { fileURLToPath } from 'node:url';
import { obtainFfprobe } from '../ffprobe/obtain-ffprobe.mjs';
import { casesOf, documents } from './cases.ts';
import { whyNot } from './hold.ts';
import { leftOut } from './sentences/left-out.ts';
import { sentences } from './sentences/index.ts';
import { elsewhere, type Elsewhere } from './service.ts';
import { heldBy, leftOutList, mark, notRun, tableOf, type Verdict } from './table.ts';

const files = ['announcements', 'translation', 'live', 'websocket'];

function placeOrExit(): Elsewhere | null {
  try {
    return elsewhere(process.env);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

const place = placeOrExit();
// The sources that live sessions pull are made by ffmpeg.
if (!place) obtainFfprobe((step: string) => console.error(`ffmpeg: ${step}`));
const verdicts = new Map<string, Verdict>();
for (const document of documents) {
  for (const one of casesOf[document]) {
    const why = whyNot(one, document, place);
    verdicts.set(one.name, { is: 'not run', why: why ?? 'its test file did not come so far' });
  }
}

const failures: string[] = [];
const paths = files.map((name) => fileURLToPath(new URL(`${name}.test.ts`, import.meta.url)));
for await (const { type, data } of run({ files: paths, concurrency: 1 })) {
  if ((type !== 'test:pass' && type !== 'test:fail') || data.skip !== undefined) continue;
  if (verdicts.has(data.name)) {
    const is = type === 'test:pass' ? 'passed' : 'failed';
    verdicts.set(data.name, { is });
    console.error(`${mark[is]} ${data.name}`);
  }
  if (type === 'test:fail') {
    failures.push(`${data.name}\n      ${String(data.details.error.cause ?? data.details.error)}`);
  }
}

const list = (title: string, lines: readonly string[]): void => {
  if (lines.length > 0) console.log([`\n${title}`, ...lines.map((line) => `  ${line}`)].join('\n'));
};
for (const document of documents) {
  console.log(`\n${tableOf(document, sentences, casesOf[document], verdicts)}`);
}
list('Sentences without a test', leftOutList(leftOut));
list('Tests that were not run', notRun(verdicts));
list('Tests that failed', failures);

const cases = documents.flatMap((document) => casesOf[document]);
const results = sentences.map(({ id }) =>
  heldBy(
    cases.filter(({ shows }) => shows.includes(id)),
    verdicts,
  ),
);
const count = (result: string): number => results.filter((one) => one === result).length;
console.log(
  `\n${sentences.length} sentences: ${count('holds')} hold, ${count('FAILS')} fail, ${count('not run')} not run; ${cases.length} tests`,
);
process.exitCode = failures.length > 0 ? 1 : 0;
