// dist/ as a test reads it: files, what they import, and package.json.
import { readFileSync } from 'node:fs';
import { filesIn, importsOf } from './source-files.ts';

interface Manifest {
  name: string;
  version: string;
  engines?: { node?: string };
  dependencies: Record<string, string>;
  exports: Record<string, unknown>;
}

export const readManifest = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8')) as Manifest;

/** `lit` of `lit/directives/if-defined.js`, `@lit/react` of `@lit/react/use-controller.js`. */
const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** The scripts that the package sign-elements delivers. */
export const elementScripts = (): string[] =>
  filesIn(['dist'], ['.js']).filter((file) => !/^dist\/(proxy|sandbox|demo|docs)\//.test(file));

/** The packages that scripts import, Node's own left out. */
export function packagesImportedBy(scripts: readonly string[]): string[] {
  const bare = scripts.flatMap(importsOf).filter((specifier) => !/^(\.|node:)/.test(specifier));
  return [...new Set(bare.map(packageOf))].sort();
}
