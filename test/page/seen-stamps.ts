// Lets a page of the demo read the sandbox's frame stamps from its own videos, as `stampOf(video)`. It is added as a script,
// because a page with a strict policy loads no module of a test.
import { readFileSync } from 'node:fs';
import type { Page } from 'puppeteer-core';
import ts from 'typescript';
import type { stampOf } from './read-stamp.ts';

/** The global that the page then has. */
export type WithStamps = typeof globalThis & { stampOf: typeof stampOf };

/** A module's own code, without types, imports and exports. */
function codeOf(file: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions });
  return outputText.replaceAll(/^export /gm, '').replaceAll(/^import .*$/gm, '');
}

const reader = ['demo/sandbox/stamp.ts', 'test/page/read-stamp.ts'].map(codeOf).join('\n');

export const letReadStamps = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => { ${reader}; globalThis.stampOf = stampOf; })()`);
