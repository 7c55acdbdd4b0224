// What all bundles share: how sources are compiled, packages are found, and a warning ends the build.
import { readFileSync } from 'node:fs';
import nodeResolve from '@rollup/plugin-node-resolve';
import replace from '@rollup/plugin-replace';
import typescript from '@rollup/plugin-typescript';

export const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
export const root = json('package.json');

/** `lit` of `lit/directives/if-defined.js`, `@lit/react` of `@lit/react/use-controller.js`. */
export const packageOf = (id) => id.split('/', id.startsWith('@') ? 2 : 1).join('/');
export const isBare = (id) => !/^[./\0]/.test(id);
export const isOneOf = (names) => (id) => isBare(id) && names.includes(packageOf(id));

/** zod's circular imports and misplaced annotations are its own and harmless. */
export function onLog(level, log, report) {
  const zodsOwn = ['CIRCULAR_DEPENDENCY', 'INVALID_ANNOTATION'].includes(log.code);
  if (zodsOwn && [log.id, ...(log.ids ?? [])].some((id) => id?.includes('/node_modules/zod/'))) return;
  report(level === 'warn' ? 'error' : level, log);
}

/** One program compiles the sources of all bundles; each bundle takes its files from it. */
const typescriptPlugin = typescript({ tsconfig: 'tsconfig.build.json' });
let bundlesToCome = 6;
export const compile = () => [
  {
    ...typescriptPlugin,
    buildStart(options) {
      if (!typescriptPlugin.started) typescriptPlugin.buildStart.call(this, options);
      typescriptPlugin.started = true;
    },
    buildEnd() {
      if (--bundlesToCome === 0) typescriptPlugin.buildEnd.call(this);
    },
  },
  replace({
    include: 'src/internal/safe-define.ts',
    preventAssignment: true,
    values: { SIGN_ELEMENTS_VERSION: JSON.stringify(root.version) },
  }),
];
/** `sideEffects` of package.json speaks of dist/, so it is not asked about the sources. */
export const resolver = () =>
  nodeResolve({ browser: true, exportConditions: ['production'], ignoreSideEffectsForRoot: true });

/** What may be bundled into a published file; the licence texts go with it. */
export const allow = {
  test: '(MIT OR BSD-3-Clause OR Apache-2.0)',
  failOnUnlicensed: true,
  failOnViolation: true,
};
