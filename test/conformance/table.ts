// The printed table of sentences to tests.
// - A sentence holds when at least one of its cases was run and none that was run failed.
// - It fails when one of them failed.
// - A case that was not run is listed with its reason and never counts as held.
import type { Case } from './case.ts';
import type { LeftOut } from './sentences/left-out.ts';
import { titles, type DocumentNumber, type Sentence } from './sentences/index.ts';

/** The result of a case: it passed, it failed, or the reason why it was not run. */
export type Verdict =
  | { readonly is: 'passed' }
  | { readonly is: 'failed' }
  | { readonly is: 'not run'; readonly why: string };

type Held = 'holds' | 'FAILS' | 'not run';

/** By the name of the case. */
type Verdicts = ReadonlyMap<string, Verdict>;

export function heldBy(cases: readonly Pick<Case, 'name'>[], verdicts: Verdicts): Held {
  const found = cases.map(({ name }) => verdicts.get(name)?.is ?? 'not run');
  if (found.includes('failed')) return 'FAILS';
  return found.includes('passed') ? 'holds' : 'not run';
}

/** How a verdict is printed. */
export const mark = { passed: '+', failed: 'x', 'not run': '-' } as const;

/** One document's sentences, each with its cases under it. */
export function tableOf(
  document: DocumentNumber,
  sentences: readonly Sentence[],
  cases: readonly Case[],
  verdicts: Verdicts,
): string {
  const lines = [`Document ${document}: ${titles[document]}`];
  let section = '';
  for (const sentence of sentences.filter((one) => one.document === document)) {
    if (sentence.section !== section) lines.push('', `  ${(section = sentence.section)}`);
    const mine = cases.filter(({ shows }) => shows.includes(sentence.id));
    lines.push(`    ${heldBy(mine, verdicts).padEnd(8)}${sentence.id.padEnd(34)}${sentence.says}`);
    for (const { name } of mine)
      lines.push(`              ${mark[verdicts.get(name)?.is ?? 'not run']} ${name}`);
  }
  return lines.join('\n');
}

/** The cases that were not run, by name, each with its reason. */
export const notRun = (verdicts: Verdicts): string[] =>
  [...verdicts].flatMap(([name, verdict]) => (verdict.is === 'not run' ? [`${name}: ${verdict.why}`] : []));

export const leftOutList = (rows: readonly LeftOut[]): string[] =>
  rows.map(({ document, says, why }) => `document ${document}: ${says} (${why})`);
