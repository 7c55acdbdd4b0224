// This repository's modules as JavaScript, for the pages of benches: a bench's page script is a typed file beside the bench.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const ownModule = /^\/((?:src|test|demo)\/[\w/.-]+\.(?:ts|mjs))$/;

/** The module at this path of an address; null when there is none. */
export function sourceModule(pathname: string): string | null {
  const path = ownModule.exec(pathname)?.[1];
  if (path === undefined || path.includes('..')) return null;
  return ts.transpileModule(readFileSync(path, 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  }).outputText;
}
