// The declarations of a package, out of what `tsc -b` left in .build/.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Relative specifiers of a declaration file. */
const declared = /(from\s+|import\(|import\s+)(['"])(\.{1,2}\/[^'"]+?)\.ts\2/g;

/** Copies the declarations of the entries, and of all that they name, from .build/; `.ts` in them becomes `.js`. */
export function declarations(directory, entries) {
  const emit = (context, file, done) => {
    if (done.has(file)) return;
    done.add(file);
    const built = join('.build', file);
    const source = readFileSync(existsSync(built) ? built : file, 'utf8');
    for (const [, , , path] of source.matchAll(declared)) {
      emit(context, join(dirname(file), `${path}.d.ts`), done);
    }
    const rewritten = source.replace(declared, '$1$2$3.js$2');
    context.emitFile({ type: 'asset', fileName: relative(directory, file), source: rewritten });
  };
  return {
    name: 'declarations',
    generateBundle() {
      const done = new Set();
      for (const entry of entries) emit(this, `${directory}/${entry}.d.ts`, done);
    },
  };
}
