// `npm run conformance`: checks a service against the documents and prints which test shows which sentence, and whether it holds.
// - The environment says where the service is (see service.ts); without it, it is our own sandbox.
// - Each test is printed on stderr as it ends, because the table has to wait for the last one.
// - Ends with 0 when no sentence fails, with 1 when one does, with 2 when the environment is wrong.
import { obtainFfmpeg } from '../ffmpeg/obtain-ffmpeg.mjs';
import { announcementCases } from './announcements/index.ts';
import type { Case } from './case.ts';
import { casesOf, documents } from './cases.ts';
import { failureOf, whyNot } from './hold.ts';
import { liveCases } from './live/index.ts';
import { leftOut } from './sentences/left-out.ts';
import { sentences, type DocumentNumber } from './sentences/index.ts';
import { elsewhere, Service, type Elsewhere } from './service.ts';
import { heldBy, leftOutList, mark, notRun, tableOf, type Verdict } from './table.ts';
import { translationCases } from './translation/index.ts';
import { websocketCases } from './websocket/index.ts';

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
if (!place) obtainFfmpeg((step: string) => console.error(`ffmpeg: ${step}`));
const verdicts = new Map<string, Verdict>();
const failures: string[] = [];
/** Each group has a service of its own, so that no group sees what another has left. */
const groups: readonly (readonly [DocumentNumber, readonly Case[]])[] = [
  [1, announcementCases],
  [2, translationCases],
  [2, liveCases],
  [3, websocketCases],
];
for (const [document, group] of groups) {
  const service = await Service.open(place);
  for (const one of group) {
    const why = whyNot(one, document, place);
    if (why !== null) {
      verdicts.set(one.name, { is: 'not run', why });
      continue;
    }
    const failure = await failureOf(one, service);
    const is = failure === null ? 'passed' : 'failed';
    verdicts.set(one.name, { is });
    console.error(`${mark[is]} ${one.name}`);
    if (failure !== null) failures.push(`${one.name}\n      ${failure}`);
  }
  await service.close();
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
